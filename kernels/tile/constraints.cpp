// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/constraints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom {
namespace {

using enum Parameter;

constexpr std::uint32_t bits(Trait trait) {
  return static_cast<std::uint32_t>(trait);
}

int at(const Candidate& c, Parameter parameter) {
  return c.tile[parameter];
}

bool divides(long long part, long long whole) {
  return part > 0 && whole % part == 0;
}

int widthOf(const Candidate& c) {
  return c.stage.is(Trait::WideFill) ? 4 : 1;
}

int floatsPerPass(const Candidate& c) {
  return widthOf(c) * c.derived.threads;
}

// Rows of A from which one pass of loads reads; pairs of lanes share a sector where BK allows.
int runs(const Candidate& c) {
  return c.derived.threads / (at(c, BK) % 8 == 0 ? 2 : 1);
}

// Words of the widest access that loads a thread's rows of As (see load_run).
int runWidth(const Candidate& c) {
  return at(c, TM) % 4 == 0 ? 4 : at(c, TM) % 2 == 0 ? 2 : 1;
}

const ParameterSpec* outOfRange(const Candidate& c) {
  for (const ParameterSpec& spec : c.stage.parameters) {
    if (at(c, spec.parameter) < spec.min || at(c, spec.parameter) > spec.max) return &spec;
  }
  return nullptr;
}

// A count in a sentence: "1,024".
std::string n(long long count) {
  return grouped(static_cast<std::uint64_t>(std::max(0LL, count)));
}

std::string uneven(const Candidate& c, Parameter part, Parameter whole, std::string_view what) {
  return fmt::format("{} = {} is not a multiple of {} = {}, so {}", name(whole), at(c, whole),
                     name(part), at(c, part), what);
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

// "BM·BK = 512 elements cannot be split into whole 16-byte copies over 256 threads"
std::string unevenChunks(const Candidate& c, Parameter one, Parameter two) {
  return fmt::format(
      "{}·{} = {} elements cannot be split into whole 16-byte copies over {} threads", name(one),
      name(two), n(1LL * at(c, one) * at(c, two)), n(c.derived.threads));
}

// The tile parameter that is not a multiple of the tensor core's 16, or nothing.
std::optional<Parameter> noMmaShape(const Candidate& c) {
  for (const Parameter parameter : {WM, WN, BK}) {
    if (at(c, parameter) % 16 != 0) return parameter;
  }
  return std::nullopt;
}

// Rows of a panel that all threads copy in one pass, 16 bytes each.
int rowsPerPass(const Candidate& c) {
  const int chunks = at(c, SWIZZLE) / 16;
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

// Elements of the rows of C that are staged in shared memory at once: 16 rows of each warp tile, or
// 64 of each warpgroup.
long long stagedElements(const Candidate& c) {
  if (c.stage.is(Trait::Warpgroups)) return 64LL * at(c, CONSUMERS) * (at(c, BN) + 8);
  return at(c, WM) > 0 ? at(c, BM) / at(c, WM) * 16LL * (at(c, BN) + 8) : 0;
}

constexpr int kBoxSide = 256;  // the most rows or columns of a TMA box

// Columns of one wgmma. The hardware takes all multiples of 8 up to 256; kernels/device/hopper.cuh
// has functions for these.
constexpr std::array kProductColumns = {64, 96, 128, 160, 192, 224, 256};

bool isProductWidth(int columns) {
  return std::ranges::find(kProductColumns, columns) != std::end(kProductColumns);
}

// The assembler allocates for this instruction within the registers that a block starts with: 138
// for 112 accumulators (its message C7602, NVRTC 13.0).
int registersOfProduct(const Candidate& c) {
  return at(c, BN) / 2 + 26;
}

// What a block keeps in shared memory.
std::string sharedParts(const Candidate& c) {
  if (c.derived.barriers == 0) return "the tiles of A and B";
  return c.derived.stagedC > 0 ? "the tiles of A and B, barriers, and staged C"
                               : "the tiles of A and B, and barriers,";
}

int registerCeiling(const Candidate& c) {
  return c.derived.consumerRegisters > 0 ? c.derived.consumerRegisters
                                         : launchedRegisters(c.stage, c.tile);
}

// Each row names every tile parameter that its verdict depends on: the tuner judges a row as soon
// as these are set (kernels/tuning/space.cpp), and a test changes all the others.
const std::vector<Constraint>& table() {
  constexpr std::uint32_t kFill = bits(Trait::ScalarFill) | bits(Trait::WideFill);
  static const std::vector<Constraint> rows = {
      {"range",
       0,
       {kAllParameters.begin(), kAllParameters.end()},
       [](const Candidate& c) { return outOfRange(c) == nullptr; },
       [](const Candidate& c) {
         const ParameterSpec* spec = outOfRange(c);
         return fmt::format("{} = {} is not between {} and {}", name(spec->parameter),
                            at(c, spec->parameter), spec->min, spec->max);
       }},
      {"float4-bk",
       bits(Trait::WideFill),
       {BK},
       [](const Candidate& c) { return at(c, BK) % 4 == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "BK = {} is not a multiple of 4, so a row of the tile of A is not whole "
             "float4 loads",
             at(c, BK));
       }},
      {"float4-bn",
       bits(Trait::WideFill),
       {BN},
       [](const Candidate& c) { return at(c, BN) % 4 == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "BN = {} is not a multiple of 4, so a row of the tile of B is not whole "
             "float4 loads",
             at(c, BN));
       }},
      {"float4-tn",
       bits(Trait::WideFill),
       {TN},
       [](const Candidate& c) { return at(c, TN) % 4 == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "TN = {} is not a multiple of 4, so a thread's row of C is not whole "
             "float4 stores",
             at(c, TN));
       }},
      {"mma-shape",
       bits(Trait::TensorCore),
       {WM, WN, BK},
       [](const Candidate& c) { return !noMmaShape(c); },
       [](const Candidate& c) {
         const Parameter parameter = *noMmaShape(c);
         return fmt::format(
             "{} = {} is not a multiple of 16: {}", name(parameter), at(c, parameter),
             parameter == WM   ? "mma.sync multiplies 16 rows of A"
             : parameter == WN ? "mma.sync multiplies 8 columns of B, and these rungs load 2 x 8 "
                                 "with one ldmatrix"
                               : "these rungs multiply 16 elements of K at a time, by "
                                 "mma.m16n8k16");
       }},
      {"wgmma-depth",
       bits(Trait::Warpgroups),
       {BK},
       [](const Candidate& c) { return at(c, BK) % 16 == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "BK = {} is not a multiple of 16, and wgmma multiplies 16 elements of K at a time "
             "with 16-bit numbers",
             at(c, BK));
       }},
      {"wgmma-rows",
       bits(Trait::Warpgroups),
       {BM, CONSUMERS},
       [](const Candidate& c) {
         const int each = 64 * at(c, CONSUMERS);
         return at(c, BM) == each || at(c, BM) == 2 * each;
       },
       [](const Candidate& c) {
         return fmt::format(
             "wgmma multiplies 64 rows, and in these rungs each of CONSUMERS = {} warpgroups does "
             "so once or twice: BM must be {} or {}, not {}",
             at(c, CONSUMERS), 64 * at(c, CONSUMERS), 128 * at(c, CONSUMERS), at(c, BM));
       }},
      {"wgmma-columns",
       bits(Trait::Warpgroups),
       {BN},
       [](const Candidate& c) { return isProductWidth(at(c, BN)); },
       [](const Candidate& c) {
         return fmt::format(
             "{}, and these rungs offer BN = {}",
             at(c, BN) % 8 == 0
                 ? fmt::format("wgmma could multiply {} columns, like every multiple of 8 up to {}",
                               at(c, BN), kProductColumns.back())
                 : fmt::format("BN = {} is not a multiple of 8, as wgmma requires", at(c, BN)),
             fmt::join(kProductColumns, ", "));
       }},
      {"box",
       bits(Trait::CopyEngine),
       {BM},
       [](const Candidate& c) { return at(c, BM) <= kBoxSide; },
       [](const Candidate& c) {
         return fmt::format("a box of A has BM = {} rows, and a TMA box has at most {}", at(c, BM),
                            kBoxSide);
       }},
      {"warp-rows",
       Trait::WarpTile | Trait::TensorCore,
       {BM, WM},
       [](const Candidate& c) { return divides(at(c, WM), at(c, BM)); },
       [](const Candidate& c) {
         return uneven(c, WM, BM, "warp tiles cannot cover the block tile");
       }},
      {"warp-columns",
       Trait::WarpTile | Trait::TensorCore,
       {BN, WN},
       [](const Candidate& c) { return divides(at(c, WN), at(c, BN)); },
       [](const Candidate& c) {
         return uneven(c, WN, BN, "warp tiles cannot cover the block tile");
       }},
      {"subtiles-across",
       bits(Trait::WarpTile),
       {WN, WNITER},
       [](const Candidate& c) { return divides(at(c, WNITER), at(c, WN)); },
       [](const Candidate& c) {
         return uneven(c, WNITER, WN, "subtiles cannot cover the warp tile");
       }},
      {"wmiter",
       bits(Trait::WarpTile),
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
       bits(Trait::WarpTile),
       {WM, WN, WNITER, TM, TN},
       [](const Candidate& c) { return divides(c.derived.wmiter, at(c, WM)); },
       [](const Candidate& c) {
         return fmt::format("WM = {} rows cannot be split into WMITER = {} equal subtiles",
                            at(c, WM), c.derived.wmiter);
       }},
      {"subtile-rows",
       bits(Trait::WarpTile),
       {WM, WN, WNITER, TM, TN},
       [](const Candidate& c) { return divides(at(c, TM), c.derived.wsubm); },
       [](const Candidate& c) {
         return fmt::format(
             "a subtile of WM / WMITER = {} rows is not a multiple of TM = {} rows: threads would "
             "write into another thread's tile",
             c.derived.wsubm, at(c, TM));
       }},
      {"subtile-columns",
       bits(Trait::WarpTile),
       {WM, WN, WNITER, TM, TN},
       [](const Candidate& c) { return divides(at(c, TN), c.derived.wsubn); },
       [](const Candidate& c) {
         return fmt::format(
             "a subtile of WN / WNITER = {} columns is not a multiple of TN = {} columns: threads "
             "would write into another thread's tile",
             c.derived.wsubn, at(c, TN));
       }},
      {"thread-rows",
       bits(Trait::ThreadTile) | bits(Trait::ThreadColumn),
       {BM, TM},
       [](const Candidate& c) { return divides(at(c, TM), at(c, BM)); },
       [](const Candidate& c) {
         return uneven(c, TM, BM, "thread tiles cannot cover the block tile");
       }},
      {"thread-columns",
       bits(Trait::ThreadTile),
       {BN, TN},
       [](const Candidate& c) { return divides(at(c, TN), at(c, BN)); },
       [](const Candidate& c) {
         return uneven(c, TN, BN, "thread tiles cannot cover the block tile");
       }},
      {"threads",
       0,
       {BLOCKSIZE, BM, BN, WM, WN, CONSUMERS, TM, TN},
       [](const Candidate& c) {
         return c.derived.threads >= 1 && c.derived.threads <= Architecture::kThreadsPerBlock;
       },
       [](const Candidate& c) {
         return fmt::format("the tile needs {} threads per block, and a block may have 1 to {}",
                            n(c.derived.threads), n(Architecture::kThreadsPerBlock));
       }},
      {"one-float4-a",
       bits(Trait::OneWideLoad),
       {BM, BN, BK, TM, TN},
       [](const Candidate& c) { return 1LL * at(c, BM) * at(c, BK) == floatsPerPass(c); },
       [](const Candidate& c) {
         return fmt::format(
             "BM·BK = {} floats are not exactly one float4 for each of {} threads ({}); the "
             "autotuned rung loads several",
             n(1LL * at(c, BM) * at(c, BK)), n(c.derived.threads), n(floatsPerPass(c)));
       }},
      {"one-float4-b",
       bits(Trait::OneWideLoad),
       {BM, BN, BK, TM, TN},
       [](const Candidate& c) { return 1LL * at(c, BN) * at(c, BK) == floatsPerPass(c); },
       [](const Candidate& c) {
         return fmt::format(
             "BK·BN = {} floats are not exactly one float4 for each of {} threads ({}); the "
             "autotuned rung loads several",
             n(1LL * at(c, BN) * at(c, BK)), n(c.derived.threads), n(floatsPerPass(c)));
       }},
      {"fill-a",
       kFill,
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) {
         return divides(1LL * c.derived.loadWidthA / 4 * c.derived.threads,
                        1LL * at(c, BM) * at(c, BK));
       },
       [](const Candidate& c) { return unevenFill(c, BM, BK, c.derived.loadWidthA); }},
      {"fill-b",
       kFill,
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) { return divides(floatsPerPass(c), 1LL * at(c, BK) * at(c, BN)); },
       [](const Candidate& c) { return unevenFill(c, BK, BN, c.derived.loadWidthB); }},
      {"chunks-a",
       bits(Trait::TensorCore),
       {BM, BN, BK, WM, WN},
       [](const Candidate& c) {
         return c.stage.is(Trait::CopyEngine) ||
                divides(8LL * c.derived.threads, 1LL * at(c, BM) * at(c, BK));
       },
       [](const Candidate& c) { return unevenChunks(c, BM, BK); }},
      {"chunks-b",
       bits(Trait::TensorCore),
       {BM, BN, BK, WM, WN},
       [](const Candidate& c) {
         return c.stage.is(Trait::CopyEngine) ||
                divides(8LL * c.derived.threads, 1LL * at(c, BK) * at(c, BN));
       },
       [](const Candidate& c) { return unevenChunks(c, BK, BN); }},
      {"swizzle",
       bits(Trait::Panels),
       {SWIZZLE},
       [](const Candidate& c) {
         const int bytes = at(c, SWIZZLE);
         return bytes == 0 || bytes == 32 || bytes == 64 || bytes == 128;
       },
       [](const Candidate& c) {
         return fmt::format(
             "SWIZZLE = {} is not one of {}", at(c, SWIZZLE),
             c.stage.is(Trait::CopyEngine)
                 ? "32, 64 and 128 bytes, the swizzle widths of a tensor map"
                 : "0 (whole rows), 32, 64 and 128 bytes, the panel widths of these rungs");
       }},
      {"swizzle-row-a",
       bits(Trait::Panels),
       {SWIZZLE, BK},
       [](const Candidate& c) {
         return at(c, SWIZZLE) == 0 || divides(at(c, SWIZZLE), 2LL * at(c, BK));
       },
       [](const Candidate& c) {
         return fmt::format(
             "a row of the tile of A has BK·2 = {} bytes, not a multiple of SWIZZLE = {}",
             2 * at(c, BK), at(c, SWIZZLE));
       }},
      {"swizzle-row-b",
       bits(Trait::Panels),
       {SWIZZLE, BN},
       [](const Candidate& c) {
         return at(c, SWIZZLE) == 0 || divides(at(c, SWIZZLE), 2LL * at(c, BN));
       },
       [](const Candidate& c) {
         return fmt::format(
             "a row of the tile of B has BN·2 = {} bytes, not a multiple of SWIZZLE = {}",
             2 * at(c, BN), at(c, SWIZZLE));
       }},
      {"steps-ahead",
       bits(Trait::PanelRing),
       {BK},
       [](const Candidate& c) { return at(c, BK) % 32 == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "BK = {} is not a multiple of 32, and fragments are double-buffered, each set for 16 "
             "elements of K",
             at(c, BK));
       }},
      {"passes-a",
       bits(Trait::PanelRing),
       {BM, BN, WM, WN, SWIZZLE},
       [](const Candidate& c) { return evenPasses(c, at(c, BM)); },
       [](const Candidate& c) { return unevenPasses(c, BM, "the tile of A"); }},
      {"passes-b",
       bits(Trait::PanelRing),
       {BM, BN, BK, WM, WN, SWIZZLE},
       [](const Candidate& c) { return evenPasses(c, at(c, BK)); },
       [](const Candidate& c) { return unevenPasses(c, BK, "the tile of B"); }},
      {"staged-c",
       Trait::PanelRing | Trait::BoxRing,
       {BM, BN, BK, WM, STAGES, CONSUMERS},
       [](const Candidate& c) {
         return c.stage.is(Trait::Persistent) ||
                stagedElements(c) <= 1LL * at(c, STAGES) * at(c, BK) * at(c, BN);
       },
       [](const Candidate& c) {
         return fmt::format(
             "C is staged in the tiles of B, {} at a time: {} elements, and only STAGES·BK·BN = {} "
             "fit there",
             c.stage.is(Trait::Warpgroups) ? "64 rows of each warpgroup"
                                           : "16 rows of each warp tile",
             n(stagedElements(c)), n(1LL * at(c, STAGES) * at(c, BK) * at(c, BN)));
       }},
      {"rows-a",
       kFill,
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) {
         return c.stage.is(Trait::RunFill) || divides(at(c, BK), floatsPerPass(c));
       },
       [](const Candidate& c) { return brokenRows(c, BK, "A"); }},
      {"rows-b",
       kFill,
       {BM, BN, BK, WM, WN, TM, TN},
       [](const Candidate& c) { return divides(at(c, BN), floatsPerPass(c)); },
       [](const Candidate& c) { return brokenRows(c, BN, "B"); }},
      {"runs-a",
       bits(Trait::StagedA),
       {BM, BK, BN, WM, WN},
       [](const Candidate& c) {
         return divides(runs(c), at(c, BM)) || divides(at(c, BM), runs(c));
       },
       [](const Candidate& c) {
         return fmt::format(
             "one pass of {} threads loads from {} rows of A, and neither that nor BM = {} is a "
             "multiple of the other",
             n(c.derived.threads), runs(c), at(c, BM));
       }},
      {"pad",
       bits(Trait::RunFill),
       {PAD, TM},
       [](const Candidate& c) { return at(c, PAD) % runWidth(c) == 0; },
       [](const Candidate& c) {
         return fmt::format(
             "PAD = {} words misalign the rows of As by {} bytes, and with TM = {} they are loaded "
             "{} bytes at a time",
             at(c, PAD), at(c, PAD) % runWidth(c) * 4, at(c, TM), runWidth(c) * 4);
       }},
      {"shared-memory",
       bits(Trait::SharedTiles),
       {BM, BN, BK, BLOCKSIZE, STAGES, PAD, CONSUMERS, SWIZZLE},
       [](const Candidate& c) { return c.derived.sharedBytes <= c.arch.sharedPerBlock; },
       [](const Candidate& c) {
         return fmt::format("{} take {} bytes of shared memory, and a block on {} may have {}",
                            sharedParts(c), n(c.derived.sharedBytes), c.arch.name,
                            n(c.arch.sharedPerBlock));
       }},
      {"accumulators",
       bits(Trait::Warpgroups),
       {BM, BN, CONSUMERS},
       [](const Candidate& c) { return c.derived.estimatedRegisters <= registerCeiling(c); },
       [](const Candidate& c) {
         std::string reason = fmt::format(
             "{} x {} fp32 accumulators are {} registers for each of {} threads, which need about "
             "{} in all and may have {}",
             at(c, BM), at(c, BN), c.derived.results, 128 * at(c, CONSUMERS),
             c.derived.estimatedRegisters, registerCeiling(c));
         if (at(c, BM) == 256 && at(c, BN) == 256)
           reason +=
               "; the 256 x 256 tile of the literature has fp16 accumulators, two per register";
         return reason;
       }},
      {"product-registers",
       bits(Trait::RegisterPool),
       {BN, CONSUMERS},
       [](const Candidate& c) {
         return registersOfProduct(c) <= launchedRegisters(c.stage, c.tile);
       },
       [](const Candidate& c) {
         return fmt::format(
             "a wgmma of 64 x {} has {} accumulators per thread and needs about {} registers, and "
             "the {} threads of a block start with {} each, before setmaxnreg",
             at(c, BN), at(c, BN) / 2, registersOfProduct(c), n(c.derived.threads),
             launchedRegisters(c.stage, c.tile));
       }},
      {"registers",
       kFill | bits(Trait::TensorCore),
       {TM, TN, WM, WN, WNITER, BM, BN, BK},
       [](const Candidate& c) { return c.derived.estimatedRegisters <= registerCeiling(c); },
       [](const Candidate& c) {
         return fmt::format(
             "{} results and {} fragment values need about {} registers per thread, and with {} "
             "threads per block a thread may have {}",
             c.derived.results, c.derived.fragments, c.derived.estimatedRegisters,
             n(c.derived.threads), registerCeiling(c));
       }},
  };
  return rows;
}

const Constraint* firstBroken(const Candidate& candidate) {
  for (const Constraint& row : table()) {
    if (row.traits != 0 && (row.traits & candidate.stage.traits) == 0) continue;
    if (!row.holds(candidate)) return &row;
  }
  return nullptr;
}

}  // namespace

std::span<const Constraint> constraintTable() {
  return table();
}

std::optional<Violation> firstViolation(const Stage& stage, const TileShape& tile,
                                        const Architecture& arch) {
  const Derived derived = derive(stage, tile);
  const Candidate candidate{stage, tile, derived, arch};
  const Constraint* row = firstBroken(candidate);
  return row != nullptr ? std::optional(Violation{row, row->reason(candidate)}) : std::nullopt;
}

bool isLegal(const Stage& stage, const TileShape& tile, const Architecture& arch) {
  const Derived derived = derive(stage, tile);
  return firstBroken({stage, tile, derived, arch}) == nullptr;
}

}  // namespace tileloom
