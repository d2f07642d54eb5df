// SPDX-License-Identifier: GPL-3.0-or-later
// A version of a rewritten loop as a session keeps it: the changes left out, and "pairs" if its
// lanes are not assigned as in the kernel. "" is the loop as it runs, "order,pairs" an example.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/rewrite/loop_study.h"

namespace tileloom {

std::string versionWords(const rewrite::Version& version);
// The error is one sentence without a full stop that names the unknown word.
tl::expected<rewrite::Version, std::string> parseVersion(std::string_view words);

}  // namespace tileloom
