// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of the ladders: every rung at its standard tile, with its speed at one size and where
// that is from.
#pragma once

#include <QString>
#include <vector>

#include "app/services/measuring/kept_runs.h"
#include "app/services/measuring/lab_machine.h"
#include "kernels/tile/subject.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

struct LadderBars {
  std::vector<LadderBar> bars;  // without a speed: it is not known
  QString source;               // of all speeds
  QString fp32Source, tensorSource;
};

// The format of a rung in the ladder; `halves` is that of rungs that calculate in 16 bits.
Format formatInLadder(const Stage& stage, Format halves);

// The latest run of this machine's GPU, or else a recorded one.
LadderBars ladderBars(const KeptRuns& kept, const Problem& problem, Format halves,
                      const LabMachine& machine);

}  // namespace tileloom
