// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tileloom::emulator::judges {
namespace {

constexpr std::uint32_t kAllOfWarp = 0xFFFF'FFFF;

// In the order of Lanes::Word.
constexpr const char* kWordNames[] = {"fence_products", "commit_products", "wait_products",
                                      "keep_registers", "take_registers",  "meet_cluster"};

std::string timesText(std::uint32_t times) {
  return times == 1 ? "once" : fmt::format("{} times", times);
}

}  // namespace

// Whether all lanes have arrived, at one instruction of one site.
bool Lanes::allows(const event::Together& e) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(e.lanes));
  const std::uint32_t firstThread = e.warp * kWarpSize + first;
  const event::Together::Request& model = e.asked[first];
  const auto blame = [&](std::uint32_t lane, const Site& site, std::string detail) {
    Fault fault = context_.faultOf(FaultKind::Disagreement, {e.warp * kWarpSize + lane, site});
    fault.otherThread = static_cast<int>(firstThread);
    fault.detail = std::move(detail);
    context_.report(std::move(fault));
    return false;
  };
  const char* const word = wordFor(model.kind, model.turned);
  if (const std::uint32_t missing = e.lanes ^ kAllOfWarp; missing != 0) {
    return blame(static_cast<std::uint32_t>(std::countr_zero(missing)), model.site,
                 fmt::format("does not reach the {} of line {}, where thread {} is: all 32 lanes "
                             "must execute it together",
                             word, model.site.line, firstThread));
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const event::Together::Request& asked = e.asked[lane];
    if (asked.kind == model.kind && asked.turned == model.turned &&
        asked.site.line == model.site.line && asked.site.address == model.site.address) {
      continue;
    }
    return blame(lane, asked.site,
                 fmt::format("is at the {} of line {}, and thread {} at the {} of line {}: all 32 "
                             "lanes must execute the same one",
                             wordFor(asked.kind, asked.turned), asked.site.line, firstThread, word,
                             model.site.line));
  }
  return true;
}

bool Lanes::allows(const event::Meet& e) {
  if (e.number == 0 || e.number >= event::kNumberedMeetings) {
    context_.report(FaultKind::OutOfBounds, e.at,
                    fmt::format("meets at barrier {}, but a block has barriers 1 to {} for this, "
                                "besides that of __syncthreads()",
                                e.number, event::kNumberedMeetings - 1));
    return false;
  }
  if (e.come == 0) {
    if (e.threads != 0 && e.threads % kWarpSize == 0 && e.threads <= context_.subject.threads)
      return true;
    context_.report(
        FaultKind::Disagreement, e.at,
        fmt::format("meets {} threads at barrier {}: they must be whole warps, and the block has "
                    "{}",
                    e.threads, e.number, context_.warps()));
    return false;
  }
  if (e.wanted != e.threads) {
    context_.report(FaultKind::Disagreement, e.at,
                    fmt::format("meets {} threads at barrier {}, but {} are to meet there by line "
                                "{}",
                                e.threads, e.number, e.wanted, e.first.line));
  }
  return true;
}

void Lanes::see(const event::Product& e) {
  const Requests::OpenProducts& all = context_.requests.open[e.at.warp()];
  const Requests::Open& open = all.list[e.which - all.first];
  const event::Product& model = open.product;
  const std::uint32_t others = open.lanes & ~(1u << e.at.lane());
  if (others == 0) return;
  if (model.number == e.number && model.columns == e.columns && model.a == e.a && model.b == e.b &&
      model.keep == e.keep && model.at.site.line == e.at.site.line &&
      model.at.site.address == e.at.site.address) {
    return;
  }
  context_.report(FaultKind::Disagreement, e.at,
                  fmt::format("issues a different wgmma from lane {} of its warp in line {}: all "
                              "32 lanes must issue the same one",
                              std::countr_zero(others), model.at.site.line));
}

// The four warps of a warpgroup must issue the same wgmma.
void Lanes::see(const event::ProductExecuted& e) {
  if (e.product.factorsA == nullptr) return;
  const std::vector<std::vector<ProductRecord>>& products = context_.requests.products;
  const std::uint32_t warp = e.at.warp();
  const std::size_t number = products[warp].size() - 1;
  const ProductRecord& mine = products[warp][number];
  const std::uint32_t group = warp / kWarpsPerGroup * kWarpsPerGroup;
  for (std::uint32_t other = group; other < group + kWarpsPerGroup && other < products.size();
       ++other) {
    if (other == warp || products[other].size() <= number) continue;
    const ProductRecord& its = products[other][number];
    if (its.line == mine.line && its.columns == mine.columns && packed(its.a) == packed(mine.a) &&
        packed(its.b) == packed(mine.b)) {
      continue;
    }
    context_.report(FaultKind::Disagreement, e.at,
                    fmt::format("issues a different wgmma from warp {} in line {}: the four warps "
                                "of a warpgroup must issue the same one",
                                other, its.line));
    return;
  }
}

void Lanes::count(Word word, const Origin& at) {
  if (threads_.empty()) threads_.resize(context_.subject.threads);
  Executed& executed = threads_[at.thread][word];
  ++executed.times;
  executed.site = at.site;
}

void Lanes::see(const event::BlockEnded&) {
  if (!reportLanes() && !reportWarps()) reportProducts();
}

bool Lanes::reportLanes() {
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    const std::uint32_t first = thread / kWarpSize * kWarpSize;
    for (std::uint32_t word = 0; word < kWords; ++word) {
      const Executed &mine = threads_[thread][word], &its = threads_[first][word];
      if (mine.times == its.times) continue;
      const bool fewer = mine.times < its.times;
      context_.report(
          FaultKind::Disagreement, {fewer ? thread : first, fewer ? its.site : mine.site},
          fmt::format(
              "executes {} {}, and lane {} of its warp {}: all 32 lanes must execute it together",
              kWordNames[word], timesText(std::min(mine.times, its.times)),
              fewer ? 0 : thread - first, timesText(std::max(mine.times, its.times))));
      return true;
    }
  }
  return false;
}

// All warps of a warpgroup set their registers together (PTX ISA, "setmaxnreg").
bool Lanes::reportWarps() {
  for (std::uint32_t warp = 0; warp * kWarpSize < threads_.size(); ++warp) {
    const std::uint32_t first = warp / kWarpsPerGroup * kWarpsPerGroup;
    for (const Word word : {Keep, Take}) {
      const Executed& mine = threads_[warp * kWarpSize][word];
      const Executed& its = threads_[first * kWarpSize][word];
      if (mine.times == its.times) continue;
      const bool fewer = mine.times < its.times;
      context_.report(
          FaultKind::Disagreement,
          {(fewer ? warp : first) * kWarpSize, fewer ? its.site : mine.site},
          fmt::format("and its warp execute {} {}, and warp {} {}: the four warps of a "
                      "warpgroup must execute it together",
                      kWordNames[word], timesText(std::min(mine.times, its.times)),
                      fewer ? first : warp, timesText(std::max(mine.times, its.times))));
      return true;
    }
  }
  return false;
}

void Lanes::reportProducts() {
  const std::vector<std::vector<ProductRecord>>& products = context_.requests.products;
  for (std::uint32_t warp = 0; warp < products.size(); ++warp) {
    const std::uint32_t first = warp / kWarpsPerGroup * kWarpsPerGroup;
    const std::size_t mine = products[warp].size(), its = products[first].size();
    if (mine == its) continue;
    const std::uint32_t more = mine > its ? warp : first;
    const ProductRecord& lacking = products[more][std::min(mine, its)];
    context_.report(FaultKind::Disagreement,
                    {(mine > its ? first : warp) * kWarpSize, {lacking.line}},
                    fmt::format("and its warp do not issue the wgmma that warp {} issues: the four "
                                "warps of a warpgroup must issue it together",
                                more));
    return;
  }
}

}  // namespace tileloom::emulator::judges
