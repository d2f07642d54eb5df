// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tab_folding.h"

namespace tileloom {
namespace {

using enum TabGroupState;

// Into what `before` pixels leave, each group that still fits takes the better state.
template <class Width>
void improve(TabFolding& folding, std::span<const std::size_t> others, int before, int room,
             TabGroupState better, Width width) {
  for (const std::size_t group : others) {
    const int with = before + width(group);
    if (with > room) continue;
    folding.groups[group] = better;
    before = with;
  }
}

}  // namespace

TabFolding foldTabs(std::span<const TabGroupWidths> groups, std::span<const std::size_t> recent,
                    const TabRoom& room) {
  TabFolding folding{std::vector(groups.size(), Folded)};
  if (recent.empty()) return folding;
  const std::size_t front = recent.front();
  const auto others = recent.subspan(1);
  folding.groups[front] = Open;
  int used = groups[front].open;
  for (const std::size_t group : others) used += room.gap + groups[group].folded;
  if (used <= room.all) {
    improve(folding, others, used, room.all, Open,
            [groups](std::size_t g) { return groups[g].open - groups[g].folded; });
    return folding;
  }
  for (const std::size_t group : others) folding.groups[group] = Pooled;
  used = groups[front].open + room.gap + room.pooled;
  if (others.empty() || used > room.all) {
    folding.groups[front] = Pooled;
    folding.single = true;
    return folding;
  }
  improve(folding, others, used, room.all, Folded,
          [groups, &room](std::size_t g) { return room.gap + groups[g].folded; });
  return folding;
}

}  // namespace tileloom
