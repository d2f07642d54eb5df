// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the values that a search may give to tile parameters.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tuning/space.h"

namespace tileloom::app {

// Parses texts like "BM=64,128". Each names a parameter of at least one stage, once, with values
// that every stage with that parameter allows. The error is one sentence without a full stop that
// begins with what is wrong.
tl::expected<std::vector<tuning::ParameterValues>, std::string> parseParameterLists(
    std::span<const Stage* const> stages, std::span<const std::string> texts);

}  // namespace tileloom::app
