// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing texts, for the fake GPU.
#pragma once

#include <string>
#include <utility>

namespace tileloom::fake {

[[noreturn]] void die(const std::string& why);

std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The number in `value`, perhaps with K, M or G at its end; `of` is named where there is none.
double number(const std::string& value, const std::string& of);
int integer(const std::string& value, const std::string& of);

// "left<separator>right"; right is empty if there is no separator.
std::pair<std::string, std::string> split(const std::string& whole, char separator);

}  // namespace tileloom::fake
