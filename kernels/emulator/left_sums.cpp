// SPDX-License-Identifier: GPL-3.0-or-later
// Sums that one block leaves in global memory for another one to add. Blocks are run one after the
// other, those that leave sums first; the checks cover the order within each block: all threads of
// a warpgroup must leave their sums before one of them sets the flag, and one thread must wait for
// the flag before any thread adds the sums; the sums of several blocks one after the other.
#include <fmt/format.h>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"

namespace tileloom::emulator {
namespace {

constexpr std::uint32_t kThreadsPerGroup = kWarpsPerGroup * kWarpSize;

}  // namespace

void Agents::leaveSums(int line) {
  left_.resize(block_.threads());
  left_[thread()] = block_.stamp_;
  if (block_.setup().left == nullptr)
    add(faultOf(FaultKind::OutOfBounds, line,
                "leaves sums for another block, but there is no other block"));
}

void Agents::tell(std::int64_t flag, int line) {
  left_.resize(block_.threads());
  const std::uint32_t first = thread() / kThreadsPerGroup * kThreadsPerGroup;
  for (std::uint32_t t = first; t < first + kThreadsPerGroup && t < block_.threads(); ++t) {
    if (t == thread() || (left_[t] != 0 && clock().knows(left_[t]))) continue;
    add(faultOf(FaultKind::Race, line,
                fmt::format("sets the flag of its warpgroup's sums, but the sums of thread {} are "
                            "not ordered before it",
                            t)));
    break;
  }
  LeftSums* const left = block_.setup().left;
  if (left == nullptr) return;
  if (left->told.contains(flag)) {
    add(faultOf(FaultKind::EarlyArrival, line,
                "sets a flag of sums that is already set: it must be awaited first, or the next "
                "launch may find it set"));
  }
  left->told.insert_or_assign(flag, faultOf(FaultKind::LeftUnderWay, line,
                                            "sets the flag of its sums, but no thread awaits it: "
                                            "the next launch finds the flag set"));
}

void Agents::await(std::int64_t flag, int line) {
  awaited_.resize(block_.warps());
  LeftSums* const left = block_.setup().left;
  if (left == nullptr || left->told.erase(flag) == 0) {
    add(faultOf(FaultKind::Deadlock, line, "waits for sums of another block, which has left none"));
    return;
  }
  endStretch();
  awaited_[thread() / kThreadsPerGroup].push_back(block_.stamp_ - (1u << kThreadBits));
}

void Agents::checkAwaited(int line) {
  awaited_.resize(block_.warps());
  added_.resize(block_.threads());
  const std::vector<std::uint32_t>& awaited = awaited_[thread() / kThreadsPerGroup];
  const std::uint32_t which = added_[thread()]++;
  const std::uint32_t stamp = which < awaited.size() ? awaited[which] : 0;
  if (stamp != 0 && clock().knows(stamp)) return;
  if (stamp != 0 && stamp == reported_) return;
  reported_ = stamp;
  add(faultOf(
      FaultKind::Race, line,
      "adds sums of another block, but no wait of its warpgroup for them is ordered before it"));
}

std::uint32_t Block::countLeft(std::int64_t flag, std::uint32_t parts, int line) {
  LeftSums& left = *setup_.left;
  const std::uint32_t before = left.counts[flag]++;
  if (before + 1 == parts) {
    left.counts.erase(flag);
    left.told.erase(flag);
    return before;
  }
  Fault fault = faultHere(FaultKind::LeftUnderWay);
  fault.line = line;
  fault.detail =
      "leaves its sums, but not all other parts of its tile leave theirs: no block adds them, and "
      "the next launch finds the flag set";
  left.told.insert_or_assign(flag, fault);
  return before;
}

}  // namespace tileloom::emulator
