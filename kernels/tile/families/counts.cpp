// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/families/counts.h"

#include "kernels/tile/parameters.h"

namespace tileloom::families {
namespace {

constexpr int kBarrierBytes = 8;

const FormatRow& formatOf(const Stage& stage) {
  return rowOf(stage.usualFormat());
}

long long elementsA(const Derived& d) {
  return 1LL * d.blockM * d.stepK;
}

long long elementsB(const Derived& d) {
  return 1LL * d.stepK * d.blockN;
}

}  // namespace

void countWarps(Derived& d) {
  d.warps = bounded((d.threads + 31LL) / 32);
}

void countWarpTiles(const TileShape& tile, Derived& d) {
  const int warps = bounded(1LL * quotient(d.blockM, tile[Parameter::WM]) *
                            quotient(d.blockN, tile[Parameter::WN]));
  d.threads = bounded(32LL * warps);
  countWarps(d);
}

void holdTiles(const Stage& stage, const TileShape& tile, int buffers, Derived& d) {
  d.buffers = buffers;
  const long long padding = 1LL * tile[Parameter::PAD] * d.stepK;
  // Elements by whole bytes, as the counts of a tile that is far from legal are near their bounds.
  const int unit = formatOf(stage).elementsPerByte();
  const long long units = (elementsA(d) + padding + elementsB(d) + unit - 1) / unit;
  d.sharedBytes = bounded(std::min(formatOf(stage).bytesOf(unit) * d.buffers, 4000LL) * units);
}

void fillByThreads(const Stage& stage, int widthA, int widthB, Derived& d) {
  d.loadWidthA = bounded(formatOf(stage).bytesOf(widthA));
  d.loadWidthB = bounded(formatOf(stage).bytesOf(widthB));
  d.loadsA = quotient(elementsA(d), 1LL * widthA * d.threads);
  d.loadsB = quotient(elementsB(d), 1LL * widthB * d.threads);
}

void fillByTma(const Stage& stage, const TileShape& tile, Derived& d) {
  const FormatRow& format = formatOf(stage);
  const int swizzle = tile[Parameter::SWIZZLE];
  d.loadWidthA = d.loadWidthB = swizzle;
  d.loadsA = quotient(format.bytesOf(d.stepK), swizzle);
  d.loadsB = quotient(format.bytesOf(d.blockN), swizzle);
  if (d.sharedBytes > 0)
    d.sharedBytes =
        bounded(d.sharedBytes + format.bytesOf(d.stagedC) + 1LL * kBarrierBytes * d.barriers);
}

}  // namespace tileloom::families
