// SPDX-License-Identifier: GPL-3.0-or-later
// Two tiles or rungs in figures: what differs, by how much, and whether less or more is wanted.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/kernel_facts.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// What is known of one of the two.
struct Side {
  std::shared_ptr<const analysis::Recording> recording;
  std::optional<KernelFacts> kernel;  // compiled or recorded
  std::optional<HistoryPoint> speed;  // measured or recorded at this size
};

enum class Verdict {
  None,    // neither is better by itself, or something is not known
  Same,    // equal
  Tied,    // measured, and the intervals overlap
  Better,  // the present one, as against the baseline
  Worse,
};

struct Difference {
  QString group;  // "Shared memory"
  QString name;   // "wavefronts a load"
  QString baseline, now;
  QString change;  // "× 0.50", "+ 128", or what keeps the two apart
  Verdict verdict = Verdict::None;
  QString why;  // what the figure is and where it comes from, for a tool tip
  bool operator==(const Difference&) const = default;
};

// In reading order. Both sides need a recording. Figures of the trace are those of the loop over
// K, which do not depend on how many K tiles were traced.
std::vector<Difference> differences(const Side& baseline, const Side& now);

// "6 vectorised · BM=128 BN=128 …"; of two tiles of one rung, those knobs that differ.
QString sideTitle(const analysis::Recording& recording, const analysis::Recording& other);

}  // namespace tileloom
