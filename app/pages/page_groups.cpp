// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/page_groups.h"

#include <QCoreApplication>
#include <vector>

namespace tileloom {
namespace {

struct GroupWords {
  const char* title;
  const char* tip;
};

constexpr GroupWords memory_group{
    QT_TRANSLATE_NOOP("tileloom::Page", "Memory"),
    QT_TRANSLATE_NOOP("tileloom::Page",
                      "Where values are in memory and registers, and how accesses reach them")};
constexpr GroupWords time_group{
    QT_TRANSLATE_NOOP("tileloom::Page", "Time"),
    QT_TRANSLATE_NOOP("tileloom::Page",
                      "When each warp does what, and how copies and arithmetic overlap")};
constexpr GroupWords code_group{
    QT_TRANSLATE_NOOP("tileloom::Page", "Code"),
    QT_TRANSLATE_NOOP("tileloom::Page", "The kernel line by line and instruction by instruction")};
constexpr GroupWords tile_group{
    QT_TRANSLATE_NOOP("tileloom::Page", "Tile"),
    QT_TRANSLATE_NOOP("tileloom::Page",
                      "This tile beside others of its kernel, and at other sizes of the problem")};
constexpr GroupWords speed_group{
    QT_TRANSLATE_NOOP("tileloom::Page", "Speed"),
    QT_TRANSLATE_NOOP(
        "tileloom::Page",
        "All kernels beside each other, beside cuBLAS and below the device's limits")};

constexpr GroupWords pictures_group{
    QT_TRANSLATE_NOOP("tileloom::Page", "Pictures"),
    QT_TRANSLATE_NOOP("tileloom::Page",
                      "The hardware and the search as analogies from everyday life, with the "
                      "figures of this tile")};

PageGroup withoutPages(const GroupWords& words) {
  return {QCoreApplication::translate("tileloom::Page", words.title),
          QCoreApplication::translate("tileloom::Page", words.tip),
          {}};
}

std::vector<PageGroup> allGroups() {
  const auto rows = pageRows();
  std::vector<PageGroup> groups;
  std::size_t pages = 0;
  const auto add = [&] {
    ++pages;
    if (groups.empty()) return;  // the loom
    const std::size_t size = groups.back().pages.size() + 1;
    groups.back().pages = rows.subspan(pages - size, size);
  };
#define GROUP(name) groups.push_back(withoutPages(name##_group));
#define PAGE(name) add();
#include "app/session/pages.def"
#undef PAGE
  return groups;
}

}  // namespace

std::span<const PageGroup> pageGroups() {
  static const std::vector<PageGroup> groups = allGroups();
  return groups;
}

}  // namespace tileloom
