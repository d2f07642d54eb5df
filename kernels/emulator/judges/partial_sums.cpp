// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/partial_sums.h"

#include <fmt/format.h>

namespace tileloom::emulator::judges {
namespace {

constexpr std::uint32_t kThreadsPerGroup = kWarpsPerGroup * kWarpSize;

}  // namespace

void PartialSums::see(const event::SumsLeft& e) {
  left_.resize(context_.subject.threads);
  left_[e.at.thread] = context_.happens.stamp(e.at.thread);
  if (context_.subject.flags == nullptr)
    context_.report(FaultKind::OutOfBounds, e.at,
                    "leaves sums for another block, but there is no other block");
}

void PartialSums::see(const event::FlagSet& e) {
  left_.resize(context_.subject.threads);
  const Clock& now = context_.happens.clock(e.at.thread);
  const std::uint32_t first = e.at.thread / kThreadsPerGroup * kThreadsPerGroup;
  for (std::uint32_t t = first; t < first + kThreadsPerGroup && t < left_.size(); ++t) {
    if (t == e.at.thread || (left_[t] != 0 && now.knows(left_[t]))) continue;
    context_.report(FaultKind::Race, e.at,
                    fmt::format("sets the flag of its warpgroup's sums, but the sums of thread {} "
                                "are not ordered before it",
                                t));
    break;
  }
  std::map<std::int64_t, Fault>* const flags = context_.subject.flags;
  if (flags == nullptr) return;
  if (flags->contains(e.flag)) {
    context_.report(FaultKind::EarlyArrival, e.at,
                    "sets a flag of sums that is already set: it must be awaited first, or the "
                    "next launch may find it set");
  }
  Fault fault = context_.faultOf(FaultKind::LeftUnderWay, e.at);
  fault.detail =
      "sets the flag of its sums, but no thread awaits it: the next launch finds the flag set";
  flags->insert_or_assign(e.flag, std::move(fault));
}

bool PartialSums::allows(const event::FlagAwait& e) {
  std::map<std::int64_t, Fault>* const flags = context_.subject.flags;
  if (flags != nullptr && flags->erase(e.flag) != 0) return true;
  context_.report(FaultKind::Deadlock, e.at,
                  "waits for sums of another block, which has left none");
  return false;
}

void PartialSums::see(const event::FlagAwaited& e) {
  awaited_.resize(context_.warps());
  // The wait has ended a stretch: its own stamp is the one before.
  awaited_[e.at.thread / kThreadsPerGroup].push_back(context_.happens.stamp(e.at.thread) -
                                                     (1u << kThreadBits));
}

void PartialSums::see(const event::SumsAdded& e) {
  awaited_.resize(context_.warps());
  added_.resize(context_.subject.threads);
  const std::vector<std::uint32_t>& awaited = awaited_[e.at.thread / kThreadsPerGroup];
  const std::uint32_t which = added_[e.at.thread]++;
  const std::uint32_t stamp = which < awaited.size() ? awaited[which] : 0;
  if (stamp != 0 && context_.happens.clock(e.at.thread).knows(stamp)) return;
  if (stamp != 0 && stamp == reported_) return;
  reported_ = stamp;
  context_.report(
      FaultKind::Race, e.at,
      "adds sums of another block, but no wait of its warpgroup for them is ordered before it");
}

void PartialSums::see(const event::PartLeft& e) {
  std::map<std::int64_t, Fault>& flags = *context_.subject.flags;
  if (e.before + 1 == e.parts) {
    flags.erase(e.flag);
    return;
  }
  Fault fault = context_.faultOf(FaultKind::LeftUnderWay, e.at);
  fault.detail =
      "leaves its sums, but not all other parts of its tile leave theirs: no block adds them, and "
      "the next launch finds the flag set";
  flags.insert_or_assign(e.flag, std::move(fault));
}

}  // namespace tileloom::emulator::judges
