// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a tuning run, as text and as JSON.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/commands/common/json.h"
#include "app/commands/report/plan_evidence.h"
#include "kernels/tuning/tune_session.h"

namespace tileloom::app {

// Funnel, winner or tied set, the best of each rung where several were searched, the best of the
// rest, failures.
std::string tuneText(const tuning::TuneSummary& sum);
Json tuneJson(const tuning::TuneSummary& sum);  // schema "tileloom.tuned/1"

// What would be searched: the funnel's first two steps, which rule rejects how many, and the tiles
// that would be measured first.
// `evidence`: what measured tiles say about the guesses.
std::string planText(const tuning::TunePlan& plan, const tuning::Search& search,
                     const std::optional<PlanEvidence>& evidence);
Json planJson(const tuning::TunePlan& plan, const tuning::Search& search,
              const std::optional<PlanEvidence>& evidence);

// "screen: 57 measured, 3 failed, best 36,120 GFLOP/s with BM=…; at most 300 more, about 12 s"
std::string progressText(std::span<const Stage* const> stages, const tuning::Search& search);

}  // namespace tileloom::app
