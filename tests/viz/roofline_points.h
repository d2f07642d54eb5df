// SPDX-License-Identifier: GPL-3.0-or-later
// A roofline for tests: invented speeds and bytes that crowd as those of an H100 do.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

#include "tests/viz/chart_points.h"
#include "viz/charts/roofline/roofline_data.h"

namespace tileloom::test {

// Golden images show these rungs, so that a new rung leaves them as they are.
inline std::span<const Stage> picturedRungs() {
  return stages().first(14);
}

inline RooflineData roofline(std::span<const Stage> rungs = stages()) {
  RooflineData data;
  data.problem = {4096, 4096, 4096};
  data.ceilings = *model::ceilingsOf({}, {});
  data.ceilings.l2GBs = {5500, 5500, 5500};
  data.source = QStringLiteral("recorded on NVIDIA H100 80GB HBM3, 2026-11-21");
  const double speeds[] = {498,   6528,  9778,  19688, 26527, 35922, 34931,
                           38138, 37975, 40999, 46705, 43874, 45166, 51198};
  for (const Stage& stage : rungs) {
    RooflinePoint p;
    p.subject() = standardSubject(stage);
    const auto at = std::min(static_cast<std::size_t>(stage.rung), std::size(speeds)) - 1;
    p.gflops = around(speeds[at], 0.002);
    p.traffic.flops = 2.0 * 4096 * 4096 * 4096;
    p.traffic.leastBytes = 4.0 * 4 * 4096 * 4096;
    p.traffic.dramBytes = stage.rung < 4 ? 6.7e9 : stage.rung == 4 ? 1.4e9 : 0.62e9;
    p.traffic.dramLeast = 0.8 * p.traffic.dramBytes;
    p.traffic.dramMost = 1.2 * p.traffic.dramBytes;
    p.traffic.l2Bytes = stage.rung < 4 ? 17e9 : 4.4e9;
    p.traffic.sharedBytes = stage.rung < 3 ? 0 : stage.rung == 3 ? 430e9 : 55e9;
    p.traffic.l1Bytes = stage.rung == 1 ? 9075e9 : stage.rung == 2 ? 550e9 : 10e9;
    data.rungs.push_back(p);
  }
  if (data.rungs.size() > 7) data.present = data.rungs[7];
  return data;
}

// The same of the tensor ladder: its rungs are faster than mma.sync from the first with wgmma on.
inline RooflineData tensorRoofline() {
  RooflineData data = roofline({});
  data.problem = {8192, 8192, 8192};
  data.ladder = Ladder::Tensor;
  double speed = 1.2e5;
  for (const Stage& stage : tensorStages()) {
    RooflinePoint p;
    p.subject() = standardSubject(stage);
    const bool warpgroups = stage.features().warpgroupMma;
    if (warpgroups) speed = std::max(speed, 6.5e5);
    p.gflops = around(speed += warpgroups ? 2e4 : 8e4, 0.002);
    p.traffic.ladder = Ladder::Tensor;
    p.traffic.warpgroups = warpgroups;
    p.traffic.flops = 2.0 * 8192 * 8192 * 8192;
    p.traffic.leastBytes = 3.0 * 2 * 8192 * 8192;
    p.traffic.dramBytes = p.traffic.dramLeast = p.traffic.dramMost = 1.2e9;
    p.traffic.l2Bytes = 6e9 - 1e8 * stage.rung;
    p.traffic.sharedBytes = p.traffic.l1Bytes = warpgroups ? 12e9 : 30e9;
    data.rungs.push_back(p);
  }
  return data;
}

}  // namespace tileloom::test
