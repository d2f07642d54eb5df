// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/derived.h"

#include <algorithm>

#include "kernels/tile/architecture.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/register_shares.h"

namespace tileloom {
namespace {

// A count that fits an int for any values of the tile parameters.
int bounded(long long value) {
  return static_cast<int>(std::clamp(value, -2'000'000'000LL, 2'000'000'000LL));
}

int quotient(long long a, long long b) {
  return b > 0 ? bounded(a / b) : 0;
}

// Registers beside results and fragments: addresses, loop counters and values in flight. NVRTC 13.0
// needs 13 for the default warp tile (165 in all for sm_90), 14 for rung 5's.
constexpr int kAddressRegisters = 13;
// The same at a lower optimisation level of the assembler: 209 in all for the default tile of rung
// 15. Of 60 legal tiles that need about 225 or more by this figure one spills, 12 bytes per thread,
// and of 60 others none (NVRTC 13.0, sm_90).
constexpr int kAddressRegistersInOrder = 29;

// The same with wgmma: 154 in all for 128 accumulators.
constexpr int kAddressRegistersOfGroups = 26;
// With warp specialisation the loops of both roles need some; with 26, 192 accumulators of two
// consumers are serialised (C7511).
constexpr int kAddressRegistersOfRoles = 34;
constexpr int kBarrierBytes = 8;

void deriveThreads(const Stage& stage, const TileShape& tile, Derived& d) {
  const int tm = tile[Parameter::TM], tn = tile[Parameter::TN];
  if (stage.is(Trait::Warpgroups)) {
    const int consumers = tile[Parameter::CONSUMERS];
    const long long multiply = 128LL * consumers;
    const int bring = !stage.is(Trait::Roles) || consumers < 1 ? 0
                      : stage.is(Trait::RegisterPool)          ? 128
                                                               : 32;
    d.threads = bounded(multiply + bring);
    d.results = quotient(1LL * d.blockM * d.blockN, multiply);
    if (stage.is(Trait::RegisterPool)) {
      d.producerRegisters = producerRegisters(consumers, stage.is(Trait::Split));
      d.consumerRegisters = consumerRegisters(consumers, stage.is(Trait::Split));
    }
  } else if (stage.is(Trait::TensorCore)) {
    const int wm = tile[Parameter::WM], wn = tile[Parameter::WN];
    d.warps = bounded(1LL * quotient(d.blockM, wm) * quotient(d.blockN, wn));
    d.threads = bounded(32LL * d.warps);
    d.results = quotient(1LL * wm * wn, 32);
    // Pairs of elements: four for 16 rows of A, two for 8 columns of B.
    d.fragments = bounded(1LL * quotient(wm, 4) + quotient(wn, 4));
  } else if (stage.is(Trait::WarpTile)) {
    const int wm = tile[Parameter::WM], wn = tile[Parameter::WN];
    d.warps = bounded(1LL * quotient(d.blockM, wm) * quotient(d.blockN, wn));
    d.threads = bounded(32LL * d.warps);
    d.wniter = tile[Parameter::WNITER];
    d.wmiter = quotient(1LL * wm * wn, 32LL * tm * tn * d.wniter);
    d.wsubm = quotient(wm, d.wmiter);
    d.wsubn = quotient(wn, d.wniter);
    d.results = bounded(1LL * bounded(1LL * d.wmiter * tm) * bounded(1LL * d.wniter * tn));
    d.fragments = bounded(1LL * d.wmiter * tm + 1LL * d.wniter * tn);
  } else if (stage.is(Trait::ThreadTile)) {
    d.threads = bounded(1LL * quotient(d.blockM, tm) * quotient(d.blockN, tn));
    d.results = bounded(1LL * tm * tn);
    d.fragments = bounded(1LL * tm + tn);
  } else if (stage.is(Trait::ThreadColumn)) {
    d.threads = bounded(1LL * quotient(d.blockM, tm) * d.blockN);
    d.results = tm;
    d.fragments = 2;
  } else {
    d.threads = bounded(1LL * d.blockM * d.blockN);
    d.results = 1;
    d.fragments = 2;
  }
  d.warps = bounded((d.threads + 31LL) / 32);
  // A value of B stays in its register while those of a column of A change.
  if (stage.is(Trait::SharedTiles) && stage.ladder == Ladder::Fp32)
    d.operands = stage.is(Trait::ThreadColumn) ? bounded(tm + 1LL) : d.fragments;
}

}  // namespace

Derived derive(const Stage& stage, const TileShape& tile) {
  Derived d;
  const bool square = stage.spec(Parameter::BLOCKSIZE) != nullptr;
  d.blockM = square ? tile[Parameter::BLOCKSIZE] : tile[Parameter::BM];
  d.blockN = square ? tile[Parameter::BLOCKSIZE] : tile[Parameter::BN];
  // Rungs 1 and 2 loop over K without tiles; views step by slabs of 32.
  d.stepK = stage.is(Trait::SharedTiles)
                ? (square ? tile[Parameter::BLOCKSIZE] : tile[Parameter::BK])
                : 32;
  deriveThreads(stage, tile, d);
  if (stage.is(Trait::SharedTiles)) {
    const long long elementsA = 1LL * d.blockM * d.stepK;
    const long long elementsB = 1LL * d.stepK * d.blockN;
    d.buffers = stage.spec(Parameter::STAGES) != nullptr ? tile[Parameter::STAGES]
                : stage.is(Trait::TwoBuffers)            ? 2
                                                         : 1;
    const long long padding = 1LL * tile[Parameter::PAD] * d.stepK;
    const int bytes = rowOf(stage.usualFormat()).bytes;
    d.sharedBytes =
        bounded(std::min(1LL * bytes * d.buffers, 4000LL) * (elementsA + padding + elementsB));
    // In elements.
    const int width = stage.is(Trait::TensorCore) ? 8 : stage.is(Trait::WideFill) ? 4 : 1;
    const int widthA = stage.is(Trait::AsyncFill) ? 1 : width;
    d.loadWidthA = bytes * widthA;
    d.loadWidthB = bytes * width;
    d.loadsA = quotient(elementsA, 1LL * widthA * d.threads);
    d.loadsB = quotient(elementsB, 1LL * width * d.threads);
    if (stage.is(Trait::CopyEngine)) {
      const int swizzle = tile[Parameter::SWIZZLE];
      d.loadWidthA = d.loadWidthB = swizzle;
      d.loadsA = quotient(1LL * bytes * d.stepK, swizzle);
      d.loadsB = quotient(1LL * bytes * d.blockN, swizzle);
      d.barriers = stage.is(Trait::Roles) ? bounded(2LL * d.buffers) : d.buffers;
      if (stage.is(Trait::Persistent))
        d.stagedC = bounded(64LL * tile[Parameter::CONSUMERS] *
                            (stage.is(Trait::Split)         ? 2LL * tile[Parameter::SWIZZLE] / 2
                             : stage.is(Trait::StoredBoxes) ? 1LL * d.blockN
                                                            : d.blockN + 8LL));
      if (d.sharedBytes > 0)
        d.sharedBytes = bounded(1LL * d.sharedBytes + 1LL * bytes * d.stagedC +
                                1LL * kBarrierBytes * d.barriers);
    }
  }
  const long long sets = stage.is(Trait::FragmentsAhead) ? 2 : 1;
  const long long staged = stage.is(Trait::StagedFill) ? 4LL * d.loadsA + 4LL * d.loadsB
                           : stage.is(Trait::StagedA)  ? 4LL * d.loadsA
                                                       : 0;
  long long fragments = sets * d.fragments;
  d.values = bounded(d.results + fragments);
  // The compiler need not hold one set whole: all of one operand, and of the other only one
  // instruction's part.
  if (stage.is(Trait::TensorCore) && !stage.is(Trait::FragmentsAhead))
    fragments = std::min(tile[Parameter::WM], tile[Parameter::WN]) / 4 + 4;
  const int addresses = stage.is(Trait::Roles)                        ? kAddressRegistersOfRoles
                        : stage.is(Trait::Warpgroups)                 ? kAddressRegistersOfGroups
                        : stage.assemblerLevel < kUsualAssemblerLevel ? kAddressRegistersInOrder
                                                                      : kAddressRegisters;
  // A finished tile waits in registers, two sums in each, during the main loop of the next one.
  const long long held = stage.is(Trait::Split) ? d.results / 2 : 0;
  d.estimatedRegisters = bounded(d.results + held + fragments + staged + addresses);
  return d;
}

int launchedRegisters(const Stage& stage, const TileShape& tile) {
  int warps = std::max(1, derive(stage, tile).warps);
  // Each of four schedulers has a quarter of the registers, and of nine warps one scheduler has
  // three: the assembler plans for that (NVRTC 13.0, sm_90a: 168 for 288 threads).
  if (stage.is(Trait::Roles))
    warps = (warps + Architecture::kPartitions - 1) / Architecture::kPartitions *
            Architecture::kPartitions;
  return std::min(Architecture::kRegistersPerThread,
                  Architecture::kRegistersPerBlock / (32 * warps) / 8 * 8);
}

int expectedRegisters(const Stage& stage, const TileShape& tile) {
  return stage.is(Trait::RegisterPool) ? launchedRegisters(stage, tile)
                                       : derive(stage, tile).estimatedRegisters;
}

std::vector<NamedValue> shownValues(const Stage& stage, const TileShape& tile) {
  const Derived d = derive(stage, tile);
  std::vector<NamedValue> shown = {{"threads", d.threads, "per block"},
                                   {"warps", d.warps, "per block"}};
  if (stage.is(Trait::WarpTile)) {
    shown.push_back({"WMITER", d.wmiter, "subtiles down"});
    shown.push_back({"WSUBM", d.wsubm, "rows per subtile"});
    shown.push_back({"WSUBN", d.wsubn, "columns per subtile"});
  }
  shown.push_back({"results", d.results, "per thread"});
  if (stage.is(Trait::SharedTiles)) {
    shown.push_back({"shared", d.sharedBytes, "bytes"});
    if (d.buffers > 1) shown.push_back({"K tiles", d.buffers, "in shared memory"});
    if (stage.is(Trait::CopyEngine)) {
      shown.push_back({"boxes of A", d.loadsA, "per K tile"});
      shown.push_back({"boxes of B", d.loadsB, "per K tile"});
      return shown;
    }
    shown.push_back({"loads of A", d.loadsA, "per thread"});
    shown.push_back({"loads of B", d.loadsB, "per thread"});
    if (d.loadWidthA == d.loadWidthB) {
      shown.push_back({"load width", d.loadWidthB, "bytes"});
    } else {
      shown.push_back({"load width of A", d.loadWidthA, "bytes"});
      shown.push_back({"load width of B", d.loadWidthB, "bytes"});
    }
  }
  return shown;
}

}  // namespace tileloom
