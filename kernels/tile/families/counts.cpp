// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/families/counts.h"

#include "kernels/tile/parameters.h"

namespace tileloom::families {
namespace {

constexpr int kBarrierBytes = 8;

int elementBytes(const Stage& stage) {
  return rowOf(stage.usualFormat()).bytes;
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
  d.sharedBytes = bounded(std::min(1LL * elementBytes(stage) * d.buffers, 4000LL) *
                          (elementsA(d) + padding + elementsB(d)));
}

void fillByThreads(const Stage& stage, int widthA, int widthB, Derived& d) {
  d.loadWidthA = elementBytes(stage) * widthA;
  d.loadWidthB = elementBytes(stage) * widthB;
  d.loadsA = quotient(elementsA(d), 1LL * widthA * d.threads);
  d.loadsB = quotient(elementsB(d), 1LL * widthB * d.threads);
}

void fillByTma(const Stage& stage, const TileShape& tile, Derived& d) {
  const int bytes = elementBytes(stage), swizzle = tile[Parameter::SWIZZLE];
  d.loadWidthA = d.loadWidthB = swizzle;
  d.loadsA = quotient(1LL * bytes * d.stepK, swizzle);
  d.loadsB = quotient(1LL * bytes * d.blockN, swizzle);
  if (d.sharedBytes > 0)
    d.sharedBytes =
        bounded(1LL * d.sharedBytes + 1LL * bytes * d.stagedC + 1LL * kBarrierBytes * d.barriers);
}

}  // namespace tileloom::families
