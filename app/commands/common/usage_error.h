// SPDX-License-Identifier: GPL-3.0-or-later
// Errors about the command line in this program's words: one sentence that ends with what to do.
#pragma once

#include <string>

#include "app/commands/common/command.h"

namespace tileloom::app {

std::string usageSentence(const Misuse& misuse);

// Says that the program itself does not take this word.
std::string unknownWord(const Command& root, const std::string& word);

}  // namespace tileloom::app
