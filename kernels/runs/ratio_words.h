// SPDX-License-Identifier: GPL-3.0-or-later
// The meaning of a percentage of cuBLAS, for every place that shows it beside two speeds: it is not
// their quotient, and sometimes differs from it by a tenth of a percent.
#pragma once

#include <string_view>

namespace tileloom::runs {

inline constexpr std::string_view kRatioMeaning = "the median of the rounds' own ratios";

}  // namespace tileloom::runs
