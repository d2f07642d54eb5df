// SPDX-License-Identifier: GPL-3.0-or-later
// A mark of a lecture: bound to what the views show, not to pixels, so that it stays in place while
// they zoom and scroll.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/analysis/element.h"

namespace tileloom {

// The four areas of the window, as named in a target.
inline constexpr std::string_view kLadderArea = "ladder", kLoomArea = "loom", kPagesArea = "pages",
                                  kTileArea = "tile";
inline constexpr std::string_view kAreas[] = {kLadderArea, kLoomArea, kPagesArea, kTileArea};

enum class MarkForm : std::uint8_t { Ring, Arrow, Label };

struct MarkTarget {
  enum class Thing : std::uint8_t { Element, Lane, Warp, Block, Bank, Line, Parameter, Rung, Area };
  Thing thing = Thing::Block;
  analysis::Element element;  // of Element
  std::uint32_t number = 0;   // of a lane of the watched warp, a warp or a bank
  std::string text;  // in a line of the source; a tile parameter's name; a rung's id; of kAreas
  std::string page;  // "loom", "banks", "source"; empty: a panel beside the loom
  bool operator==(const MarkTarget&) const = default;
};

struct Mark {
  MarkForm form = MarkForm::Ring;
  MarkTarget target;
  std::string text;  // its label; empty: it only points
  bool operator==(const Mark&) const = default;
};

}  // namespace tileloom
