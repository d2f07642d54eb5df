// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/size_curve.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/each.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {
namespace {

constexpr int kMostTeeth = 160;

Problem cube(int size) {
  return {size, size, size};
}

}  // namespace

int teethStep(const Stage& stage, const TileShape& tile, int from, int to) {
  const Derived d = derive(stage, tile);
  int step = std::max({1, d.blockM, d.blockN});
  while ((to - from) / step > kMostTeeth) step *= 2;
  return step;
}

std::vector<int> toothSizes(const Stage& stage, const TileShape& tile, int from, int to,
                            std::optional<int> also) {
  const Derived d = derive(stage, tile);
  const int step = teethStep(stage, tile, from, to);
  std::set<int> sizes = {from, to};
  // If the tile is not square, its shorter edge has its own teeth.
  const int shorter = std::max(1, std::min(d.blockM, d.blockN));
  for (const int edge : {step, (to - from) / shorter > kMostTeeth ? step : shorter}) {
    for (int at = (from + edge - 1) / edge * edge; at <= to; at += edge) {
      for (const int size : {at - edge / 2, at, at + 1}) {
        if (size >= from && size <= to) sizes.insert(size);
      }
    }
  }
  if (also && *also >= from && *also <= to) sizes.insert(*also);
  return {sizes.begin(), sizes.end()};
}

SizePoint divided(const Stage& stage, const TileShape& tile, int size, int blocksPerSm, int sms) {
  const Problem asked = cube(size), run = paddedProblem(stage, tile, asked);
  const Derived d = derive(stage, tile);
  SizePoint p;
  p.size = size;
  p.columns = (run.n + d.blockN - 1) / d.blockN;
  p.rows = (run.m + d.blockM - 1) / d.blockM;
  const double computed =
      static_cast<double>(p.columns) * d.blockN * static_cast<double>(p.rows) * d.blockM * run.k;
  const double useful = static_cast<double>(asked.m) * asked.n * asked.k;
  p.tileShare = useful / computed;
  const std::int64_t slots = std::int64_t{sms} * blocksPerSm;
  const int split = looksUpParts(stage, tile) ? tile[Parameter::SPLIT] : 1;
  const WaveDivision its = divisionOf(p.blocks(), run.k, slots, split);
  p.waves = wavesOf(p.blocks(), its.cut, partsOf(its, run.k, d.stepK), slots);
  // Blocks of split tiles take less time than others.
  const double ofTiles = static_cast<double>(p.blocks()) / static_cast<double>(slots);
  p.waveShare = its.cut > 0 ? ofTiles / (std::floor(ofTiles) + static_cast<double>(its.cut) /
                                                                   static_cast<double>(its.shares))
                            : ofTiles / std::ceil(ofTiles);
  return p;
}

std::vector<SizePoint> sizeCurve(const Stage& stage, const TileShape& tile,
                                 std::span<const int> sizes, const KernelShape& kernel,
                                 const Rates& rates, const std::function<bool()>& cancelled) {
  std::vector<SizePoint> points(sizes.size());
  std::atomic<bool> stop = false;
  emulator::forEachAtOnce(sizes.size(), [&](emulator::Workspace& workspace, std::size_t i) {
    if (stop || (cancelled && cancelled())) {
      stop = true;
      return;
    }
    SizePoint& p = points[i];
    p = divided(stage, tile, sizes[i], kernel.blocksPerSm, rates.chip.machine.sms);
    const auto loop = analysis::traceLoop(workspace, usualSubject(stage, tile), cube(sizes[i]));
    const Workload work = workloadOf(stage, tile, cube(sizes[i]), loop.totals, loop.kTiles, kernel,
                                     rates.chip.machine);
    const Prediction said = predict(work, rates, rates.chip);
    p.gflops = said.gflops;
    p.gflopsLow = said.gflopsLow;
    p.gflopsHigh = said.gflopsHigh;
    p.milliseconds = said.milliseconds;
  });
  if (stop) points.clear();
  return points;
}

}  // namespace tileloom::model
