// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose warps multiply with mma.sync: rungs T1 to T4.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/tile/families/counts.h"
#include "kernels/tile/families/family.h"
#include "kernels/tile/families/rules.h"
#include "kernels/tile/mma.h"
#include "kernels/tile/parameters.h"

namespace tileloom::families::warp_mma {
namespace {

using enum Parameter;
using Fill = WarpMma::Fill;

constexpr int kChunk = 16;  // bytes: the widest copy of a thread
constexpr int kLanes = 32;

const WarpMma& kindOf(const Stage& stage) {
  return std::get<WarpMma>(stage.kind);
}

const MmaRow& instructionOf(const Stage& stage) {
  return rowOf(kindOf(stage).mma);
}

const MmaRow* mmaOf(const Stage& stage) {
  return &instructionOf(stage);
}

int chunkElements(const Stage& stage) {
  return static_cast<int>(rowOf(stage.usualFormat()).elementsIn(kChunk));
}

bool copied(const Stage& stage) {
  return kindOf(stage).fill == Fill::Copied;
}

bool byTma(const Stage& stage) {
  return kindOf(stage).fill == Fill::Tma;
}

bool byThreads(const Stage& stage) {
  return !byTma(stage);
}

bool panels(const Stage& stage) {
  return stage.has(SWIZZLE);
}

Features featuresOf(const Stage& stage) {
  return {.sharedTiles = true, .warpMma = true, .tma = byTma(stage), .asyncCopies = copied(stage)};
}

// Registers of a lane for `edge` rows of A or columns of B, of which an instruction has `unit` in
// `registers` registers.
int registersFor(int edge, std::uint32_t unit, std::uint32_t elements, const MmaRow& row) {
  return quotient(1LL * edge * (elements / row.elementsPerRegister()), unit);
}

Derived deriveWarpMma(const Stage& stage, const TileShape& tile) {
  const WarpMma& kind = kindOf(stage);
  const MmaRow& row = instructionOf(stage);
  const int wm = tile[WM], wn = tile[WN];
  Derived d;
  d.blockM = tile[BM];
  d.blockN = tile[BN];
  d.stepK = tile[BK];
  countWarpTiles(tile, d);
  d.results = quotient(1LL * wm * wn, kLanes);
  const int ofA = registersFor(wm, row.rows, row.laneA(), row);
  const int ofB = registersFor(wn, row.columns, row.laneB(), row);
  d.fragments = bounded(1LL * ofA + ofB);
  holdTiles(stage, tile, stage.has(STAGES) ? tile[STAGES] : 1, d);
  if (byTma(stage)) {
    d.barriers = d.buffers;
    fillByTma(stage, tile, d);
  } else {
    fillByThreads(stage, chunkElements(stage), chunkElements(stage), d);
  }
  const long long held = (kind.fragmentsAhead ? 2LL : 1LL) * d.fragments;
  d.values = bounded(d.results + held);
  // The compiler need not hold one set whole: all of one operand, and of the other only one
  // instruction's part.
  const auto oneOfA = static_cast<int>(row.laneA() / row.elementsPerRegister());
  const long long needed = kind.fragmentsAhead ? held : std::min(wm, wn) / 4 + oneOfA;
  d.estimatedRegisters = bounded(d.results + needed + addressRegisters(stage));
  return d;
}

// Products beside each other that a kernel makes at least: two by one ldmatrix, or as many as fill
// a word of C.
std::uint32_t joinedColumns(const MmaRow& row) {
  return std::max(2u, row.elementsPerRegister() / 2);
}

// The tile parameter that is not a multiple of the instruction's shape, or nothing.
std::optional<Parameter> noMmaShape(const Candidate& c) {
  const MmaRow& row = instructionOf(c.stage);
  const auto fits = [&](Parameter parameter, std::uint32_t unit) {
    return at(c, parameter) % static_cast<int>(unit) == 0;
  };
  if (!fits(WM, row.rows)) return WM;
  if (!fits(WN, joinedColumns(row) * row.columns)) return WN;
  if (!fits(BK, row.depth)) return BK;
  return std::nullopt;
}

std::string noMmaShapeText(const Candidate& c) {
  const MmaRow& row = instructionOf(c.stage);
  switch (const Parameter parameter = *noMmaShape(c); parameter) {
    case WM:
      return fmt::format("WM = {} is not a multiple of {}: {} multiplies {} rows of A", at(c, WM),
                         row.rows, row.ptx, row.rows);
    case WN:
      return fmt::format(
          "WN = {} is not a multiple of {}: {} multiplies {} columns of B, and these rungs {} {} "
          "x {} {}",
          at(c, WN), joinedColumns(row) * row.columns, row.ptx, row.columns,
          joinedColumns(row) == 2 ? "load" : "store", joinedColumns(row), row.columns,
          joinedColumns(row) == 2 ? "with one ldmatrix" : "in whole words");
    default:
      return fmt::format(
          "BK = {} is not a multiple of {}: these rungs multiply {} elements of K at a time, by "
          "mma.{}",
          at(c, BK), row.depth, row.depth, row.shape);
  }
}

// "BM·BK = 512 elements cannot be split into whole 16-byte copies over 256 threads"
std::string unevenChunks(const Candidate& c, Parameter one, Parameter two) {
  return fmt::format(
      "{}·{} = {} elements cannot be split into whole {}-byte copies over {} threads", name(one),
      name(two), n(1LL * at(c, one) * at(c, two)), kChunk, n(c.derived.threads));
}

bool wholeChunks(const Candidate& c, Parameter one, Parameter two) {
  return divides(1LL * chunkElements(c.stage) * c.derived.threads, 1LL * at(c, one) * at(c, two));
}

// Rows of a panel that all threads copy in one pass, 16 bytes each.
int rowsPerPass(const Candidate& c) {
  const int chunks = at(c, SWIZZLE) / kChunk;
  return chunks > 0 ? c.derived.threads / chunks : 0;
}

// Passes step by whole groups of 8 rows, whose chunks have the same XOR pattern, and by whole
// panels.
bool evenPasses(const Candidate& c, int rows) {
  const int pass = rowsPerPass(c);
  return pass > 0 && pass % 8 == 0 && (rows % pass == 0 || pass % rows == 0);
}

std::string unevenPasses(const Candidate& c, Parameter rows, std::string_view matrix) {
  return fmt::format(
      "{} threads copy {} rows of a panel of SWIZZLE = {} bytes in one pass: that must be a "
      "multiple of 8, and it or {} = {}, the rows of {}, must be a multiple of the other",
      n(c.derived.threads), rowsPerPass(c), at(c, SWIZZLE), name(rows), at(c, rows), matrix);
}

// Elements of the rows of C that are staged in shared memory at once: 16 rows of each warp tile.
long long stagedElements(const Candidate& c) {
  const long long rows = instructionOf(c.stage).rows;
  return at(c, WM) > 0 ? at(c, BM) / at(c, WM) * rows * (at(c, BN) + 8) : 0;
}

int stepsAhead(const Candidate& c) {
  return 2 * static_cast<int>(instructionOf(c.stage).depth);
}

std::vector<Constraint> makeRules() {
  return {
      range(),
      {"mma-shape",
       nullptr,
       {WM, WN, BK},
       [](const Candidate& c) { return !noMmaShape(c); },
       noMmaShapeText},
      warpRows(),
      warpColumns(),
      threads(),
      {"chunks-a",
       byThreads,
       {BM, BN, BK, WM, WN},
       [](const Candidate& c) { return wholeChunks(c, BM, BK); },
       [](const Candidate& c) { return unevenChunks(c, BM, BK); }},
      {"chunks-b",
       byThreads,
       {BM, BN, BK, WM, WN},
       [](const Candidate& c) { return wholeChunks(c, BK, BN); },
       [](const Candidate& c) { return unevenChunks(c, BK, BN); }},
      swizzle(panels),
      swizzleRowA(panels),
      swizzleRowB(panels),
      {"steps-ahead",
       copied,
       {BK},
       [](const Candidate& c) { return at(c, BK) % stepsAhead(c) == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "BK = {} is not a multiple of {}, and fragments are double-buffered, each set for {} "
             "elements of K",
             at(c, BK), stepsAhead(c), instructionOf(c.stage).depth);
       }},
      {"passes-a",
       copied,
       {BM, BN, WM, WN, SWIZZLE},
       [](const Candidate& c) { return evenPasses(c, at(c, BM)); },
       [](const Candidate& c) { return unevenPasses(c, BM, "the tile of A"); }},
      {"passes-b",
       copied,
       {BM, BN, BK, WM, WN, SWIZZLE},
       [](const Candidate& c) { return evenPasses(c, at(c, BK)); },
       [](const Candidate& c) { return unevenPasses(c, BK, "the tile of B"); }},
      {"staged-c",
       copied,
       {BM, BN, BK, WM, STAGES, CONSUMERS},
       [](const Candidate& c) { return stagedElements(c) <= roomForC(c); },
       [](const Candidate& c) {
         return noRoomForC(c, fmt::format("{} rows of each warp tile", instructionOf(c.stage).rows),
                           stagedElements(c));
       }},
      sharedMemory(),
      registers(),
  };
}

std::span<const Constraint> rules() {
  static const std::vector<Constraint> table = makeRules();
  return table;
}

KernelForm formOf(const Stage& stage) {
  return byTma(stage) ? KernelForm::Boxes : KernelForm::Elements;
}

}  // namespace
}  // namespace tileloom::families::warp_mma

namespace tileloom {

const KernelFamily kWarpMmaFamily = {
    .name = "warp MMA",
    .features = families::warp_mma::featuresOf,
    .mma = families::warp_mma::mmaOf,
    .derive = families::warp_mma::deriveWarpMma,
    .rules = families::warp_mma::rules,
    .form = families::warp_mma::formOf,
};

}  // namespace tileloom
