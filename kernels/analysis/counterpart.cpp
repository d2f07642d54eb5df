// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counterpart.h"

#include <algorithm>
#include <utility>

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::kNoDot;
using emulator::kNoTile;
using emulator::Trace;

// A stretch of a warp's stream that is one dot index, the fill of one K tile, what follows its dot
// indices, or what stands before or after the loop over K.
struct Section {
  enum class Phase { Before, Loop, After };
  Phase phase = Phase::Before;
  std::uint32_t kTile = kNoTile;
  std::uint16_t dot = kNoDot;
  bool afterDots = false;
  bool operator==(const Section&) const = default;
};

// Walks a stream with what stands where.
template <typename Visit>
void walk(const Trace& trace, std::uint32_t warp, Visit visit) {
  const std::uint32_t length = trace.length(warp);
  auto phase = Section::Phase::Before;
  std::uint32_t index = 0, kTile = kNoTile;
  bool dots = false;  // of this K tile have been seen
  for (std::uint32_t interval = 0; interval < trace.intervals() && index < length; ++interval) {
    for (const Instruction& i : trace.at(warp, interval).instructions) {
      const bool looping = i.kTile != kNoTile;
      if (looping) phase = Section::Phase::Loop;
      if (!looping && phase == Section::Phase::Loop) phase = Section::Phase::After;
      if (std::exchange(kTile, i.kTile) != i.kTile) dots = false;
      dots = dots || i.dot != kNoDot;
      if (!visit(index++, i, Section{phase, i.kTile, i.dot, dots && i.dot == kNoDot})) return;
    }
  }
}

struct Stand {
  Section section;
  Instruction instruction;
  std::uint32_t before = 0;  // accesses alike within the section
};

bool alike(const Trace& a, const Instruction& x, const Trace& b, const Instruction& y) {
  if (x.kind != y.kind) return false;
  return !emulator::isMemory(x.kind) || a.arrays[x.array].name == b.arrays[y.array].name;
}

Stand standOf(const Trace& trace, std::uint32_t warp, std::uint32_t index) {
  const auto at = trace.position(warp, index);
  Stand stand;
  stand.instruction = trace.at(warp, at.interval).instructions[at.instruction];
  Section current;
  walk(trace, warp, [&](std::uint32_t i, const Instruction& instruction, const Section& section) {
    if (!(section == current)) {
      current = section;
      stand.before = 0;
    }
    if (i == index) {
      stand.section = section;
      return false;
    }
    if (alike(trace, instruction, trace, stand.instruction)) ++stand.before;
    return true;
  });
  return stand;
}

// Does anything stand before the loop over K?
bool hasPrologue(const Trace& trace, std::uint32_t warp) {
  bool before = false;
  walk(trace, warp, [&](std::uint32_t, const Instruction&, const Section& section) {
    before = section.phase == Section::Phase::Before;
    return false;
  });
  return before;
}

// The section of `there` that answers to `wanted`.
Section nearest(const Trace& there, std::uint32_t warp, Section wanted) {
  if (wanted.phase != Section::Phase::Loop || there.kTilesTraced == 0) return wanted;
  wanted.kTile = std::min(wanted.kTile, there.kTilesTraced - 1);
  if (wanted.dot == kNoDot) return wanted;
  std::uint16_t last = kNoDot;  // the highest dot index not above the wanted one
  walk(there, warp, [&](std::uint32_t, const Instruction& i, const Section& section) {
    if (section.kTile == wanted.kTile && i.dot != kNoDot && i.dot <= wanted.dot &&
        (last == kNoDot || i.dot > last)) {
      last = i.dot;
    }
    return section.phase != Section::Phase::After && last != wanted.dot;
  });
  wanted.dot = last;
  return wanted;
}

}  // namespace

Counterpart counterpart(const Recording& here, std::uint32_t warp, std::uint32_t index,
                        const Recording& there) {
  const Stand stand = standOf(here.trace, warp, index);
  Counterpart found;
  found.warp = std::min(warp, there.trace.warps - 1);
  const Section section = nearest(there.trace, found.warp, stand.section);
  // What one does before the loop, another does at the beginning of its first K tile.
  const bool inFirstTile =
      section.phase == Section::Phase::Before && !hasPrologue(there.trace, found.warp);
  const auto within = [&](const Section& now) {
    return inFirstTile ? now.kTile == 0 : now == section;
  };
  std::optional<std::uint32_t> first, sameKind, last;
  std::uint32_t count = 0;
  bool past = false;
  walk(there.trace, found.warp,
       [&](std::uint32_t i, const Instruction& instruction, const Section& now) {
         if (!within(now)) {
           past = first.has_value();
           return !past;
         }
         if (!first) first = i;
         if (!sameKind && instruction.kind == stand.instruction.kind) sameKind = i;
         if (alike(there.trace, instruction, here.trace, stand.instruction)) {
           last = i;
           found.same = count == stand.before;
           return count++ != stand.before;
         }
         return true;
       });
  const std::uint32_t end = there.trace.length(found.warp) - 1;
  found.index = last ? *last : sameKind ? *sameKind : first ? *first : end;
  return found;
}

}  // namespace tileloom::analysis
