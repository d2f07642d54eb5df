// SPDX-License-Identifier: GPL-3.0-or-later
// The study of a main loop as text and as JSON.
#pragma once

#include <string>

#include "app/commands/json.h"
#include "kernels/rewrite/loop_study.h"
#include "kernels/runs/loop_times.h"

namespace tileloom::app {

// `times` may be nullptr: nobody has measured this kernel.
std::string loopText(const rewrite::LoopStudy& study, const runs::LoopTimes* times);
Json loopJson(const rewrite::LoopStudy& study, const runs::LoopTimes* times);

}  // namespace tileloom::app
