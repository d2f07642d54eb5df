// SPDX-License-Identifier: GPL-3.0-or-later
// Invented speeds over size for the charts' tests; the division into tiles and waves is real.
#pragma once

#include "tests/viz/chart_points.h"
#include "viz/charts/sizes/size_data.h"

namespace tileloom::test {

inline SizeData sizeData(int to = 8192) {
  SizeData data;
  data.subject() = standardSubject(stage("warptiled"));
  data.from = kSmallestSize;
  data.to = to;
  data.blocksPerSm = 3;
  data.sms = 132;
  data.present = {4096, 4096, 4096};
  data.device = data.foretoldOf = QStringLiteral("NVIDIA H100 80GB HBM3");
  for (const int size : model::toothSizes(*data.rung(), data.tile, data.from, to, 4096)) {
    auto p = model::divided(*data.rung(), data.tile, size, data.blocksPerSm, data.sms);
    p.gflops = 44000 * p.tileShare * p.waveShare * size / (size + 200.0);
    p.gflopsLow = 0.92 * p.gflops;
    p.gflopsHigh = 1.09 * p.gflops;
    p.milliseconds = 1;
    data.points.push_back(p);
  }
  data.runs = {{2048, data.device, around(30000, 0.01), Freshness::Recorded},
               {4096, data.device, around(38138, 0.01), Freshness::Live}};
  data.cublas = {{1024, 36500}, {2048, 49345}, {4096, 51162}, {8192, 51459}};
  std::erase_if(data.runs, [to](const SizeRun& run) { return run.size > to; });
  std::erase_if(data.cublas, [to](const SizeCublas& each) { return each.size > to; });
  return data;
}

}  // namespace tileloom::test
