// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/recorded/stamp_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tileloom::timeline {
namespace {

constexpr std::array kWords = {
    StampWord{"__syncthreads", Work::Barrier, On::Warps, Work::Between, false},
    StampWord{"wait", Work::WaitBarrier, On::Phase, Work::Between, false},
    StampWord{"wait_copies", Work::WaitCopies, On::Copies, Work::Between, true},
    StampWord{"wait_products", Work::WaitProducts, On::Products, Work::Between, true},
    StampWord{"expect", Work::Expect, On::Nothing, Work::Between, false},
    StampWord{"commit_copies", Work::CommitCopies, On::Nothing, Work::Copy, false},
    StampWord{"commit_products", Work::CommitProducts, On::Nothing, Work::Product, false},
    StampWord{"arrive", Work::Arrive, On::Nothing, Work::Between, false},
    StampWord{"arrive_at", Work::Arrive, On::Nothing, Work::Between, false},
    StampWord{"meet", Work::Meet, On::Warps, Work::Between, false},
    StampWord{"meet_cluster", Work::Meet, On::Warps, Work::Between, false},
    StampWord{"take_registers", Work::Fence, On::Nothing, Work::Between, false},
    StampWord{"meet_group", Work::Meet, On::Warps, Work::Between, false},
    StampWord{"wait_boxes", Work::WaitBoxes, On::Boxes, Work::Between, false},
    StampWord{"await", Work::Fence, On::Warps, Work::Between, false},
};
static_assert(kWords.size() <= 0xFF, "a timestamp has 8 bits for the number of its word");

}  // namespace

std::span<const StampWord> stampWords() {
  return kWords;
}

const StampWord* stampWord(std::uint32_t number) {
  return number >= 1 && number <= kWords.size() ? &kWords[number - 1] : nullptr;
}

std::optional<std::uint32_t> stampWordNamed(std::string_view name) {
  for (std::uint32_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i].name == name) return i + 1;
  }
  return std::nullopt;
}

std::vector<std::string> stampWordOptions() {
  std::vector<std::string> options;
  for (std::uint32_t i = 0; i < kWords.size(); ++i) {
    const auto sum = std::ranges::find(kSummed, kWords[i].on);
    options.push_back(fmt::format("-DTILELOOM_WORD_{}={}", kWords[i].name, i + 1));
    options.push_back(fmt::format("-DTILELOOM_ON_{}={}", kWords[i].name,
                                  sum == kSummed.end() ? -1 : sum - kSummed.begin()));
  }
  return options;
}

}  // namespace tileloom::timeline
