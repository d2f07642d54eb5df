// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/stalls.h"

#include <algorithm>
#include <functional>

#include "kernels/runs/counters.h"

namespace tileloom::model {
namespace {

using runs::Counter;

struct Reason {
  Counter counter;
  std::string_view name;
  Cost cost;
};

constexpr Reason kReasons[] = {
    {Counter::StalledBarrier, "at a barrier", Cost::Barriers},
    {Counter::StalledLongScoreboard, "for data from L1, L2 or DRAM", Cost::GlobalLatency},
    {Counter::StalledShortScoreboard, "for data from shared memory", Cost::SharedLatency},
    {Counter::StalledMioThrottle, "for the queue of shared memory", Cost::Wavefronts},
    {Counter::StalledLgThrottle, "for the queue of global memory", Cost::Sectors},
    {Counter::StalledMathPipe, "for the pipe of multiply-adds", Cost::MultiplyAdds},
    {Counter::StalledDispatch, "for the dispatcher", Cost::RegisterBanks},
    {Counter::StalledWait, "for a fixed latency", Cost::Dependences},
    {Counter::StalledNoInstruction, "for an instruction", Cost::InstructionFetch},
    {Counter::StalledNotSelected, "while another warp was chosen", Cost::IssueSlots},
    {Counter::StalledSelected, "not at all: an instruction was issued", Cost::MultiplyAdds},
};

}  // namespace

std::vector<Stall> stallsOf(const runs::Counters& counters) {
  std::vector<Stall> stalls;
  double all = 0;
  for (const Reason& reason : kReasons) {
    const auto value = counters[reason.counter];
    if (!value) return {};
    all += *value;
    if (*value > 0) stalls.push_back({reason.counter, reason.name, *value, reason.cost});
  }
  for (Stall& stall : stalls) stall.share /= all;
  std::ranges::stable_sort(stalls, std::greater{}, &Stall::share);
  return stalls;
}

}  // namespace tileloom::model
