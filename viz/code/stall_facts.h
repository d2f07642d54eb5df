// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel's warps wait, for the SASS and source views: hardware samples, matched to the
// listing of the same code.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "kernels/model/why/stalls.h"
#include "viz/code/sass_facts.h"

namespace tileloom {

struct StallFacts {
  runs::StallSamples samples;
  std::vector<model::StallShare> byInstruction;  // one per instruction of the listing
  double most = 0;                               // the largest share of an instruction
  std::vector<model::LineStalls> byLine;  // most first; empty: the listing has no source lines

  // nullptr: the samples are from other code (another source, compiler, tile or rung).
  static std::shared_ptr<const StallFacts> of(runs::StallSamples samples, const SassFacts& listing);

  const model::StallShare* ofLine(int line) const;          // nullptr: no sample fell on it
  const model::StallShare* ofInstruction(int index) const;  // nullptr: no sample fell on it
  // "sampled on NVIDIA H200 at 4096×4096×4096, recorded 2026-11-23"
  QString origin() const;
};

// "8.6 % of the samples: 7.4 % for data from L1, L2 or DRAM, 0.1 % not at all: …"
QString describeStalls(const model::StallShare& stalls);

}  // namespace tileloom
