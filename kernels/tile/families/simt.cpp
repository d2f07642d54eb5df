// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose threads multiply with FFMA: the rungs of the FP32 ladder.
#include <fmt/format.h>

#include "kernels/tile/families/counts.h"
#include "kernels/tile/families/family.h"
#include "kernels/tile/families/rules.h"
#include "kernels/tile/parameters.h"

namespace tileloom::families::simt {
namespace {

using enum Parameter;
using Owns = Simt::Owns;
using Fill = Simt::Fill;
using Next = Simt::Next;

const Simt& kindOf(const Stage& stage) {
  return std::get<Simt>(stage.kind);
}

const Simt& kindOf(const Candidate& c) {
  return kindOf(c.stage);
}

bool fillsByFloat4(const Simt& kind) {
  return kind.fill == Fill::OneFloat4 || kind.fill == Fill::Float4s;
}

Features featuresOf(const Stage& stage) {
  const Simt& kind = kindOf(stage);
  return {.sharedTiles = kind.fill != Fill::None,
          .asyncCopies = kind.next == Next::Copied || kind.next == Next::AInRegisters};
}

void countThreads(const Simt& kind, const TileShape& tile, Derived& d) {
  const int tm = tile[TM], tn = tile[TN];
  switch (kind.owns) {
    case Owns::Element:
      d.threads = bounded(1LL * d.blockM * d.blockN);
      d.results = 1;
      d.fragments = 2;
      break;
    case Owns::Column:
      d.threads = bounded(1LL * quotient(d.blockM, tm) * d.blockN);
      d.results = tm;
      d.fragments = 2;
      break;
    case Owns::Tile:
      d.threads = bounded(1LL * quotient(d.blockM, tm) * quotient(d.blockN, tn));
      d.results = bounded(1LL * tm * tn);
      d.fragments = bounded(1LL * tm + tn);
      break;
    case Owns::WarpTile: {
      const int wm = tile[WM], wn = tile[WN];
      countWarpTiles(tile, d);
      d.wniter = tile[WNITER];
      d.wmiter = quotient(1LL * wm * wn, 32LL * tm * tn * d.wniter);
      d.wsubm = quotient(wm, d.wmiter);
      d.wsubn = quotient(wn, d.wniter);
      d.results = bounded(1LL * bounded(1LL * d.wmiter * tm) * bounded(1LL * d.wniter * tn));
      d.fragments = bounded(1LL * d.wmiter * tm + 1LL * d.wniter * tn);
      break;
    }
  }
  countWarps(d);
  // A value of B stays in its register while those of a column of A change.
  if (kind.fill != Fill::None)
    d.operands = kind.owns == Owns::Column ? bounded(tm + 1LL) : d.fragments;
}

Derived deriveSimt(const Stage& stage, const TileShape& tile) {
  const Simt& kind = kindOf(stage);
  const bool square = stage.has(BLOCKSIZE);
  Derived d;
  d.blockM = square ? tile[BLOCKSIZE] : tile[BM];
  d.blockN = square ? tile[BLOCKSIZE] : tile[BN];
  // Rungs 1 and 2 loop over K without tiles; views step by slabs of 32.
  d.stepK = kind.fill == Fill::None ? 32 : square ? tile[BLOCKSIZE] : tile[BK];
  countThreads(kind, tile, d);
  if (kind.fill != Fill::None) {
    const bool staged = kind.next == Next::Registers || kind.next == Next::AInRegisters;
    holdTiles(stage, tile, stage.has(STAGES) ? tile[STAGES] : staged ? 2 : 1, d);
    const int width = fillsByFloat4(kind) ? 4 : 1;
    fillByThreads(stage, kind.next == Next::Copied ? 1 : width, width, d);
  }
  const long long fragments = (kind.fragmentsAhead ? 2LL : 1LL) * d.fragments;
  const long long staged = kind.next == Next::Registers      ? 4LL * d.loadsA + 4LL * d.loadsB
                           : kind.next == Next::AInRegisters ? 4LL * d.loadsA
                                                             : 0;
  d.values = bounded(d.results + fragments);
  d.estimatedRegisters = bounded(d.results + fragments + staged + addressRegisters(stage));
  return d;
}

int widthOf(const Candidate& c) {
  return fillsByFloat4(kindOf(c)) ? 4 : 1;
}

int floatsPerPass(const Candidate& c) {
  return widthOf(c) * c.derived.threads;
}

// Rows of A from which one pass of loads reads; pairs of lanes share a sector where BK allows.
int rowsOfRuns(const Candidate& c) {
  return c.derived.threads / (at(c, BK) % 8 == 0 ? 2 : 1);
}

// Words of the widest access that loads a thread's rows of As (see load_run).
int runWidth(const Candidate& c) {
  return at(c, TM) % 4 == 0 ? 4 : at(c, TM) % 2 == 0 ? 2 : 1;
}

// "BM·BK = 512 floats cannot be split into whole float4 loads over 256 threads"
std::string unevenFill(const Candidate& c, Parameter one, Parameter two, int width) {
  return fmt::format("{}·{} = {} floats cannot be split into whole {} loads over {} threads",
                     name(one), name(two), n(1LL * at(c, one) * at(c, two)),
                     width == 16 ? "float4" : "float", n(c.derived.threads));
}

std::string brokenRows(const Candidate& c, Parameter row, std::string_view matrix) {
  return fmt::format(
      "one pass of {} loads over {} threads covers {} floats, not a multiple of {}, the row length "
      "of {}",
      widthOf(c) == 4 ? "float4" : "float", n(c.derived.threads), n(floatsPerPass(c)),
      fmt::format("{} = {}", name(row), at(c, row)), matrix);
}

std::string noFloat4(const Candidate& c, Parameter parameter, std::string_view what) {
  return fmt::format("{} = {} is not a multiple of 4, so {}", name(parameter), at(c, parameter),
                     what);
}

// "BM·BK = 512 floats are not exactly one float4 for each of 256 threads (1,024); …"
std::string notOneEach(const Candidate& c, Parameter one, Parameter two, long long floats) {
  return fmt::format(
      "{}·{} = {} floats are not exactly one float4 for each of {} threads ({}); the autotuned "
      "rung loads several",
      name(one), name(two), n(floats), n(c.derived.threads), n(floatsPerPass(c)));
}

bool wide(const Stage& stage) {
  return fillsByFloat4(kindOf(stage));
}

bool oneEach(const Stage& stage) {
  return kindOf(stage).fill == Fill::OneFloat4;
}

bool floats(const Stage& stage) {
  return wide(stage) || kindOf(stage).fill == Fill::Floats;
}

bool tiled(const Stage& stage) {
  return kindOf(stage).fill != Fill::None;
}

bool warpTiled(const Stage& stage) {
  return kindOf(stage).owns == Owns::WarpTile;
}

std::vector<Constraint> makeRules() {
  return {
      range(),
      {"float4-bk",
       wide,
       {BK},
       [](const Candidate& c) { return at(c, BK) % 4 == 0; },
       [](const Candidate& c) {
         return noFloat4(c, BK, "a row of the tile of A is not whole float4 loads");
       }},
      {"float4-bn",
       wide,
       {BN},
       [](const Candidate& c) { return at(c, BN) % 4 == 0; },
       [](const Candidate& c) {
         return noFloat4(c, BN, "a row of the tile of B is not whole float4 loads");
       }},
      {"float4-tn",
       wide,
       {TN},
       [](const Candidate& c) { return at(c, TN) % 4 == 0; },
       [](const Candidate& c) {
         return noFloat4(c, TN, "a thread's row of C is not whole float4 stores");
       }},
      warpRows(warpTiled),
      warpColumns(warpTiled),
      {"subtiles-across",
       warpTiled,
       {WN, WNITER},
       [](const Candidate& c) { return divides(at(c, WNITER), at(c, WN)); },
       [](const Candidate& c) {
         return uneven(c, WNITER, WN, "subtiles cannot cover the warp tile");
       }},
      {"wmiter",
       warpTiled,
       {WM, WN, WNITER, TM, TN},
       [](const Candidate& c) {
         return divides(32LL * at(c, TM) * at(c, TN) * at(c, WNITER), 1LL * at(c, WM) * at(c, WN));
       },
       [](const Candidate& c) {
         return fmt::format(
             "32 lanes of {} x {} results and WNITER = {} make {} results per pass, and the warp "
             "tile's WM·WN = {} is not a multiple of that (WMITER)",
             at(c, TM), at(c, TN), at(c, WNITER), n(32LL * at(c, TM) * at(c, TN) * at(c, WNITER)),
             n(1LL * at(c, WM) * at(c, WN)));
       }},
      {"subtiles-down",
       warpTiled,
       {WM, WN, WNITER, TM, TN},
       [](const Candidate& c) { return divides(c.derived.wmiter, at(c, WM)); },
       [](const Candidate& c) {
         return fmt::format("WM = {} rows cannot be split into WMITER = {} equal subtiles",
                            at(c, WM), c.derived.wmiter);
       }},
      {"subtile-rows",
       warpTiled,
       {WM, WN, WNITER, TM, TN},
       [](const Candidate& c) { return divides(at(c, TM), c.derived.wsubm); },
       [](const Candidate& c) {
         return fmt::format(
             "a subtile of WM / WMITER = {} rows is not a multiple of TM = {} rows: threads would "
             "write into another thread's tile",
             c.derived.wsubm, at(c, TM));
       }},
      {"subtile-columns",
       warpTiled,
       {WM, WN, WNITER, TM, TN},
       [](const Candidate& c) { return divides(at(c, TN), c.derived.wsubn); },
       [](const Candidate& c) {
         return fmt::format(
             "a subtile of WN / WNITER = {} columns is not a multiple of TN = {} columns: threads "
             "would write into another thread's tile",
             c.derived.wsubn, at(c, TN));
       }},
      {"thread-rows",
       [](const Stage& stage) {
         return kindOf(stage).owns == Owns::Tile || kindOf(stage).owns == Owns::Column;
       },
       {BM, TM},
       [](const Candidate& c) { return divides(at(c, TM), at(c, BM)); },
       [](const Candidate& c) {
         return uneven(c, TM, BM, "thread tiles cannot cover the block tile");
       }},
      {"thread-columns",
       [](const Stage& stage) { return kindOf(stage).owns == Owns::Tile; },
       {BN, TN},
       [](const Candidate& c) { return divides(at(c, TN), at(c, BN)); },
       [](const Candidate& c) {
         return uneven(c, TN, BN, "thread tiles cannot cover the block tile");
       }},
      threads(),
      {"one-float4-a",
       oneEach,
       {BM, BN, BK, TM, TN},
       [](const Candidate& c) { return 1LL * at(c, BM) * at(c, BK) == floatsPerPass(c); },
       [](const Candidate& c) { return notOneEach(c, BM, BK, 1LL * at(c, BM) * at(c, BK)); }},
      {"one-float4-b",
       oneEach,
       {BM, BN, BK, TM, TN},
       [](const Candidate& c) { return 1LL * at(c, BN) * at(c, BK) == floatsPerPass(c); },
       [](const Candidate& c) { return notOneEach(c, BK, BN, 1LL * at(c, BN) * at(c, BK)); }},
      {"fill-a",
       floats,
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) {
         return divides(1LL * c.derived.loadWidthA / 4 * c.derived.threads,
                        1LL * at(c, BM) * at(c, BK));
       },
       [](const Candidate& c) { return unevenFill(c, BM, BK, c.derived.loadWidthA); }},
      {"fill-b",
       floats,
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) { return divides(floatsPerPass(c), 1LL * at(c, BK) * at(c, BN)); },
       [](const Candidate& c) { return unevenFill(c, BK, BN, c.derived.loadWidthB); }},
      {"rows-a",
       [](const Stage& stage) { return floats(stage) && !kindOf(stage).runs; },
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) { return divides(at(c, BK), floatsPerPass(c)); },
       [](const Candidate& c) { return brokenRows(c, BK, "A"); }},
      {"rows-b",
       floats,
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) { return divides(at(c, BN), floatsPerPass(c)); },
       [](const Candidate& c) { return brokenRows(c, BN, "B"); }},
      {"runs-a",
       [](const Stage& stage) { return kindOf(stage).next == Next::AInRegisters; },
       {BM, BK, BN, WM, WN},
       [](const Candidate& c) {
         return divides(rowsOfRuns(c), at(c, BM)) || divides(at(c, BM), rowsOfRuns(c));
       },
       [](const Candidate& c) {
         return fmt::format(
             "one pass of {} threads loads from {} rows of A, and neither that nor BM = {} is a "
             "multiple of the other",
             n(c.derived.threads), rowsOfRuns(c), at(c, BM));
       }},
      {"pad",
       [](const Stage& stage) { return kindOf(stage).runs; },
       {PAD, TM},
       [](const Candidate& c) { return at(c, PAD) % runWidth(c) == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "PAD = {} words misalign the rows of As by {} bytes, and with TM = {} they are loaded "
             "{} bytes at a time",
             at(c, PAD), at(c, PAD) % runWidth(c) * 4, at(c, TM), runWidth(c) * 4);
       }},
      sharedMemory(tiled),
      registers(floats),
  };
}

std::span<const Constraint> rules() {
  static const std::vector<Constraint> table = makeRules();
  return table;
}

void show(const Stage& stage, const Derived& d, std::vector<NamedValue>& shown) {
  if (!warpTiled(stage)) return;
  shown.push_back({"WMITER", d.wmiter, "subtiles down"});
  shown.push_back({"WSUBM", d.wsubm, "rows per subtile"});
  shown.push_back({"WSUBN", d.wsubn, "columns per subtile"});
}

KernelForm formOf(const Stage& stage) {
  return stage.has(SPLIT) ? KernelForm::FloatsAndParts : KernelForm::Floats;
}

SplitK splitOf(const Stage& stage) {
  return stage.has(SPLIT) ? SplitK::Parts : SplitK::No;
}

}  // namespace
}  // namespace tileloom::families::simt

namespace tileloom {

const KernelFamily kSimtFamily = {
    .name = "SIMT",
    .features = families::simt::featuresOf,
    .derive = families::simt::deriveSimt,
    .rules = families::simt::rules,
    .show = families::simt::show,
    .form = families::simt::formOf,
    .split = families::simt::splitOf,
};

}  // namespace tileloom
