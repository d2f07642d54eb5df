// SPDX-License-Identifier: GPL-3.0-or-later
// What the page Access pattern shows: the fields as they were typed. A session keeps it.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "kernels/own/access_request.h"

namespace tileloom {

struct PatternChoice {
  std::string text = "lane -> lane % 8 * 32 + lane / 8";
  own::PatternKind kind = own::PatternKind::Load;
  own::PatternMemory memory = own::PatternMemory::Shared;
  std::uint32_t bytes = 4;    // per lane; ldmatrix always has 16
  std::uint32_t element = 0;  // bytes; 0: the usual ones
  std::string padding = {};   // "32,1"; empty: none
  std::string swizzle = {};   // "Swizzle<3,3,3>"; empty: none
  own::SwizzleUnit unit = own::SwizzleUnit::Element;
  std::uint32_t warp = 0, step = 0;  // of the access that is shown

  bool operator==(const PatternChoice&) const = default;
};

// The error is one sentence without a full stop.
tl::expected<own::PatternRequest, std::string> requestOf(const PatternChoice& choice);

}  // namespace tileloom
