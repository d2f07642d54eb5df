// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/instants.h"

#include <algorithm>

namespace tileloom::timeline {
namespace {

// The spans that Timeline::spanOf() finds, for all instructions at once.
std::vector<const Span*> spansOf(const Lane& lane, std::size_t instructions) {
  std::vector<const Span*> within(instructions), from(instructions);
  for (const Span& span : lane.spans) {
    if (span.first == kNone || span.first >= instructions) continue;
    from[span.first] = &span;
    const std::size_t end =
        std::min<std::size_t>(instructions, std::size_t{span.first} + span.count);
    for (std::size_t i = span.first; i < end; ++i) {
      if (within[i] == nullptr) within[i] = &span;
    }
  }
  const Span* latest = nullptr;
  for (std::size_t i = 0; i < instructions; ++i) {
    if (from[i] != nullptr) latest = from[i];
    if (within[i] == nullptr) within[i] = latest;
  }
  return within;
}

}  // namespace

std::vector<double> instants(const Timeline& timeline, const Program& program, std::uint32_t warp) {
  const auto lane = timeline.laneOfWarp(warp);
  if (!lane) return {};
  const std::size_t count = program.byInstruction.size();
  const auto spans = spansOf(timeline.lanes[*lane], count);
  std::vector<double> at(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t operation = program.operationOf(static_cast<std::uint32_t>(i));
    if (operation == kNone) continue;
    const std::uint32_t first = program.operations[operation].first;
    const Span* span = first < count ? spans[first] : nullptr;
    if (span == nullptr) continue;
    const bool within = span->count > 1 && i >= span->first;
    const double share = within ? std::min(1.0, double(i - span->first) / double(span->count)) : 0;
    at[i] = span->begin + share * (span->end - span->begin);
  }
  return at;
}

}  // namespace tileloom::timeline
