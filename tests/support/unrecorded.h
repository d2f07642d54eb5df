// SPDX-License-Identifier: GPL-3.0-or-later
// How tests treat a rung that is not recorded yet: they are skipped with the command that records
// it. The rungs of kRecordedRungs must be recorded.
#pragma once

#include <QtTest>
#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/runs/unrecorded.h"
#include "kernels/sass/recorded.h"

namespace tileloom::test {

// A recorded rung is added here, and stays recorded.
inline constexpr std::array<std::string_view, 29> kRecordedRungs = {
    "naive",          "coalesced",  "shared",     "blocktile1d", "blocktile2d",
    "vectorized",     "autotuned",  "warptiled",  "padded",      "fragments",
    "doublebuffered", "async",      "rasterised", "tuned",       "scheduled",
    "rewritten",      "mma",        "swizzled",   "mmaring",     "tma",
    "wgmma",          "multistage", "overlapped", "specialised", "consumers",
    "persistent",     "cluster",    "stored",     "hopper"};

inline bool mustBeRecorded(const Stage& stage) {
  return std::ranges::find(kRecordedRungs, stage.id) != kRecordedRungs.end();
}

// The first rung without recorded runs, or nullptr.
inline const Stage* firstWithoutRuns() {
  const auto found = std::ranges::find_if_not(stages(), runs::hasRecordedRuns);
  return found == stages().end() ? nullptr : &*found;
}

}  // namespace tileloom::test

// Ends a test function early for a rung that is not recorded, unless it must be.
#define TILELOOM_SKIP_UNRECORDED(stage, evidence, isRecorded)         \
  do {                                                                \
    if (!(isRecorded) && !tileloom::test::mustBeRecorded(stage))      \
      QSKIP(tileloom::runs::notRecordedYet(stage, evidence).c_str()); \
  } while (false)

#define TILELOOM_NEEDS_RUNS(stage)                                \
  TILELOOM_SKIP_UNRECORDED(stage, tileloom::runs::Evidence::Runs, \
                           tileloom::runs::hasRecordedRuns(stage))
#define TILELOOM_NEEDS_LISTINGS(stage)                                \
  TILELOOM_SKIP_UNRECORDED(stage, tileloom::runs::Evidence::Listings, \
                           tileloom::sass::hasRecordedListing(stage))

// At the end of a test of all recorded rungs: names the rung that it could not test.
#define TILELOOM_SAY_WHICH_LACK_RUNS()                                                         \
  do {                                                                                         \
    if (const tileloom::Stage* lacking = tileloom::test::firstWithoutRuns())                   \
      QSKIP(tileloom::runs::notRecordedYet(*lacking, tileloom::runs::Evidence::Runs).c_str()); \
  } while (false)
