// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/ribbon_painter.h"

#include <QPainter>

#include "viz/base/painted_view.h"
#include "viz/code/sass_style.h"

namespace tileloom {

void paintRibbon(QPainter& painter, const RibbonGeometry& ribbon, const Theme& theme, int cursor) {
  if (ribbon.stripes.empty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  // Runs of one class are one rectangle: neighbours leave no seam, and a file stays small.
  const auto& all = ribbon.stripes;
  const auto marks = [](const RibbonGeometry::Stripe& s) { return s.lost.height(); };
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].what == all[begin].what &&
           all[end].cell.top() == all[begin].cell.top())
      ++end;
    // A hair of ground between loads, so that they can be counted.
    const bool product = all[begin].what == sass::Class::Ffma ||
                         all[begin].what == sass::Class::Hmma ||
                         all[begin].what == sass::Class::Hgmma;
    const bool counted = !product && ribbon.stripe >= 3;
    if (counted) {
      for (std::size_t i = begin; i < end; ++i)
        fillStripe(painter, all[i].cell.adjusted(0, 0, -1, 0), all[i].what, theme);
    } else {
      fillStripe(painter, all[begin].cell.united(all[end - 1].cell), all[begin].what, theme);
    }
    begin = end;
  }
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && marks(all[end]) == marks(all[begin]) && marks(all[begin]) > 0 &&
           all[end].cell.top() == all[begin].cell.top())
      ++end;
    if (marks(all[begin]) > 0)
      painter.fillRect(all[begin].lost.united(all[end - 1].lost), theme.trouble);
    begin = end;
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
  for (const RibbonGeometry::Stripe& s : all) {
    if (s.index != cursor) continue;
    painter.setPen(hairline(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(s.cell.adjusted(-2, -2, 2, 2));
  }
  painter.restore();
}

}  // namespace tileloom
