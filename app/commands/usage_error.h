// SPDX-License-Identifier: GPL-3.0-or-later
// Complaints about the command line in this program's words: one sentence that ends in what to do.
#pragma once

#include <string>

#include "app/commands/command.h"

namespace tileloom::app {

std::string usageSentence(const Misuse& misuse);

// That the program itself has no use for this word.
std::string unknownWord(const Command& root, const std::string& word);

}  // namespace tileloom::app
