// SPDX-License-Identifier: GPL-3.0-or-later
// Which padding and which swizzle would remove the bank conflicts of a pattern: found by trying,
// and counted with the same functions as the pattern itself.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/own/access_pattern.h"

namespace tileloom::own {

struct AccessHint {
  // Whether there was something to search for: shared memory with wavefronts beyond the ideal
  // number. Otherwise the rest is empty.
  bool searched = false;
  // The one that adds the least memory, of at most 128 bytes per row; the longest row among equals.
  std::optional<PatternPadding> padding;
  // In bytes: the fewest bits, then the smallest base and shift.
  std::optional<analysis::Swizzle> swizzle;
};

// Padding and swizzle of the request are replaced, not combined.
AccessHint accessHint(const AccessPattern& pattern);

}  // namespace tileloom::own
