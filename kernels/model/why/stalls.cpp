// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/stalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "kernels/runs/counters.h"
#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

using runs::Counter;

struct Reason {
  Counter counter;
  std::string_view name;
  Cost cost;
  bool ofHopper = false;  // unknown for other kernels and earlier recordings
};

constexpr Reason kReasons[] = {
    {Counter::StalledBarrier, "at a barrier", Cost::Barriers},
    {Counter::StalledLongScoreboard, "for data from L1, L2 or DRAM", Cost::GlobalLatency},
    {Counter::StalledShortScoreboard, "for data from shared memory", Cost::SharedLatency},
    {Counter::StalledMioThrottle, "for the queue of shared memory", Cost::Wavefronts},
    {Counter::StalledLgThrottle, "for the queue of global memory", Cost::Sectors},
    {Counter::StalledMathPipe, "for the pipe of multiply-adds", Cost::MultiplyAdds},
    {Counter::StalledDispatch, "for the dispatcher", Cost::RegisterBanks},
    {Counter::StalledGmma, "for the other warps of a wgmma", Cost::MultiplyAdds, true},
    {Counter::StalledWait, "for a fixed latency", Cost::Dependences},
    {Counter::StalledNoInstruction, "for an instruction", Cost::InstructionFetch},
    {Counter::StalledNotSelected, "while another warp was chosen", Cost::IssueSlots},
    {Counter::StalledSelected, "not at all: an instruction was issued", Cost::MultiplyAdds},
};

// The reasons under which the hardware counts the warps' time where a cost arises. If a pipe is
// full, warps wait for its queue and, once queued, for their data.
std::vector<Counter> countersFor(Cost cost) {
  switch (cost) {
    case Cost::MultiplyAdds:
      return {Counter::StalledNotSelected, Counter::StalledMathPipe};
    case Cost::IssueSlots:
      return {Counter::StalledNotSelected};
    case Cost::RegisterBanks:
      return {Counter::StalledDispatch};
    case Cost::UnevenWarps:
      return {Counter::StalledNotSelected, Counter::StalledBarrier};
    case Cost::InstructionFetch:
      return {Counter::StalledNoInstruction};
    case Cost::Wavefronts:
    case Cost::BankConflicts:
      return {Counter::StalledMioThrottle, Counter::StalledShortScoreboard};
    case Cost::Sectors:
      return {Counter::StalledLgThrottle, Counter::StalledLongScoreboard};
    case Cost::L2:
    case Cost::Dram:
    case Cost::GlobalLatency:
    case Cost::Spills:
      return {Counter::StalledLongScoreboard};
    case Cost::Dependences:
      return {Counter::StalledWait};
    case Cost::SharedLatency:
      return {Counter::StalledShortScoreboard};
    case Cost::Barriers:
      return {Counter::StalledBarrier};
    case Cost::TailWave:
    case Cost::Padding:
      break;
  }
  return {};
}

}  // namespace

std::vector<std::string_view> countedAs(Cost cost) {
  std::vector<std::string_view> names;
  for (const Counter counter : countersFor(cost))
    names.push_back(std::ranges::find(kReasons, counter, &Reason::counter)->name);
  return names;
}

std::vector<Stall> stallsOf(const runs::Counters& counters) {
  std::vector<Stall> stalls;
  double all = 0;
  for (const Reason& reason : kReasons) {
    const auto value = counters[reason.counter];
    if (!value && reason.ofHopper) continue;
    if (!value) return {};
    all += *value;
    if (*value > 0) stalls.push_back({reason.counter, reason.name, *value, reason.cost});
  }
  for (Stall& stall : stalls) stall.share /= all;
  std::ranges::stable_sort(stalls, std::greater{}, &Stall::share);
  return stalls;
}

std::string_view stallName(std::size_t reason) {
  const auto counter = runs::counterOfReason(reason);
  if (!counter) return "for something else";
  return std::ranges::find(kReasons, *counter, &Reason::counter)->name;
}

bool isWait(Counter reason) {
  return reason != Counter::StalledSelected && reason != Counter::StalledNotSelected;
}

bool isWait(std::size_t reason) {
  const auto counter = runs::counterOfReason(reason);
  return !counter || isWait(*counter);
}

StallShare stallShare(const std::array<std::uint64_t, runs::kStallReasons>& samples,
                      std::uint64_t all) {
  StallShare s;
  if (all == 0) return s;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    s.by[i] = static_cast<double>(samples[i]) / static_cast<double>(all);
    s.share += s.by[i];
    if (!isWait(i)) {
      s.ready += s.by[i];
    } else if (s.by[i] > s.reasonShare) {
      s.reason = i;
      s.reasonShare = s.by[i];
    }
  }
  return s;
}

StallShare stallShareAt(const runs::StallSamples& samples, std::uint32_t address) {
  const runs::SampledInstruction* at = samples.find(address);
  if (at == nullptr) return {};
  std::array<std::uint64_t, runs::kStallReasons> by{};
  std::ranges::copy(at->by, by.begin());
  return stallShare(by, samples.total());
}

int lineOfSample(const sass::Listing& listing, std::size_t index, std::size_t reason) {
  const sass::Instruction& at = listing.instructions[index];
  const auto counter = runs::counterOfReason(reason);
  // After a barrier of the block a warp continues to issue, and is sampled where it stops: at a
  // branch or an access shortly after. Other barriers stop it immediately.
  if (counter == Counter::StalledBarrier && at.base() != "WARPGROUP" &&
      at.base() != "UCGABAR_WAIT") {
    constexpr std::size_t kFar = 64;
    for (std::size_t i = index; i > 0 && index - i < kFar; --i) {
      const sass::Instruction& before = listing.instructions[i - 1];
      if (before.base() == "BRA") break;
      if (before.base() == "BAR" && before.line > 0) return before.line;
    }
  }
  // A warp that waits for a phase is sampled at the branch that repeats the test. That place
  // belongs to the line of the wait; the first test is moved among the instructions after it.
  if (counter == Counter::StalledLongScoreboard && at.base() == "BRA" && at.target) {
    constexpr std::size_t kFar = 3;
    const auto again = listing.at(*at.target);
    for (std::size_t i = again.value_or(listing.instructions.size());
         i < std::min(listing.instructions.size(), again.value_or(0) + kFar); ++i) {
      const sass::Instruction& asks = listing.instructions[i];
      if (asks.opcode.starts_with("SYNCS.PHASECHK") && asks.line > 0) return asks.line;
    }
  }
  return at.line;
}

std::vector<LineStalls> stallsByLine(const runs::StallSamples& samples,
                                     const sass::Listing& listing) {
  struct Sum {
    int instructions = 0;
    std::array<std::uint64_t, runs::kStallReasons> by{};
  };
  std::map<int, Sum> lines;
  for (const runs::SampledInstruction& each : samples.at) {
    const auto index = listing.at(each.address);
    ++lines[index ? listing.instructions[*index].line : 0].instructions;
    for (std::size_t i = 0; i < each.by.size(); ++i)
      lines[index ? lineOfSample(listing, *index, i) : 0].by[i] += each.by[i];
  }
  std::vector<LineStalls> all;
  const std::uint64_t total = samples.total();
  for (const auto& [line, sum] : lines)
    all.push_back({line, sum.instructions, stallShare(sum.by, total)});
  std::ranges::stable_sort(all, std::greater{},
                           [](const LineStalls& each) { return each.stalls.share; });
  return all;
}

std::string stallText(const StallShare& stalls) {
  std::array<std::size_t, runs::kStallReasons> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return stalls.by[i]; });
  constexpr double kWorthSaying = 0.0005;
  std::string text;
  for (const std::size_t reason : order) {
    if (stalls.by[reason] < kWorthSaying) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", percentText(stalls.by[reason]),
                        stallName(reason));
  }
  const std::string all = percentText(stalls.share) + " of the samples";
  return text.empty() ? all : all + ": " + text;
}

}  // namespace tileloom::model
