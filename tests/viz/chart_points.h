// SPDX-License-Identifier: GPL-3.0-or-later
// Invented values for the charts' tests.
#pragma once

#include "tests/support/text.h"
#include "viz/charts/chart_data.h"

namespace tileloom::test {

inline runs::Interval around(double median, double spread) {
  return {median, median * (1 - spread), median * (1 + spread)};
}

inline HistoryPoint measured(const char* id = "warptiled", double gflops = 36339) {
  HistoryPoint p;
  p.stage = &stage(id);
  p.tile = p.stage->standardTile();
  p.problem = {4096, 4096, 4096};
  p.gflops = around(gflops, 0.004);
  p.cublas = around(50545, 0.003);
  p.ratio = around(gflops / 50545, 0.003);
  p.registers = 168;
  p.blocks = 3;
  p.warps = 12;
  p.mostWarps = 64;
  p.limitedBy = "registers";
  p.device = "NVIDIA H100 80GB HBM3";
  p.when = "2026-11-21T03:25:00Z";
  return p;
}

inline std::vector<HistoryPoint> moves(int count) {
  std::vector<HistoryPoint> points;
  for (int i = 0; i < count; ++i) points.push_back(measured("warptiled", 34000 + 700 * (i % 5)));
  return points;
}

}  // namespace tileloom::test
