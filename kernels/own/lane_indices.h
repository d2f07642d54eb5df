// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that the lanes of a warp have by a text:
//
//   lane -> (lane % 8) * 33 + lane / 8     an expression (expression.h) of lane, warp, step and of
//                                          thread, which is 32 * warp + lane
//   (lane, step) -> lane + 32 * step if lane < 16      lanes that are inactive without it
//   (8,4):(33,1)                           a layout of CuTe (cute_text.h), of index `thread`
//   0x100, 0x104, -, 0x10c                 a list; - or _ is an inactive lane; 32 numbers per step
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/memory/array_layout.h"
#include "kernels/own/access_request.h"

namespace tileloom::own {

// The lanes of one instruction.
struct LaneIndices {
  std::uint32_t warp = 0, step = 0;
  std::uint32_t mask = 0;  // of active lanes
  std::array<std::int64_t, 32> values{};
};

struct Indices {
  std::vector<LaneIndices> accesses;  // by step, then by warp
  std::optional<analysis::Swizzle> swizzle =
      {};                  // of a composition; it is not applied to the values
  bool addresses = false;  // a list with numbers of the form 0x…: bytes, not elements
};

// 0 warps or steps: as many as the text needs, which is 1 for an expression. The error is one
// sentence without a full stop.
tl::expected<Indices, std::string> laneIndices(std::string_view text, std::uint32_t warps,
                                               std::uint32_t steps);

}  // namespace tileloom::own
