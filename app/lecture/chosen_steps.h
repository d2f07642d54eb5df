// SPDX-License-Identifier: GPL-3.0-or-later
// Parses a choice of steps of a lecture.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace tileloom::lecture {

// "3,7" or "2-5,9": numbers from 1 to `count`, in output order; empty: all. The answer counts from
// 0. The error is one sentence without a full stop, in which `what` names them: "--steps".
tl::expected<std::vector<std::size_t>, std::string> chosenSteps(std::string_view what,
                                                                std::string_view text,
                                                                std::size_t count);

}  // namespace tileloom::lecture
