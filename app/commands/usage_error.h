// SPDX-License-Identifier: GPL-3.0-or-later
// CLI11's complaints in this program's words: one sentence that ends in what to do.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tileloom::app {

// `root` is the application that threw `error` from parse().
std::string usageSentence(const CLI::App& root, const CLI::ParseError& error);

// That the program itself has no use for this word.
std::string unknownWord(const CLI::App& root, const std::string& word);

}  // namespace tileloom::app
