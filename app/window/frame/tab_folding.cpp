// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/tab_folding.h"

namespace tileloom {

TabFolding foldTabs(const TabRoom& room) {
  TabFolding folding;
  folding.groups = room.groups + room.foldedPage > room.all;
  folding.pages = (folding.groups ? room.foldedGroups : room.groups) + room.pages > room.all;
  return folding;
}

}  // namespace tileloom
