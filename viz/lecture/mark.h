// SPDX-License-Identifier: GPL-3.0-or-later
// What a lecture points at: bound to what the views show, and not to pixels, so that it stays at
// its place while they zoom and scroll.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/analysis/element.h"

namespace tileloom {

// The four areas of the window, by the words of a target.
inline constexpr std::string_view kLadderArea = "ladder", kLoomArea = "loom", kPagesArea = "pages",
                                  kTileArea = "tile";
inline constexpr std::string_view kAreas[] = {kLadderArea, kLoomArea, kPagesArea, kTileArea};

enum class MarkForm : std::uint8_t { Ring, Arrow, Label };

struct MarkTarget {
  enum class Thing : std::uint8_t { Element, Lane, Warp, Block, Bank, Line, Knob, Rung, Area };
  Thing thing = Thing::Block;
  analysis::Element element;  // of Element
  std::uint32_t number = 0;   // of a lane of the watched warp, a warp or a bank
  std::string text;           // in a line of the source; a knob's name; a rung's id; of kAreas
  std::string page;           // "loom", "banks", "source"; empty: a panel beside the loom
  bool operator==(const MarkTarget&) const = default;
};

struct Mark {
  MarkForm form = MarkForm::Ring;
  MarkTarget target;
  std::string text;  // what it says; empty: it only points
  bool operator==(const Mark&) const = default;
};

}  // namespace tileloom
