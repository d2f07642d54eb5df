// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom predict --sizes: the speed of a tile over the size of the problem.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/common/stage_options.h"
#include "kernels/model/prediction/size_curve.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {

// "256:8192:128", from, to and step. The error is one sentence without a full stop.
tl::expected<std::vector<int>, std::string> parseSizes(std::string_view text);

// A row for each size, with the speed that was recorded on the rates' device, if there is one.
std::string sizesText(const Subject& choice, const model::Rates& rates,
                      const model::KernelShape& kernel,
                      const std::vector<model::SizePoint>& points);
std::string sizesJson(const Subject& choice, const model::Rates& rates,
                      const model::KernelShape& kernel,
                      const std::vector<model::SizePoint>& points);

}  // namespace tileloom::app
