// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/turn_stalls.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "kernels/model/why/stalls.h"
#include "kernels/runs/counters.h"

namespace tileloom::model {
namespace {

using rewrite::WarpState;
using runs::Counter;

struct Pair {
  WarpState state;
  Counter counter;
};
constexpr std::array<Pair, rewrite::kWarpStates> kPairs = {{
    {WarpState::Issues, Counter::StalledSelected},
    {WarpState::Ready, Counter::StalledNotSelected},
    {WarpState::RegisterFile, Counter::StalledDispatch},
    {WarpState::FixedLatency, Counter::StalledWait},
    {WarpState::SharedLoads, Counter::StalledShortScoreboard},
    {WarpState::GlobalLoads, Counter::StalledLongScoreboard},
    {WarpState::Barrier, Counter::StalledBarrier},
    {WarpState::MemoryWay, Counter::StalledMioThrottle},
}};

std::optional<double> predictedShare(const rewrite::TurnTime& time, std::size_t reason) {
  const auto counter = runs::counterOfReason(reason);
  const auto pair = std::ranges::find_if(
      kPairs, [&](const Pair& each) { return counter && each.counter == *counter; });
  if (pair == kPairs.end() || time.cycles == 0) return std::nullopt;
  return time.stateShare(pair->state);
}

}  // namespace

std::vector<TurnStall> turnStalls(const rewrite::TurnFacts& loop,
                                  const runs::StallSamples* samples) {
  std::array<std::uint64_t, runs::kStallReasons> counts{};
  std::uint64_t all = 0;
  if (samples != nullptr) {
    for (const rewrite::Op& op : loop.turn) {
      const runs::SampledInstruction* at = samples->find(op.code.address);
      if (at == nullptr) continue;
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += at->by[i];
      all += at->total();
    }
  }
  constexpr double kLeast = 0.001;
  std::vector<TurnStall> stalls;
  for (std::size_t i = 0; i < runs::kStallReasons; ++i) {
    TurnStall stall{stallName(i), predictedShare(loop.time, i), {}, isWait(i)};
    if (all > 0) stall.sampled = static_cast<double>(counts[i]) / static_cast<double>(all);
    if (std::max(stall.predicted.value_or(0), stall.sampled.value_or(0)) < kLeast) continue;
    stalls.push_back(stall);
  }
  std::ranges::stable_sort(stalls, std::greater{}, [](const TurnStall& stall) {
    return stall.sampled.value_or(stall.predicted.value_or(0));
  });
  return stalls;
}

}  // namespace tileloom::model
