// SPDX-License-Identifier: GPL-3.0-or-later
// What a percentage of cuBLAS is, to be said wherever it stands beside two speeds: it is not the
// one over the other, and differs from that by a tenth of a percent now and then.
#pragma once

#include <string_view>

namespace tileloom::runs {

inline constexpr std::string_view kRatioMeaning = "the median of the rounds' own ratios";

}  // namespace tileloom::runs
