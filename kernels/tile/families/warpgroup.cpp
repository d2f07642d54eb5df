// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose warpgroups multiply with wgmma what TMA has loaded: rungs T5 to T13.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "kernels/tile/families/counts.h"
#include "kernels/tile/families/family.h"
#include "kernels/tile/families/rules.h"
#include "kernels/tile/mma.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/register_shares.h"

namespace tileloom::families::warpgroup {
namespace {

using enum Parameter;

constexpr int kGroupThreads = 128;
constexpr int kWarpThreads = 32;

// As kAddressRegisters, with wgmma: 154 in all for 128 accumulators.
constexpr int kAddressRegistersOfGroups = 26;
// With warp specialisation the loops of both roles need some; with 26, 192 accumulators of two
// consumers are serialised (C7511).
constexpr int kAddressRegistersOfRoles = 34;

// Values of N that the kernels have functions for (kernels/device/hopper.cuh).
constexpr std::array kOfferedColumns = {64, 96, 128, 160, 192, 224, 256};

const Warpgroup& kindOf(const Stage& stage) {
  return std::get<Warpgroup>(stage.kind);
}

const MmaRow& instructionOf(const Stage& stage) {
  return rowOf(kindOf(stage).mma);
}

const MmaRow* mmaOf(const Stage& stage) {
  return &instructionOf(stage);
}

int rowsOfGroup(const Stage& stage) {
  return static_cast<int>(instructionOf(stage).rows);
}

bool splits(const Stage& stage) {
  return stage.has(SPLIT);
}

bool pipelined(const Stage& stage) {
  return stage.has(STAGES);
}

Features featuresOf(const Stage& stage) {
  const Warpgroup& kind = kindOf(stage);
  return {.sharedTiles = true,
          .warpgroupMma = true,
          .tma = true,
          .tmaStores = kind.tmaStores,
          .roles = kind.roles,
          .cluster = stage.has(CLUSTER),
          .persistent = kind.persistent};
}

// Elements of C that have a place of their own in shared memory: persistent blocks store a tile
// while the tiles of the next one arrive.
int stagedOf(const Stage& stage, const TileShape& tile, int blockN) {
  const Warpgroup& kind = kindOf(stage);
  if (!kind.persistent) return 0;
  const long long columns = splits(stage)
                                ? rowOf(stage.usualFormat()).elementsIn(2LL * tile[SWIZZLE])
                            : kind.tmaStores ? 1LL * blockN
                                             : blockN + 8LL;
  return bounded(1LL * rowsOfGroup(stage) * tile[CONSUMERS] * columns);
}

Derived deriveWarpgroup(const Stage& stage, const TileShape& tile) {
  const Warpgroup& kind = kindOf(stage);
  const int consumers = tile[CONSUMERS];
  const long long multiplying = 1LL * kGroupThreads * consumers;
  const int loading = !kind.roles || consumers < 1 ? 0
                      : kind.registerPool          ? kGroupThreads
                                                   : kWarpThreads;
  Derived d;
  d.blockM = tile[BM];
  d.blockN = tile[BN];
  d.stepK = tile[BK];
  d.threads = bounded(multiplying + loading);
  countWarps(d);
  d.results = quotient(1LL * d.blockM * d.blockN, multiplying);
  if (kind.registerPool) {
    d.producerRegisters = producerRegisters(consumers, splits(stage));
    d.consumerRegisters = consumerRegisters(consumers, splits(stage));
  }
  holdTiles(stage, tile, pipelined(stage) ? tile[STAGES] : 1, d);
  d.barriers = kind.roles ? bounded(2LL * d.buffers) : d.buffers;
  d.stagedC = stagedOf(stage, tile, d.blockN);
  fillByTma(stage, tile, d);
  d.values = d.results;
  const int addresses = kind.roles ? kAddressRegistersOfRoles : kAddressRegistersOfGroups;
  // A finished tile waits in registers, two sums in each, during the main loop of the next one.
  const long long held = splits(stage) ? d.results / 2 : 0;
  d.estimatedRegisters = bounded(d.results + held + addresses);
  return d;
}

// The rows of C of each warpgroup that are staged at once, padded by 16 bytes.
long long stagedElements(const Candidate& c) {
  return 1LL * rowsOfGroup(c.stage) * at(c, CONSUMERS) * (at(c, BN) + 8);
}

// The assembler allocates for this instruction within the registers that a block starts with: 138
// for 112 accumulators (its message C7602, NVRTC 13.0).
int registersOfProduct(const Candidate& c) {
  return at(c, BN) / 2 + 26;
}

std::string wrongColumns(const Candidate& c) {
  const MmaRow& row = instructionOf(c.stage);
  const auto unit = static_cast<int>(row.columns);
  return fmt::format(
      "{}, and these rungs offer BN = {}",
      at(c, BN) % unit == 0
          ? fmt::format("{} could multiply {} columns, like every multiple of {} up to {}", row.ptx,
                        at(c, BN), unit, row.mostColumns)
          : fmt::format("BN = {} is not a multiple of {}, as {} requires", at(c, BN), unit,
                        row.ptx),
      fmt::join(kOfferedColumns, ", "));
}

std::vector<Constraint> makeRules() {
  return {
      range(),
      {"wgmma-depth",
       nullptr,
       {BK},
       [](const Candidate& c) {
         return at(c, BK) % static_cast<int>(instructionOf(c.stage).depth) == 0;
       },
       [](const Candidate& c) {
         const MmaRow& row = instructionOf(c.stage);
         return fmt::format(
             "BK = {} is not a multiple of {}, and {} multiplies {} elements of K at a time with "
             "{}-bit numbers",
             at(c, BK), row.depth, row.ptx, row.depth, row.elementBits);
       }},
      {"wgmma-rows",
       nullptr,
       {BM, CONSUMERS},
       [](const Candidate& c) {
         const int each = rowsOfGroup(c.stage) * at(c, CONSUMERS);
         return at(c, BM) == each || at(c, BM) == 2 * each;
       },
       [](const Candidate& c) {
         const int rows = rowsOfGroup(c.stage);
         return fmt::format(
             "{} multiplies {} rows, and in these rungs each of CONSUMERS = {} warpgroups does so "
             "once or twice: BM must be {} or {}, not {}",
             instructionOf(c.stage).ptx, rows, at(c, CONSUMERS), rows * at(c, CONSUMERS),
             2 * rows * at(c, CONSUMERS), at(c, BM));
       }},
      {"wgmma-columns",
       nullptr,
       {BN},
       [](const Candidate& c) {
         return std::ranges::find(kOfferedColumns, at(c, BN)) != kOfferedColumns.end();
       },
       wrongColumns},
      box(),
      swizzle(),
      swizzleRowA(),
      swizzleRowB(),
      {"staged-c",
       [](const Stage& stage) { return pipelined(stage) && !kindOf(stage).persistent; },
       {BM, BN, BK, WM, STAGES, CONSUMERS},
       [](const Candidate& c) { return stagedElements(c) <= roomForC(c); },
       [](const Candidate& c) {
         return noRoomForC(c, fmt::format("{} rows of each warpgroup", rowsOfGroup(c.stage)),
                           stagedElements(c));
       }},
      sharedMemory(),
      {"accumulators",
       nullptr,
       {BM, BN, CONSUMERS},
       [](const Candidate& c) { return c.derived.estimatedRegisters <= registerCeiling(c); },
       [](const Candidate& c) {
         std::string reason = fmt::format(
             "{} x {} fp32 accumulators are {} registers for each of {} threads, which need about "
             "{} in all and may have {}",
             at(c, BM), at(c, BN), c.derived.results, kGroupThreads * at(c, CONSUMERS),
             c.derived.estimatedRegisters, registerCeiling(c));
         if (at(c, BM) == 256 && at(c, BN) == 256)
           reason +=
               "; the 256 x 256 tile of the literature has fp16 accumulators, two per register";
         return reason;
       }},
      {"product-registers",
       [](const Stage& stage) { return kindOf(stage).registerPool; },
       {BN, CONSUMERS},
       [](const Candidate& c) {
         return registersOfProduct(c) <= launchedRegisters(c.stage, c.tile);
       },
       [](const Candidate& c) {
         return fmt::format(
             "a {} of {} x {} has {} accumulators per thread and needs about {} registers, and the "
             "{} threads of a block start with {} each, before setmaxnreg",
             instructionOf(c.stage).ptx, rowsOfGroup(c.stage), at(c, BN), at(c, BN) / 2,
             registersOfProduct(c), n(c.derived.threads), launchedRegisters(c.stage, c.tile));
       }},
  };
}

std::span<const Constraint> rules() {
  static const std::vector<Constraint> table = makeRules();
  return table;
}

KernelForm formOf(const Stage& stage) {
  return splits(stage)             ? KernelForm::SplitBoxes
         : kindOf(stage).tmaStores ? KernelForm::StoredBoxes
                                   : KernelForm::Boxes;
}

SplitK splitOf(const Stage& stage) {
  return splits(stage) ? SplitK::Rounds : SplitK::No;
}

// Each of four schedulers has a quarter of the registers, and of nine warps one scheduler has
// three: the assembler plans for that (NVRTC 13.0, sm_90a: 168 for 288 threads).
int plannedWarps(const Stage& stage, int warps) {
  if (!kindOf(stage).roles) return warps;
  constexpr int kPartitions = Architecture::kPartitions;
  return (warps + kPartitions - 1) / kPartitions * kPartitions;
}

bool reallocates(const Stage& stage) {
  return kindOf(stage).registerPool;
}

}  // namespace
}  // namespace tileloom::families::warpgroup

namespace tileloom {

const KernelFamily kWarpgroupFamily = {
    .name = "warpgroup MMA",
    .features = families::warpgroup::featuresOf,
    .mma = families::warpgroup::mmaOf,
    .derive = families::warpgroup::deriveWarpgroup,
    .rules = families::warpgroup::rules,
    .form = families::warpgroup::formOf,
    .split = families::warpgroup::splitOf,
    .plannedWarps = families::warpgroup::plannedWarps,
    .reallocates = families::warpgroup::reallocates,
};

}  // namespace tileloom
