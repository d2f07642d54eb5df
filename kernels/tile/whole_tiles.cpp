// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/whole_tiles.h"
#include "kernels/tile/placement.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/tile/derived.h"
#include "kernels/tile/format.h"
#include "kernels/tile/parameters.h"

namespace tileloom {
namespace {

constexpr int kTensorMapStride = 16;  // bytes

// The least bytes of a row: those of one element.
int bytesOfOne(const Stage& stage) {
  return static_cast<int>(rowOf(stage.usualFormat()).bytesOf(1));
}

}  // namespace

Problem wholeUnit(const Stage& stage, const TileShape& tile) {
  const Derived d = derive(stage, tile);
  const int turn = stage.split() == SplitK::Rounds ? std::max(1, tile[Parameter::STAGES]) : 1;
  return {d.blockM * clusterOf(stage, tile), d.blockN, d.stepK * turn};
}

Problem wholeTiles(const Stage& stage, const TileShape& tile, const Problem& problem) {
  if (!stage.features().tma) return paddedProblem(stage, tile, problem);
  const Problem whole = wholeUnit(stage, tile);
  const auto up = [](int value, int unit) {
    return unit > 0 ? (value + unit - 1) / unit * unit : value;
  };
  return {up(problem.m, whole.m), up(problem.n, whole.n), up(problem.k, whole.k)};
}

RowAlignment rowAlignment(const Stage& stage, const TileShape& tile) {
  if (stage.features().tma) return {kTensorMapStride, kTensorMapStride};
  const int element = bytesOfOne(stage);
  const Derived d = derive(stage, tile);
  if (!stage.features().sharedTiles) return {element, element};
  // C is stored by float4 where B is loaded by float4, and by pairs of 16-bit elements.
  return {std::max(element, d.loadWidthA), std::max(element, d.loadWidthB)};
}

namespace {

std::string sizeText(const Problem& p) {
  return fmt::format("{} x {} x {}", p.m, p.n, p.k);
}

// "K and N multiples of 8"
std::string multiplesText(const Stage& stage, const RowAlignment& rows) {
  const FormatRow& format = rowOf(stage.usualFormat());
  const long long ofA = format.elementsIn(rows.a), ofB = format.elementsIn(rows.b);
  if (ofA == ofB) return fmt::format("K and N multiples of {}", ofA);
  if (ofA <= 1) return fmt::format("N a multiple of {}", ofB);
  return fmt::format("K a multiple of {} and N of {}", ofA, ofB);
}

std::string whyPadded(const Stage& stage, const TileShape& tile) {
  const RowAlignment rows = rowAlignment(stage, tile);
  if (stage.features().tma) {
    return fmt::format(
        "rows rounded up to a multiple of {} bytes, like the strides of a tensor map ({})",
        kTensorMapStride, multiplesText(stage, rows));
  }
  const Derived d = derive(stage, tile);
  std::string text = fmt::format("whole tiles of {} x {} x {}, as the kernel has no edge checks",
                                 d.blockM, d.blockN, d.stepK);
  const int widest = std::max(rows.a, rows.b);
  if (widest > bytesOfOne(stage)) {
    text += fmt::format("; its {}-byte loads also need rows of a multiple of {} bytes ({})", widest,
                        widest, multiplesText(stage, rows));
  }
  return text;
}

// "whole tiles of 128 x 256 x 64, 2 one below the other in a cluster, 4 along K in a round of the
// pipeline"
std::string unitText(const Stage& stage, const TileShape& tile) {
  const Derived d = derive(stage, tile);
  const Problem unit = wholeUnit(stage, tile);
  std::string text = fmt::format("whole tiles of {} x {} x {}", d.blockM, d.blockN, d.stepK);
  if (unit.m > d.blockM)
    text += fmt::format(", {} one below the other in a cluster", unit.m / d.blockM);
  if (unit.k > d.stepK)
    text += fmt::format(", {} along K in a round of the pipeline", unit.k / d.stepK);
  return text;
}

}  // namespace

Padding paddingOf(const Stage& stage, const TileShape& tile, const Problem& problem) {
  Padding padding{
      problem, paddedProblem(stage, tile, problem), wholeTiles(stage, tile, problem), {}, {}};
  if (padding.buffers != problem) padding.whyBuffers = whyPadded(stage, tile);
  if (padding.multiplied != padding.buffers) {
    padding.whyMultiplied =
        fmt::format("{}; TMA fills what is outside A and B with zeros", unitText(stage, tile));
  }
  return padding;
}

double Padding::usefulShare() const {
  const auto products = [](const Problem& p) { return double(p.m) * double(p.n) * double(p.k); };
  return products(multiplied) > 0 ? products(asked) / products(multiplied) : 0;
}

std::string paddingText(const Padding& padding) {
  std::string text;
  if (!padding.whyBuffers.empty())
    text += fmt::format("Padded to {}: {}.\n", sizeText(padding.buffers), padding.whyBuffers);
  if (!padding.whyMultiplied.empty()) {
    text +=
        fmt::format("Multiplied as {}: {}.\n", sizeText(padding.multiplied), padding.whyMultiplied);
  }
  return text;
}

}  // namespace tileloom
