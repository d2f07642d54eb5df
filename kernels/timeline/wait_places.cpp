// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/wait_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "kernels/timeline/recorded/stamp_words.h"

namespace tileloom::timeline {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Trace;
using emulator::WarpInterval;

// Barriers, register reallocation and preparations: a warp that does nothing else has no work.
bool isWork(Kind kind) {
  switch (kind) {
    case Kind::Barrier:
    case Kind::Meet:
    case Kind::ClusterMeet:
    case Kind::BarrierStart:
    case Kind::PublishBarriers:
    case Kind::FenceProducts:
    case Kind::FenceAsync:
    case Kind::KeepRegisters:
    case Kind::TakeRegisters:
      return false;
    default:
      return true;
  }
}

const std::uint32_t* payloadOf(const WarpInterval& view, std::uint32_t i) {
  return view.payload(i, static_cast<std::uint32_t>(std::countr_zero(view.instructions[i].mask)));
}

struct Last {
  Kind kind = Kind::Barrier;
  std::uint16_t line = 0;
};

class Reader {
 public:
  explicit Reader(const Trace& trace) : trace_(trace) {
    for (const emulator::BoxRecord& box : trace.boxes) filled_.insert(nameOf(box.barrier));
  }

  WaitPlaces read() {
    all_.roles = trace_.roles;
    for (std::uint32_t warp = 0; warp < trace_.warps && warp < 32; ++warp) readWarp(warp);
    for (const auto& [line, place] : places_) all_.lines.push_back(place);
    if (all_.multiply == 0) std::swap(all_.multiply, all_.bring);
    findIdleLine();
    return std::move(all_);
  }

 private:
  std::string nameOf(std::uint32_t barrier) const {
    return barrier < trace_.barriers.size() ? trace_.barriers[barrier].name : std::string();
  }

  void readWarp(std::uint32_t warp) {
    const std::uint32_t bit = 1u << warp;
    bool works = false, multiplies = false;
    for (std::uint32_t interval = 0; interval < trace_.intervals(); ++interval) {
      const WarpInterval view = trace_.at(warp, interval);
      for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
        const Instruction& instruction = view.instructions[i];
        if (instruction.mask == 0) continue;
        works |= isWork(instruction.kind);
        multiplies |= emulator::isMultiplyAdd(instruction.kind);
        last_[warp] = Last{instruction.kind, instruction.line};
        WaitPlace& place = places_[instruction.line];
        place.line = instruction.line;
        place.warps |= bit;
        const std::string_view word = emulator::kindRow(instruction.kind).function;
        if (word.empty()) continue;
        // Lanes of one warp wait for each other, but in a time too short to be seen.
        if (instruction.kind == Kind::Meet && payloadOf(view, i)[0] == 0) continue;
        if (const auto number = stampWordNamed(word)) place.on = stampWord(*number)->on;
        if (instruction.kind == Kind::BarrierWait)
          place.fills |= filled_.contains(nameOf(payloadOf(view, i)[0]));
      }
    }
    (multiplies ? all_.multiply : works ? all_.bring : all_.idle) |= bit;
  }

  // Idle warps wait at the line of the last instruction, if it is the same for all warps.
  void findIdleLine() {
    std::optional<std::uint16_t> line;
    for (const auto& [warp, last] : last_) {
      const bool meets = last.kind == Kind::Barrier || last.kind == Kind::ClusterMeet;
      if (!meets || (line && *line != last.line)) return;
      line = last.line;
    }
    if (all_.idle != 0) all_.idleLine = line.value_or(0);
  }

  const Trace& trace_;
  std::set<std::string> filled_;  // barriers to which TMA brings bytes
  std::map<std::uint16_t, WaitPlace> places_;
  std::map<std::uint32_t, Last> last_;  // of each warp
  WaitPlaces all_;
};

}  // namespace

const WaitPlace* WaitPlaces::at(int line) const {
  const auto found = std::ranges::find(lines, line, &WaitPlace::line);
  return found != lines.end() ? &*found : nullptr;
}

std::uint32_t WaitPlaces::workersOf(int line) const {
  const std::uint32_t all = multiply | bring;
  const auto above = std::ranges::upper_bound(lines, line, {}, &WaitPlace::line);
  if (line <= 0 || above == lines.begin()) return all;
  const std::uint32_t its = (above - 1)->warps & all;
  return its != 0 ? its : all;
}

WaitPlaces waitPlaces(const Trace& trace) {
  return Reader(trace).read();
}

std::string_view waitText(const WaitPlace& place) {
  switch (place.on) {
    case On::Products:
      return "for its wgmma";
    case On::Phase:
      return place.fills ? "for a stage to be filled" : "for an empty stage";
    case On::Copies:
      return "for its copies";
    case On::Boxes:
      return "for TMA stores to read C";
    case On::Warps:
      return "for other warps";
    default:
      return {};
  }
}

std::string idleText(const WaitPlaces& places) {
  if (places.idle == 0) return {};
  const int first = std::countr_zero(places.idle), count = std::popcount(places.idle);
  const std::string role = static_cast<std::size_t>(first) < places.roles.size() &&
                                   !places.roles[static_cast<std::size_t>(first)].empty()
                               ? places.roles[static_cast<std::size_t>(first)] + " "
                               : std::string();
  return count == 1 ? fmt::format("{}warp {}", role, first)
                    : fmt::format("{}warps {} to {}", role, first, first + count - 1);
}

}  // namespace tileloom::timeline
