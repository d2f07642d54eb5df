// SPDX-License-Identifier: GPL-3.0-or-later
// Which groups of tabs are open where not all tabs fit.
//
// The group in front is open. The others fold to one tab each, and open in the order in which they
// were last in front, each if it still fits: so a click on a page's tab opens and folds nothing,
// and a window that becomes narrower and wide again looks as before. Where not even the folded ones
// fit beside the group in front, those that were not in front for longest share one tab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tileloom {

enum class TabGroupState : std::uint8_t { Open, Folded, Pooled };

// Pixels of one group.
struct TabGroupWidths {
  int open = 0;    // of all its tabs
  int folded = 0;  // of the one that stands for it
};

struct TabRoom {
  int all = 0;     // pixels that there are
  int gap = 0;     // between two groups
  int pooled = 0;  // of the tab that several groups share
};

struct TabFolding {
  std::vector<TabGroupState> groups;
  // Not even that fits: the tab in front stands for all groups, which are pooled.
  bool single = false;
};

// `recent` has each group once, the one in front first.
TabFolding foldTabs(std::span<const TabGroupWidths> groups, std::span<const std::size_t> recent,
                    const TabRoom& room);

}  // namespace tileloom
