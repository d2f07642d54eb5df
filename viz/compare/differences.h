// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two tiles or rungs in figures: what differs, by how much, and which one is better.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/text/kernel_facts.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// What is known about one side.
struct Side {
  std::shared_ptr<const analysis::Recording> recording;
  std::optional<KernelFacts> kernel;  // compiled or recorded
  std::optional<HistoryPoint> speed;  // measured or recorded at this size
};

enum class Verdict {
  None,    // neither is better, or one is unknown
  Same,    // equal
  Tied,    // measured, but the intervals overlap
  Noisy,   // measured and disjoint, but one interval is too wide
  Better,  // the present side is better than the baseline
  Worse,
};

struct Difference {
  QString group;  // "Shared memory"
  QString name;   // "wavefronts per load"
  QString baseline, now;
  QString change;  // "× 0.50", "+ 128", or why the two cannot be compared
  Verdict verdict = Verdict::None;
  QString why;  // tool tip: what the figure is and where it comes from
  bool operator==(const Difference&) const = default;
};

// The differences in reading order: global memory comes first where a side reads more sectors than
// its bytes need, else last. Both sides need a recording. Figures from the trace are per K tile
// (loop_totals.h), so that they do not depend on how many K tiles were traced.
std::vector<Difference> differences(const Side& baseline, const Side& now);

// "6 vectorised · BK=8 TM=8 · BM=128 BN=128": the tile parameters that differ from the other tile
// or that it lacks, then the others, so that a cut title loses what both share. For two tiles of
// one rung it has only the parameters that differ.
QString sideTitle(const analysis::Recording& recording, const analysis::Recording& other);

}  // namespace tileloom
