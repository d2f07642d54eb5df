// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which bar of tabs folds to one tab with a menu in a narrow window: first the tabs of the
// pages, then those of the groups. Only the width decides, so a tab keeps its place as long as the
// window keeps its width.
#pragma once

namespace tileloom {

// Pixels.
struct TabRoom {
  int all = 0;           // that there are
  int groups = 0;        // all tabs of groups, with the gap that follows them
  int foldedGroups = 0;  // the one folded tab, with that gap
  int pages = 0;         // all tabs of the group in front
  int foldedPage = 0;    // the widest folded tab of any group
};

struct TabFolding {
  bool groups = false, pages = false;  // is folded
  bool operator==(const TabFolding&) const = default;
};

TabFolding foldTabs(const TabRoom& room);

}  // namespace tileloom
