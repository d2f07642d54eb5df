// SPDX-License-Identifier: GPL-3.0-or-later
// Invented calls at a power limit for the charts' tests, so that a new recording changes no golden
// picture.
#pragma once

#include "tests/viz/chart_points.h"
#include "viz/charts/energy/energy_data.h"

namespace tileloom::test {

// 2 * 1000^3 operations at 1000 W: a kernel of 2 TFLOP/s takes 1 ms and 1 J.
inline EnergyData energyData(std::string_view present = "hopper") {
  using model::Loads;
  const auto around = [](double v) { return runs::Interval{v, 0.99 * v, 1.01 * v}; };
  model::EnergyCall whatIfs;
  whatIfs.when = "2026-02-03T04:05:06Z";
  whatIfs.device = "NVIDIA H100 80GB HBM3";
  whatIfs.limitWatts = 1000;
  whatIfs.fullClockMHz = 2000;
  whatIfs.problem = {1000, 1000, 1000};
  whatIfs.kernel = "an invented kernel";
  whatIfs.method = "an invented method";
  whatIfs.libraryTflops = around(1.9);
  whatIfs.whatIfs = {{Loads::None, around(2 / 0.8), 1500, {}, {}},
                     {Loads::OnlyA, around(2 / 0.86), 1400, {}, {}},
                     {Loads::OnlyB, around(2 / 0.87), 1400, {}, {}},
                     {Loads::FromL2, around(2 / 0.9), 1350, 0.02, 0.1},
                     {Loads::All, around(2), 1300, 1.2, 1.1}};
  model::EnergyCall rungs = whatIfs;
  rungs.whatIfs.clear();
  rungs.libraryTflops = {};
  rungs.rungs = {{"specialised", 80, 0},
                 {"consumers", 99, 0},
                 {"cluster", 100, 0},
                 {"stored", 101, 0},
                 {"hopper", 104, 0}};
  model::EnergyCall again = rungs;
  again.rungs = {{"hopper", 105, 2.1}, {"cublaslt", 102, 2.04}};
  return {{whatIfs, rungs, again}, &stage(present)};
}

}  // namespace tileloom::test
