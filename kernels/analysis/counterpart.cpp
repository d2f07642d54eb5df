// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counterpart.h"

#include <algorithm>
#include <utility>

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::kNoDot;
using emulator::kNoTile;
using emulator::Trace;

// A stretch of a warp's stream: one k, the fill of one K tile, the part after its last k, or the
// part before or after the loop over K.
struct Section {
  enum class Phase { Before, Loop, After };
  Phase phase = Phase::Before;
  std::uint32_t kTile = kNoTile;
  std::uint16_t dot = kNoDot;
  bool afterDots = false;
  bool operator==(const Section&) const = default;
};

// Iterates over a stream and its sections.
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
  std::uint32_t before = 0;  // equal accesses within the section
};

bool sameArray(const Trace& a, const Instruction& x, const Trace& b, const Instruction& y) {
  return a.arrays[x.array].name == b.arrays[y.array].name;
}

bool alike(const Trace& a, const Instruction& x, const Trace& b, const Instruction& y) {
  if (x.kind != y.kind) return false;
  return !emulator::isMemory(x.kind) || sameArray(a, x, b, y);
}

// Another instruction for the same step: ldmatrix for a load of all lanes, an asynchronous copy for
// a store, a tensor core instruction for multiply-adds.
bool answers(const Trace& a, const Instruction& x, const Trace& b, const Instruction& y) {
  if (emulator::isMultiplyAdd(x.kind)) return emulator::isMultiplyAdd(y.kind);
  return emulator::isShared(x.kind) && emulator::isShared(y.kind) &&
         emulator::isStore(x.kind) == emulator::isStore(y.kind) && sameArray(a, x, b, y);
}

bool fetches(Kind kind) {
  return kind == Kind::GlobalLoad || kind == Kind::AsyncCopy || kind == Kind::BoxLoad;
}

// A load, an asynchronous copy and a TMA load bring elements of the same matrix from global memory.
// Shared arrays are named after their matrix: As holds A.
bool fetchSame(const Trace& a, const Instruction& x, const Trace& b, const Instruction& y) {
  return fetches(x.kind) && fetches(y.kind) &&
         a.arrays[x.array].name.substr(0, 1) == b.arrays[y.array].name.substr(0, 1);
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

// Whether there is anything before the loop over K.
bool hasPrologue(const Trace& trace, std::uint32_t warp) {
  bool before = false;
  walk(trace, warp, [&](std::uint32_t, const Instruction&, const Section& section) {
    before = section.phase == Section::Phase::Before;
    return false;
  });
  return before;
}

// Kernels without tiles have arbitrary slabs of K: they meet others at the same k of the matrix.
bool meetAtK(const Trace& here, const Trace& there) {
  return !here.features().sharedTiles || !there.features().sharedTiles;
}

std::uint32_t kOf(const Trace& trace, const Section& section) {
  return section.kTile * trace.stepK + (section.dot == kNoDot ? 0u : section.dot);
}

// The section of `there` that corresponds to `wanted` of `here`.
Section nearest(const Trace& here, const Trace& there, std::uint32_t warp, Section wanted) {
  if (wanted.phase != Section::Phase::Loop || there.kTilesTraced == 0) return wanted;
  if (meetAtK(here, there)) {
    const std::uint32_t k = kOf(here, wanted);
    wanted.kTile = k / there.stepK;
    if (wanted.dot != kNoDot) wanted.dot = static_cast<std::uint16_t>(k % there.stepK);
  }
  wanted.kTile = std::min(wanted.kTile, there.kTilesTraced - 1);
  if (wanted.dot == kNoDot) return wanted;
  std::uint16_t last = kNoDot;  // the highest k not above the wanted one
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

// The candidates of a stretch for the instruction in `stand`, in the order of preference.
struct Candidates {
  std::optional<std::uint32_t> alike, answering, fetching, sameKind, first;
  std::uint32_t last = 0;
  bool same = false;  // `alike` has equally many before it

  std::optional<std::uint32_t> best() const {
    return sameStep() ? step() : sameKind ? sameKind : first;
  }
  // The same step, by any instruction.
  std::optional<std::uint32_t> step() const {
    return alike ? alike : answering ? answering : fetching;
  }
  bool sameStep() const { return step().has_value(); }
};

// `within`: which sections belong to the stretch, which ends at the first that does not.
template <typename Within>
Candidates candidates(const Trace& there, std::uint32_t warp, const Trace& here, const Stand& stand,
                      Within within) {
  Candidates found;
  std::uint32_t ofAlike = 0, ofAnswering = 0, ofFetching = 0;
  walk(there, warp, [&](std::uint32_t i, const Instruction& now, const Section& section) {
    if (!within(section)) return !found.first.has_value();
    if (!found.first) found.first = i;
    found.last = i;
    if (!found.sameKind && now.kind == stand.instruction.kind) found.sameKind = i;
    if (ofAnswering <= stand.before && answers(there, now, here, stand.instruction)) {
      found.answering = i;
      ++ofAnswering;
    }
    if (ofFetching <= stand.before && fetchSame(there, now, here, stand.instruction)) {
      found.fetching = i;
      ++ofFetching;
    }
    if (alike(there, now, here, stand.instruction)) {
      found.alike = i;
      found.same = ofAlike == stand.before;
      return ofAlike++ != stand.before;
    }
    return true;
  });
  return found;
}

// For a warp that does nothing there: the last instruction of its loop before it.
std::uint32_t lastBefore(const Trace& there, std::uint32_t warp, const Section& wanted) {
  if (wanted.phase != Section::Phase::Loop) return there.length(warp) - 1;
  std::optional<std::uint32_t> last;
  walk(there, warp, [&](std::uint32_t i, const Instruction&, const Section& section) {
    if (section.phase == Section::Phase::Loop && section.kTile <= wanted.kTile) last = i;
    return section.phase != Section::Phase::After;
  });
  return last.value_or(there.length(warp) - 1);
}

}  // namespace

Counterpart counterpart(const Recording& here, std::uint32_t warp, std::uint32_t index,
                        const Recording& there, std::optional<std::uint32_t> wantedWarp) {
  const Stand stand = standOf(here.trace, warp, index);
  const Section& section = stand.section;
  Counterpart found;
  found.warp = std::min(wantedWarp.value_or(warp), there.trace.warps - 1);
  const Section answer = nearest(here.trace, there.trace, found.warp, section);
  const bool looping = section.phase == Section::Phase::Loop;
  const auto take = [&](const Candidates& c, bool samePlace) {
    found.index = *c.best();
    found.same = c.same;
    found.sameStep = samePlace && c.sameStep();
    return found;
  };
  const auto among = [&](auto within) {
    return candidates(there.trace, found.warp, here.trace, stand, within);
  };
  // One kernel's prologue is the beginning of another's first K tile.
  const bool inFirstTile =
      section.phase == Section::Phase::Before && !hasPrologue(there.trace, found.warp);
  const Candidates exact =
      among([&](const Section& now) { return inFirstTile ? now.kTile == 0 : now == answer; });
  const bool byK = meetAtK(here.trace, there.trace);
  // One kernel loads between two k what another loads before the first.
  if (looping && !byK && !exact.sameStep() && fetches(stand.instruction.kind)) {
    const Candidates inTile = among([&](const Section& now) {
      return now.phase == Section::Phase::Loop && now.kTile == answer.kTile;
    });
    if (inTile.sameStep()) return take(inTile, answer.kTile == section.kTile);
  }
  if (exact.best()) {
    const bool samePlace = !looping || (byK ? kOf(there.trace, answer) == kOf(here.trace, section)
                                            : answer == section);
    return take(exact, samePlace);
  }
  // A kernel that fills nothing has no such stretch: any part of that K tile.
  const std::uint32_t first = kOf(here.trace, Section{.kTile = section.kTile});
  const std::uint32_t end = first + here.trace.stepK;
  const Candidates wide = among([&](const Section& now) {
    if (!looping || now.phase != Section::Phase::Loop) return false;
    if (!byK) return now.kTile == answer.kTile;
    return kOf(there.trace, now) >= first && kOf(there.trace, now) < end;
  });
  if (wide.best()) {
    take(wide, byK || answer.kTile == section.kTile);
    // The part after the last k corresponds to the end of all of the other's.
    const bool any = wide.alike || wide.answering || wide.sameKind;
    if (section.afterDots && !any) found.index = wide.last;
    return found;
  }
  found.index = lastBefore(there.trace, found.warp, answer);
  return found;
}

}  // namespace tileloom::analysis
