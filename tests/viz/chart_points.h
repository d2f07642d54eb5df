// SPDX-License-Identifier: GPL-3.0-or-later
// Invented values for the charts' tests.
#pragma once

#include <algorithm>

#include "kernels/tile/parameters.h"
#include "tests/support/text.h"
#include "viz/charts/chart_data.h"

namespace tileloom::test {

inline runs::Interval around(double median, double spread) {
  return {median, median * (1 - spread), median * (1 + spread)};
}

inline HistoryPoint measured(const char* id = "warptiled", double gflops = 36339) {
  HistoryPoint p;
  p.subject() = standardSubject(stage(id));
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

// A history as users make it: drags of one tile parameter of three to nine moves, from one rung to
// the next after some, mostly live, with predictions; the same in every run.
inline std::vector<HistoryPoint> drags(int count) {
  const char* const rungs[] = {"vectorized", "warptiled", "doublebuffered", "async"};
  std::vector<HistoryPoint> points;
  unsigned seed = 7;
  const auto next = [&seed](int least, int most) {
    seed = seed * 1664525U + 1013904223U;
    return least + static_cast<int>((seed >> 16) % static_cast<unsigned>(most - least + 1));
  };
  double base = 24000, slope = 0;
  int left = 0, rung = 0, registers = 128, parameter = 0;
  for (int i = 0; i < count; ++i) {
    if (left-- == 0) {
      left = next(2, 8);
      slope = 500.0 * next(-5, 6);
      registers = 8 * next(8, 31);
      if (i > 0 && next(0, 5) == 0) rung = (rung + 1) % 4;
      ++parameter;
      base = 20000 + 6000 * rung + 500.0 * next(0, 20);
    }
    base = std::clamp(base + slope, 9000.0, 48000.0);
    HistoryPoint p = measured(rungs[rung], base + next(0, 900));
    if (!points.empty() && points.back().rung() == p.rung()) p.tile = points.back().tile;
    const Parameter moved = p.rung()->parameters[static_cast<std::size_t>(parameter) % 5].parameter;
    p.tile[moved] += 4;  // need not be legal to be drawn
    p.cublas = around(50545.0 + next(-150, 150), 0.003);
    p.registers = std::min(255, registers + next(0, 6));
    p.spillBytes = p.registers > 250 ? 16 * next(1, 9) : 0;
    p.blocks = std::max(1, 65536 / (p.registers * 256));
    p.warps = 8 * p.blocks;
    p.freshness = i < count / 4 ? Freshness::Recorded : Freshness::Live;
    p.forecast = Forecast{base * 1.03, base * 0.93, base * 1.12, QStringLiteral("issue")};
    points.push_back(p);
  }
  return points;
}

}  // namespace tileloom::test
