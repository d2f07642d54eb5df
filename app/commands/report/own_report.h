// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel of one's own as its launch file launches it: whether C is right, and what it costs.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "app/commands/common/json.h"
#include "app/commands/report/launch_report.h"
#include "kernels/own/product_check.h"

namespace tileloom::app {

struct OwnReport {
  own::ResolvedLaunch launch;
  own::ProductCheck check;
  LaunchReport costs;
};

// The error is one sentence without a full stop, as of launchReport().
tl::expected<OwnReport, std::string> ownReport(const sass::Module& module,
                                               const sass::KernelImage& kernel,
                                               const own::ResolvedLaunch& launch,
                                               const std::string& file);
std::string ownText(const OwnReport& report);
Json ownJson(const OwnReport& report);

}  // namespace tileloom::app
