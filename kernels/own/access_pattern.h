// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of accesses that are given by a formula instead of a kernel: which address each lane of
// a warp has, and what the banks of shared memory or the sectors of global memory make of it.
//
//   const auto pattern = accessPattern({.text = "lane -> lane * 32"});
//   pattern->accesses[0].cost.wavefronts()   // 32
//
// Addresses: the text gives an index in elements (lane_indices.h). Padding inserts `pad` elements
// after each `row` of them; then a swizzle changes bits of the index, counted in its unit. The
// result times the bytes of an element is the lane's address. Counts are those of the analyses
// (kernels/analysis/memory/access_cost.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/own/access_request.h"
#include "kernels/own/lane_indices.h"

namespace tileloom::own {

// One instruction of a warp.
struct PatternAccess {
  std::uint32_t warp = 0, step = 0;
  std::uint32_t mask = 0;                  // of active lanes
  std::array<std::int64_t, 32> index{};    // as the text gives it
  std::array<std::int64_t, 32> address{};  // in bytes
  std::array<std::int64_t, 32> source{};   // cp.async: in global memory, in bytes
  std::int64_t origin = 0;                 // byte at which the words of `cost` begin to count
  std::int64_t sourceOrigin = 0;           // the same of cost.copied
  analysis::AccessCost cost;               // ldmatrix, cp.async, shared: with shared; else global

  // A copy whose lanes share sectors may need fewer than the banks would.
  std::uint32_t ideal() const {
    return cost.copy.wavefronts > 0 ? std::min(cost.shared.ideal, cost.copy.wavefronts)
                                    : cost.shared.ideal;
  }
  // Wavefronts beyond the ideal number.
  std::uint32_t extra() const { return cost.wavefronts() - ideal(); }
};

struct PatternSum {
  std::uint64_t requests = 0;  // instructions with an active lane
  std::uint64_t wavefronts = 0, ideal = 0;
  std::uint64_t sectors = 0, idealSectors = 0, lines = 0;
  std::uint64_t usedBytes = 0, fetchedBytes = 0;  // of global memory

  std::uint64_t extra() const { return wavefronts - ideal; }
};

struct AccessPattern {
  PatternRequest request;                    // its element is not 0
  Indices indices;                           // before padding and swizzle
  std::optional<analysis::Swizzle> swizzle;  // in bytes: of the request or of a composition
  std::vector<PatternAccess> accesses;       // by step, then by warp
  PatternSum sum;

  bool shared() const { return request.memory == PatternMemory::Shared; }
};

// The error is one sentence without a full stop: what is wrong, and where.
tl::expected<AccessPattern, std::string> accessPattern(const PatternRequest& request);

// The same pattern with one of its accesses; std::nullopt: it has none of this warp and step.
std::optional<AccessPattern> oneAccess(const AccessPattern& pattern, std::uint32_t warp,
                                       std::uint32_t step);

// The bytes of an element unless they are given: 2 for ldmatrix, 1 for a list of addresses such as
// 0x40, else the bytes of the access.
std::uint32_t usualElement(const PatternRequest& request, const Indices& indices);

// A swizzle of units of `unitBytes` bytes as the equal one of units of `otherBytes`; std::nullopt:
// there is none, because it moves parts of such a unit.
std::optional<analysis::Swizzle> inUnitsOf(const analysis::Swizzle& swizzle,
                                           std::uint32_t unitBytes, std::uint32_t otherBytes);
// Of the unit, in bytes; `element` are those of an element.
std::uint32_t bytesOfUnit(SwizzleUnit unit, std::uint32_t element);

// The wavefronts beyond the ideal number of the same pattern with other padding and another swizzle
// (in bytes), or with none; std::nullopt: a lane would have a misaligned address. Stops counting
// above `enough`.
std::optional<std::uint64_t> extraWavefronts(const AccessPattern& pattern,
                                             const std::optional<PatternPadding>& padding,
                                             const std::optional<analysis::Swizzle>& swizzle,
                                             std::uint64_t enough);

}  // namespace tileloom::own
