// SPDX-License-Identifier: GPL-3.0-or-later
// Which bar of tabs folds to one tab with a menu where there is little room: the tabs of the pages
// first, then those of the groups. The width alone decides, not what was shown before: a tab stands
// at one place as long as the window keeps its width.
#pragma once

namespace tileloom {

// Pixels.
struct TabRoom {
  int all = 0;           // that there are
  int groups = 0;        // all tabs of groups, with the gap that follows them
  int foldedGroups = 0;  // the one tab that stands for them, with that gap
  int pages = 0;         // all tabs of the group in front
  int foldedPage = 0;    // the widest tab that stands for the pages of a group, whichever it is
};

struct TabFolding {
  bool groups = false, pages = false;  // is folded
  bool operator==(const TabFolding&) const = default;
};

TabFolding foldTabs(const TabRoom& room);

}  // namespace tileloom
