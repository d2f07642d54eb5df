// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/families/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::families {

using enum Parameter;

std::string n(long long count) {
  return grouped(static_cast<std::uint64_t>(std::max(0LL, count)));
}

std::string uneven(const Candidate& c, Parameter part, Parameter whole, std::string_view what) {
  return fmt::format("{} = {} is not a multiple of {} = {}, so {}", name(whole), at(c, whole),
                     name(part), at(c, part), what);
}

int registerCeiling(const Candidate& c) {
  return c.derived.consumerRegisters > 0 ? c.derived.consumerRegisters
                                         : launchedRegisters(c.stage, c.tile);
}

long long roomForC(const Candidate& c) {
  return 1LL * at(c, STAGES) * at(c, BK) * at(c, BN);
}

std::string noRoomForC(const Candidate& c, std::string_view rows, long long elements) {
  return fmt::format(
      "C is staged in the tiles of B, {} at a time: {} elements, and only STAGES·BK·BN = {} fit "
      "there",
      rows, n(elements), n(roomForC(c)));
}

namespace {

constexpr int kBitsOfBoxes = 16;

const ParameterSpec* outOfRange(const Candidate& c) {
  for (const ParameterSpec& spec : c.stage.parameters) {
    if (at(c, spec.parameter) < spec.min || at(c, spec.parameter) > spec.max) return &spec;
  }
  return nullptr;
}

// What a block keeps in shared memory.
std::string sharedParts(const Candidate& c) {
  if (c.derived.barriers == 0) return "the tiles of A and B";
  return c.derived.stagedC > 0 ? "the tiles of A and B, barriers, and staged C"
                               : "the tiles of A and B, and barriers,";
}

const FormatRow& formatOf(const Candidate& c) {
  return rowOf(c.stage.usualFormat());
}

// Whether a row of `row` elements is whole panels of SWIZZLE bytes.
bool wholePanels(const Candidate& c, Parameter row) {
  return at(c, SWIZZLE) == 0 || divides(at(c, SWIZZLE), formatOf(c).bytesOf(at(c, row)));
}

std::string brokenPanels(const Candidate& c, Parameter row, std::string_view matrix) {
  const FormatRow& format = formatOf(c);
  const std::string times =
      format.bits < 8 ? fmt::format("/{}", 8 / format.bits) : fmt::format("·{}", format.bits / 8);
  return fmt::format("a row of the tile of {} has {}{} = {} bytes, not a multiple of SWIZZLE = {}",
                     matrix, name(row), times, format.bytesOf(at(c, row)), at(c, SWIZZLE));
}

// Why the rung cannot be executed in one of its formats; empty: it can in all of them.
std::string wrongFormat(const Stage& stage) {
  for (const Format format : stage.formats) {
    const FormatRow& row = rowOf(format);
    if (std::string why = whyNotMultiplied(row); !why.empty()) return why;
    if (row.bits != kBitsOfBoxes && stage.features().tma) {
      return fmt::format(
          "{} has elements of {} bits, and boxes of TMA and operands of wgmma are of {} bits here",
          row.name, row.bits, kBitsOfBoxes);
    }
  }
  return {};
}

}  // namespace

Constraint formats() {
  return {"formats",
          [](const Stage& stage) { return !wrongFormat(stage).empty(); },
          {kAllParameters.begin(), kAllParameters.end()},
          [](const Candidate&) { return false; },
          [](const Candidate& c) { return wrongFormat(c.stage); }};
}

Constraint range() {
  return {"range",
          nullptr,
          {kAllParameters.begin(), kAllParameters.end()},
          [](const Candidate& c) { return outOfRange(c) == nullptr; },
          [](const Candidate& c) {
            const ParameterSpec* spec = outOfRange(c);
            return fmt::format("{} = {} is not between {} and {}", name(spec->parameter),
                               at(c, spec->parameter), spec->min, spec->max);
          }};
}

Constraint threads() {
  return {"threads",
          nullptr,
          {BLOCKSIZE, BM, BN, WM, WN, CONSUMERS, TM, TN},
          [](const Candidate& c) {
            return c.derived.threads >= 1 && c.derived.threads <= Architecture::kThreadsPerBlock;
          },
          [](const Candidate& c) {
            return fmt::format("the tile needs {} threads per block, and a block may have 1 to {}",
                               n(c.derived.threads), n(Architecture::kThreadsPerBlock));
          }};
}

Constraint warpRows(Applies applies) {
  return {"warp-rows",
          applies,
          {BM, WM},
          [](const Candidate& c) { return divides(at(c, WM), at(c, BM)); },
          [](const Candidate& c) {
            return uneven(c, WM, BM, "warp tiles cannot cover the block tile");
          }};
}

Constraint warpColumns(Applies applies) {
  return {"warp-columns",
          applies,
          {BN, WN},
          [](const Candidate& c) { return divides(at(c, WN), at(c, BN)); },
          [](const Candidate& c) {
            return uneven(c, WN, BN, "warp tiles cannot cover the block tile");
          }};
}

Constraint box() {
  return {"box",
          nullptr,
          {BM},
          [](const Candidate& c) { return at(c, BM) <= kBoxSide; },
          [](const Candidate& c) {
            return fmt::format("a box of A has BM = {} rows, and a TMA box has at most {}",
                               at(c, BM), kBoxSide);
          }};
}

Constraint swizzle(Applies applies) {
  return {"swizzle",
          applies,
          {SWIZZLE},
          [](const Candidate& c) {
            const int bytes = at(c, SWIZZLE);
            return bytes == 0 || bytes == 32 || bytes == 64 || bytes == 128;
          },
          [](const Candidate& c) {
            return fmt::format(
                "SWIZZLE = {} is not one of {}", at(c, SWIZZLE),
                c.stage.features().tma
                    ? "32, 64 and 128 bytes, the swizzle widths of a tensor map"
                    : "0 (whole rows), 32, 64 and 128 bytes, the panel widths of these rungs");
          }};
}

Constraint swizzleRowA(Applies applies) {
  return {"swizzle-row-a",
          applies,
          {SWIZZLE, BK},
          [](const Candidate& c) { return wholePanels(c, BK); },
          [](const Candidate& c) { return brokenPanels(c, BK, "A"); }};
}

Constraint swizzleRowB(Applies applies) {
  return {"swizzle-row-b",
          applies,
          {SWIZZLE, BN},
          [](const Candidate& c) { return wholePanels(c, BN); },
          [](const Candidate& c) { return brokenPanels(c, BN, "B"); }};
}

Constraint sharedMemory(Applies applies) {
  return {"shared-memory",
          applies,
          {BM, BN, BK, BLOCKSIZE, STAGES, PAD, CONSUMERS, SWIZZLE},
          [](const Candidate& c) { return c.derived.sharedBytes <= c.arch.sharedPerBlock; },
          [](const Candidate& c) {
            return fmt::format("{} take {} bytes of shared memory, and a block on {} may have {}",
                               sharedParts(c), n(c.derived.sharedBytes), c.arch.name,
                               n(c.arch.sharedPerBlock));
          }};
}

Constraint registers(Applies applies) {
  return {"registers",
          applies,
          {TM, TN, WM, WN, WNITER, BM, BN, BK},
          [](const Candidate& c) { return c.derived.estimatedRegisters <= registerCeiling(c); },
          [](const Candidate& c) {
            return fmt::format(
                "{} results and {} fragment values need about {} registers per thread, and with {} "
                "threads per block a thread may have {}",
                c.derived.results, c.derived.fragments, c.derived.estimatedRegisters,
                n(c.derived.threads), registerCeiling(c));
          }};
}

}  // namespace tileloom::families
