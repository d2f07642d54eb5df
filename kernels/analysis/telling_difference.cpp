// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/telling_difference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/telling_access.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;

constexpr double kNotable = 0.02;  // a share, or the logarithm of a factor

double share(std::uint32_t part, std::uint32_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / whole;
}

std::uint32_t beyond(std::uint32_t count, std::uint32_t ideal) {
  return count > ideal ? count - ideal : 0;
}

std::uint32_t tileOf(const emulator::Trace& trace) {
  return std::max(1u, std::min(trace.kTilesTraced, 2u)) - 1;
}

// Calls visit(index, instruction) for the warp's instructions in the shown K tile, or in another
// one.
template <typename Visit>
void inTile(const Recording& recording, std::uint32_t warp, Visit visit,
            std::optional<std::uint32_t> other = std::nullopt) {
  const emulator::Trace& trace = recording.trace;
  const std::uint32_t tile = other.value_or(tileOf(trace));
  std::uint32_t index = 0;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (const Instruction& i : trace.at(warp, interval).instructions) {
      if (i.kTile == tile) visit(index, i);
      ++index;
    }
  }
}

// An array, whether it is written, and its cost for each multiply-add of the warp.
using Way = std::pair<std::string, bool>;
struct Use {
  std::uint32_t first = 0;
  double cost = 0;
};

std::map<Way, Use> usesOf(const Recording& recording, std::uint32_t warp,
                          std::optional<std::uint32_t> tile = std::nullopt) {
  std::map<Way, Use> uses;
  double products = 0;
  const auto count = [&](std::uint32_t index, const Instruction& i) {
    if (i.kind != Kind::Product) products += i.multiplyAdds();
    if (!emulator::isMemory(i.kind)) return;
    const Moment m = recording.moment(warp, index);
    if (m.follower) return;
    Use& use = uses.try_emplace({m.array, emulator::isStore(i.kind)}, Use{index, 0}).first->second;
    use.cost += emulator::isShared(i.kind) ? m.cost.wavefronts() : m.cost.global.sectors;
  };
  inTile(recording, warp, count, tile);
  for (auto& [way, use] : uses) use.cost = products > 0 ? use.cost / products : 0;
  return uses;
}

bool together(const Recording& baseline, const Recording& now, std::uint32_t warp,
              std::uint32_t index) {
  return counterpart(now, warp, index, baseline).sameStep;
}

// The first access to the array whose use differs most, by more than this logarithm of a factor:
// one at which both are in step, if there is one.
std::optional<std::uint32_t> unlikeUse(const Recording& baseline, const Recording& now,
                                       std::uint32_t warp, double least) {
  const auto before = usesOf(baseline, std::min(warp, baseline.trace.warps - 1));
  std::optional<std::pair<Way, Use>> best;
  double most = least;
  for (const auto& used : usesOf(now, warp)) {
    const double cost = used.second.cost;
    const auto there = before.find(used.first);
    if (there == before.end() || cost <= 0 || there->second.cost <= 0) continue;
    const double unlike = std::abs(std::log2(cost / there->second.cost));
    if (unlike <= most) continue;
    most = unlike;
    best = used;
  }
  if (!best) return std::nullopt;
  std::optional<std::uint32_t> first;
  inTile(now, warp, [&](std::uint32_t index, const Instruction& i) {
    const auto& [array, stores] = best->first;
    if (first || !emulator::isMemory(i.kind) || emulator::isStore(i.kind) != stores ||
        now.trace.arrays[i.array].name != array)
      return;
    if (together(baseline, now, warp, index)) first = index;
  });
  return first.value_or(best->second.first);
}

bool isLoadOfShared(Kind kind) {
  return kind == Kind::SharedLoad || kind == Kind::MatrixLoad;
}

// The first instruction that moves or multiplies data in a way that the baseline lacks; a load from
// shared memory before all others.
std::optional<std::uint32_t> newKind(const Recording& baseline, const Recording& now,
                                     std::uint32_t warp) {
  std::set<Kind> known;
  inTile(baseline, std::min(warp, baseline.trace.warps - 1),
         [&](std::uint32_t, const Instruction& i) { known.insert(i.kind); });
  std::optional<std::uint32_t> first, load;
  inTile(now, warp, [&](std::uint32_t index, const Instruction& i) {
    const bool tells =
        emulator::isMemory(i.kind) || i.kind == Kind::BoxLoad || i.kind == Kind::Product;
    if (!tells || known.contains(i.kind)) return;
    if (!first) first = index;
    if (!load && isLoadOfShared(i.kind)) load = index;
  });
  return load ? load : first;
}

// tellingAccess(), or a load for which the baseline has the same step.
std::uint32_t inStep(const Recording& baseline, const Recording& now, std::uint32_t warp) {
  const std::uint32_t telling = tellingAccess(now, warp);
  if (together(baseline, now, warp, telling)) return telling;
  std::optional<std::uint32_t> load;
  inTile(now, warp, [&](std::uint32_t index, const Instruction& i) {
    if (!load && isLoadOfShared(i.kind) && together(baseline, now, warp, index)) load = index;
  });
  return load.value_or(telling);
}

}  // namespace

Waste wasteOf(const AccessCost& cost) {
  const Coalescing& global = cost.global;
  constexpr std::uint32_t kSectorsInLine = 4;
  const std::uint32_t lines = (global.idealSectors() + kSectorsInLine - 1) / kSectorsInLine;
  return {share(cost.conflicts(), cost.wavefronts()),
          share(beyond(global.sectors, global.idealSectors()), global.sectors),
          share(beyond(global.lines, lines), global.lines)};
}

double passesPerProduct(const Recording& recording, std::uint32_t warp, std::uint32_t index) {
  const auto at = recording.trace.position(warp, index);
  const Instruction i = recording.trace.at(warp, at.interval).instructions[at.instruction];
  if (!emulator::isMemory(i.kind)) return 0;
  const auto uses = usesOf(recording, warp, i.kTile);
  const auto use = uses.find({recording.trace.arrays[i.array].name, emulator::isStore(i.kind)});
  return use == uses.end() ? 0 : use->second.cost;
}

std::uint32_t tellingDifference(const Recording& baseline, const Recording& now,
                                std::uint32_t warp) {
  constexpr double kTwice = 0.98;  // the logarithm of a factor of about two
  std::optional<std::uint32_t> best, inLines;
  double most = kNotable, mostLines = kNotable;
  inTile(now, warp, [&](std::uint32_t index, const Instruction& i) {
    if (!emulator::isMemory(i.kind)) return;
    const Moment here = now.moment(warp, index);
    if (here.follower) return;
    const Counterpart met = counterpart(now, warp, index, baseline);
    if (!met.sameStep) return;
    const Moment there = baseline.moment(met.warp, met.index);
    // The waste of a load of global memory is not compared with that of a copy to shared memory.
    if (emulator::isShared(there.instruction.kind) != emulator::isShared(i.kind)) return;
    const Waste x = wasteOf(there.cost), y = wasteOf(here.cost);
    const double unlike =
        std::max(std::abs(x.conflicts - y.conflicts), std::abs(x.sectors - y.sectors));
    const double unlikeLines = std::abs(x.lines - y.lines);
    if (unlike > most) {
      most = unlike;
      best = index;
    }
    if (unlikeLines > mostLines) {
      mostLines = unlikeLines;
      inLines = index;
    }
  });
  if (!best) best = newKind(baseline, now, warp);
  if (!best) best = unlikeUse(baseline, now, warp, kTwice);
  if (!best) best = inLines;
  if (!best) best = unlikeUse(baseline, now, warp, kNotable);
  return best ? *best : inStep(baseline, now, warp);
}

}  // namespace tileloom::analysis
