// SPDX-License-Identifier: GPL-3.0-or-later
// Both ladders as the tables of README.md, from the shipped runs: `tileloom ladder --markdown`.
#pragma once

#include <string>
#include <string_view>

namespace tileloom::app {

// `device` is a part of a device's name.
std::string ladderMarkdown(std::string_view device);

}  // namespace tileloom::app
