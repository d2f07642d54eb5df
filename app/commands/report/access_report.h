// SPDX-License-Identifier: GPL-3.0-or-later
// The report of `tileloom access`: the banks or sectors of a formula's addresses, as text and as
// JSON.
#pragma once

#include <string>

#include "app/commands/common/json.h"
#include "kernels/own/access_hint.h"
#include "kernels/own/access_pattern.h"

namespace tileloom::app {

std::string accessReportText(const own::AccessPattern& pattern, const own::AccessHint& hint);
Json accessReportJson(const own::AccessPattern& pattern, const own::AccessHint& hint);

}  // namespace tileloom::app
