// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked about a pattern of addresses: its text, and the kind of access.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/analysis/memory/array_layout.h"

namespace tileloom::own {

inline constexpr std::uint32_t kMostPatternWarps = 32;
inline constexpr std::uint32_t kMostPatternSteps = 64;
inline constexpr std::size_t kLongestPattern = 2000;  // characters

enum class PatternKind : std::uint8_t { Load, Store, AsyncCopy, Ldmatrix1, Ldmatrix2, Ldmatrix4 };
// As an option names them: "load", "store", "cp.async", "ldmatrix.x1", …
inline constexpr std::array<std::string_view, 6> kPatternKindNames = {
    "load", "store", "cp.async", "ldmatrix.x1", "ldmatrix.x2", "ldmatrix.x4"};
constexpr bool isLdmatrix(PatternKind kind) {
  return kind >= PatternKind::Ldmatrix1;
}

enum class PatternMemory : std::uint8_t { Shared, Global };
inline constexpr std::array<std::string_view, 2> kPatternMemoryNames = {"shared", "global"};

enum class SwizzleUnit : std::uint8_t { Element, Word, Byte };
inline constexpr std::array<std::string_view, 3> kSwizzleUnitNames = {"elements", "words", "bytes"};

inline constexpr std::int64_t kMostPadding = 1 << 20;  // elements
struct PatternPadding {
  std::int64_t row = 0, pad = 0;  // elements
  bool operator==(const PatternPadding&) const = default;
};
// "32,1"; the error is one sentence.
tl::expected<PatternPadding, std::string> parsePadding(std::string_view text);

struct PatternRequest {
  // As laneIndices() reads it. Of cp.async it is the place in shared memory; "PLACE from SOURCE"
  // also gives the index in global memory. Without it lanes copy consecutive elements of one line.
  std::string text;
  std::uint32_t bytes = 4;    // per lane: 1, 2, 4, 8 or 16; ldmatrix: 16
  std::uint32_t element = 0;  // bytes of an element: 1, 2, 4, 8 or 16; 0: see usualElement()
  PatternKind kind = PatternKind::Load;
  PatternMemory memory = PatternMemory::Shared;  // Global: of loads and stores only
  std::optional<PatternPadding> padding = {};
  std::optional<analysis::Swizzle> swizzle = {};
  SwizzleUnit unit = SwizzleUnit::Element;
  std::uint32_t warps = 0, steps = 0;  // 0: as many as the text needs

  bool operator==(const PatternRequest&) const = default;
};

}  // namespace tileloom::own
