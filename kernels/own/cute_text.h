// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts and swizzles as CuTe writes them: "(8,4):(33,1)", "Swizzle<3,3,3> o 0 o (8,8):(8,1)".
//
// A layout maps index i to a number: the first mode of the shape changes fastest, and each
// coordinate counts with its stride. Nested modes, "((2,4),4):((1,8),32)", and the underscores of
// static numbers, "(_8,_4):(_33,_1)", are read, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/memory/array_layout.h"

namespace tileloom::own {

struct CuteLayout {
  std::vector<std::int64_t> shape, stride;  // flat, the fastest mode first; as long as each other

  std::int64_t size() const;                          // indices, from 0 on
  std::int64_t operator()(std::int64_t index) const;  // of an index below size()
};

// A layout, or the composition of a swizzle, an offset and a layout: swizzle(offset + layout(i)).
struct CuteText {
  std::optional<analysis::Swizzle> swizzle;
  std::int64_t offset = 0;
  CuteLayout layout;
};

// Whether a text is meant as one: it begins with a swizzle, or has a colon and no question mark.
bool looksLikeCute(std::string_view text);

// The error is one sentence without a full stop: what is wrong, and where in the text.
tl::expected<CuteText, std::string> parseCute(std::string_view text);

// "Swizzle<3,3,3>", "Sw<3,3,3>" or "3,3,3": bits, base and shift, in units that the caller knows.
tl::expected<analysis::Swizzle, std::string> parseSwizzle(std::string_view text);

// "Swizzle<3,3,3>"
std::string swizzleText(const analysis::Swizzle& swizzle);

}  // namespace tileloom::own
