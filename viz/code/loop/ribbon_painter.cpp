// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/ribbon_painter.h"

#include <QPainter>

#include "viz/base/widgets/painted_view.h"
#include "viz/code/sass_style.h"

namespace tileloom {
namespace {

// Marks of equal height that touch each other are one rectangle.
void paintMarks(QPainter& painter, const std::vector<RibbonGeometry::Stripe>& all,
                QRectF RibbonGeometry::Stripe::*mark, const QColor& colour) {
  for (std::size_t begin = 0; begin < all.size();) {
    const QRectF first = all[begin].*mark;
    QRectF together = first;
    std::size_t end = begin + 1;
    while (end < all.size() && (all[end].*mark).top() == first.top() &&
           (all[end].*mark).height() == first.height() && !first.isEmpty()) {
      together = together.united(all[end].*mark);
      ++end;
    }
    if (!first.isEmpty()) painter.fillRect(together, colour);
    begin = end;
  }
}

}  // namespace

void paintRibbon(QPainter& painter, const RibbonGeometry& ribbon, const Theme& theme, int cursor) {
  if (ribbon.stripes.empty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  // Runs of one class are one rectangle: without seams, and with small files.
  const auto& all = ribbon.stripes;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].what == all[begin].what &&
           all[end].cell.top() == all[begin].cell.top())
      ++end;
    // A thin gap between loads, so that they can be counted.
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
  paintMarks(painter, all, &RibbonGeometry::Stripe::lostToBanks, theme.trouble);
  paintMarks(painter, all, &RibbonGeometry::Stripe::lostToLoads,
             classColor(theme, sass::Class::Lds));
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
