// SPDX-License-Identifier: GPL-3.0-or-later
// The user's choices for the experiment on a shared array.
#pragma once

#include <string>

#include "kernels/analysis/memory/array_layout.h"

namespace tileloom {

struct LayoutChoice {
  std::string array;  // its name; empty: that of the present access
  analysis::ArrayLayout layout = analysis::ArrayLayout::padded(4);
  bool operator==(const LayoutChoice&) const = default;
};

}  // namespace tileloom
