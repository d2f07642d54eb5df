// SPDX-License-Identifier: GPL-3.0-or-later
// The table of options: what a session file keeps, a link carries, "Copy as command line" prints
// and `tileloom render` accepts, a row per option. A new option is a member of Session, a row in
// options.cpp, and its use.
//
// A new row does not change kSessionSchema: a session without the name keeps the default, and a
// reader that does not know the name ignores it. The schema gets a new version only when an older
// Tileloom would misread the file: when a name that it knows comes to mean something else, or
// takes values that it would refuse.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/session/option.h"

namespace tileloom {

// Names that other code needs, too.
inline constexpr std::string_view kSizeOption = "--size", kStepOption = "--step";

// In the order in which help lists them and readers read them: the stage is first, since tiles
// depend on it.
std::span<const Option> options();
std::vector<const Option*> inOrder(Option::Place Option::*place);

}  // namespace tileloom
