// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/mbarriers.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

constexpr std::uint32_t kCountBits = 20, kByteBits = 21;
constexpr std::uint32_t kCountMask = (1u << kCountBits) - 1, kByteMask = (1u << kByteBits) - 1;
constexpr int kMissingFrom = 1, kBytesFrom = 21, kWantedFrom = 43, kPhaseFrom = 63;
constexpr std::int64_t kMostBytes = (1 << (kByteBits - 1)) - 1;

std::uint32_t addressOf(const Warp& warp, const Operation& o, std::uint32_t lane) {
  const auto& rows = warp.registers.rows;
  return rows[o.base].lane[lane] + rows[o.uniformBase].lane[lane] +
         static_cast<std::uint32_t>(o.offset);
}

// The bytes of the mbarrier; nullptr: the warp has failed.
std::uint8_t* placeOf(Warp& warp, std::uint32_t address) {
  const bool aligned = address % Mbarrier::kBytes == 0;
  std::uint8_t* const place =
      aligned ? warp.around().memory->ofCluster(address, Mbarrier::kBytes) : nullptr;
  if (place == nullptr)
    warp.fail(fmt::format("warp {} uses an mbarrier at {:#x} of shared memory, {}", warp.number(),
                          address,
                          aligned ? "where there is none" : "which is not a multiple of 8"));
  return place;
}

Mbarrier read(const std::uint8_t* place) {
  std::uint64_t word = 0;
  std::memcpy(&word, place, sizeof word);
  return Mbarrier::of(word);
}

void write(std::uint8_t* place, const Mbarrier& barrier) {
  const std::uint64_t word = barrier.word();
  std::memcpy(place, &word, sizeof word);
}

void report(const Warp& warp, BarrierAction action, std::uint32_t address, std::uint32_t phase,
            std::uint32_t arrivals = 0, std::int64_t bytes = 0) {
  if (Observer* const observer = warp.around().observer; observer != nullptr)
    observer->seeBarrier({issueOf(warp), action, address & kPlaceMask, address >> kRankShift,
                          arrivals, bytes, phase});
}

}  // namespace

Mbarrier Mbarrier::of(std::uint64_t word) {
  const auto field = [word](int from, std::uint32_t mask) {
    return static_cast<std::uint32_t>(word >> from) & mask;
  };
  Mbarrier is;
  is.missing = (0u - field(kMissingFrom, kCountMask)) & kCountMask;
  const auto bytes = static_cast<std::int64_t>(field(kBytesFrom, kByteMask));
  is.bytes = bytes > kMostBytes ? bytes - (std::int64_t{1} << kByteBits) : bytes;
  is.wanted = (0u - field(kWantedFrom, kCountMask)) & kCountMask;
  is.phase = field(kPhaseFrom, 1);
  return is;
}

std::uint64_t Mbarrier::word() const {
  return std::uint64_t{(0u - missing) & kCountMask} << kMissingFrom |
         (static_cast<std::uint64_t>(bytes) & kByteMask) << kBytesFrom |
         std::uint64_t{(0u - wanted) & kCountMask} << kWantedFrom |
         std::uint64_t{phase} << kPhaseFrom;
}

std::string Mbarrier::change(std::uint32_t arrivals, std::int64_t more, bool& ended) {
  ended = false;
  if (arrivals > missing)
    return fmt::format("the arrivals ({}) are more than those missing in this phase ({})", arrivals,
                       missing);
  bytes += more;
  if (bytes > kMostBytes || bytes < -kMostBytes)
    return fmt::format("it would expect {} bytes: the maximum is {}", bytes, kMostBytes);
  missing -= arrivals;
  if (missing != 0 || bytes != 0) return {};
  ended = true;
  phase ^= 1;
  missing = wanted;
  return {};
}

bool change(Warp& warp, std::uint32_t address, std::uint32_t arrivals, std::int64_t bytes) {
  std::uint8_t* const place = placeOf(warp, address);
  if (place == nullptr) return false;
  Mbarrier barrier = read(place);
  const std::uint32_t phase = barrier.phase;
  bool ended = false;
  if (const std::string why = barrier.change(arrivals, bytes, ended); !why.empty()) {
    warp.fail(fmt::format("the mbarrier at {:#x} cannot count this: {}", address, why));
    return false;
  }
  write(place, barrier);
  ++*warp.around().changes;
  report(warp, BarrierAction::Arrive, address, phase, arrivals, bytes);
  if (ended) report(warp, BarrierAction::PhaseEnd, address, phase);
  return true;
}

void startBarrier(Warp& warp, const Operation& o) {
  auto& rows = warp.registers.rows;
  const std::uint32_t address = addressOf(warp, o, 0);
  std::uint8_t* const place = placeOf(warp, address);
  if (place == nullptr) return;
  std::uint64_t before = 0;
  std::memcpy(&before, place, sizeof before);
  const Program& program = *warp.around().program;
  const std::uint64_t after = plain(warp.registers, program, o.a).lane[0] |
                              std::uint64_t{plain(warp.registers, program, o.a, true).lane[0]}
                                  << 32;
  std::memcpy(place, &after, sizeof after);
  // Only the lower half is known to come back, and no compiler reads it.
  put(rows[o.result], kAllLanes, [&](auto) { return static_cast<std::uint32_t>(before); });
  ++*warp.around().changes;
  const Mbarrier barrier = Mbarrier::of(after);
  report(warp, BarrierAction::Start, address, barrier.phase, barrier.wanted, barrier.bytes);
}

void arriveAtBarrier(Warp& warp, const Operation& o) {
  auto& rows = warp.registers.rows;
  const Row number = plain(warp.registers, *warp.around().program, o.a);
  for (std::uint32_t rest = warp.lanes(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t address = addressOf(warp, o, lane);
    const std::uint8_t* const place = placeOf(warp, address);
    if (place == nullptr) return;
    // The state is the word before: bit 31 of its upper half is the phase.
    const std::uint64_t state = read(place).word();
    std::uint32_t arrivals = 0;
    std::int64_t bytes = 0;
    switch (static_cast<ArrivalKind>(o.kind)) {
      case kArriveAndExpect:
        arrivals = 1;
        bytes = number.lane[lane];
        break;
      case kArrive:
        arrivals = 1;
        break;
      case kExpectOne:
        bytes = 1;
        break;
      case kExpect:
        bytes = number.lane[lane];
        break;
      case kArriveTimes:
        arrivals = number.lane[lane];
        break;
      case kCopied:
        bytes = -1;
        break;
    }
    if (!change(warp, address, arrivals, bytes)) return;
    rows[o.result].lane[lane] = static_cast<std::uint32_t>(state);
    rows[o.result == kWasteRow ? kWasteRow : o.result + 1].lane[lane] =
        static_cast<std::uint32_t>(state >> 32);
  }
}

void checkPhase(Warp& warp, const Operation& o) {
  const Row named = plain(warp.registers, *warp.around().program, o.a);
  std::uint32_t over = 0, first = 0, phase = 0;
  const std::uint32_t lanes = warp.lanes();
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t address = addressOf(warp, o, lane), parity = named.lane[lane] >> 31;
    const std::uint8_t* const place = placeOf(warp, address);
    if (place == nullptr) return;
    if (read(place).phase != parity) over |= 1u << lane;
    if (rest != lanes) continue;
    first = address;
    phase = parity;
  }
  if (over == 0) {
    if (o.wide && warp.putAside({first, phase})) return;
    warp.standBack();
  } else {
    report(warp, BarrierAction::WaitEnd, first, phase);
  }
  put(warp.registers, o.first, lanes, over);
}

void endBarrier(Warp& warp, const Operation& o) {
  for (std::uint32_t rest = warp.lanes(); rest != 0; rest &= rest - 1) {
    const std::uint32_t address =
        addressOf(warp, o, static_cast<std::uint32_t>(std::countr_zero(rest)));
    const std::uint8_t* const place = placeOf(warp, address);
    if (place == nullptr) return;
    report(warp, BarrierAction::Invalidate, address, read(place).phase);
  }
}

}  // namespace tileloom::executor
