// SPDX-License-Identifier: GPL-3.0-or-later
// A page of one view and the same view of the baseline: what is pointed at in either goes to the
// explorer as a selection of that side.
#pragma once

#include <functional>

#include "app/pages/page.h"

class QPainter;

namespace tileloom {

class CellView;
class SideBySide;

// Takes both views.
SideBySide* makeTwoSides(CellView* baseline, CellView* now, PageContext& context);
// The same of views that are no cells: what a click in them does is the page's.
SideBySide* makeTwoSides(QWidget* baseline, QWidget* now, PageContext& context);

// What Page::heightWanted() is where two stand one above the other, in pixels; otherwise 0.
int heightOfTwo(const SideBySide& pair);

// The picture of such a page: the present scene alone, or beside the baseline's under the names of
// both.
using PaintScene = std::function<void(QPainter&, const Scene&, const QRectF& canvas)>;
void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const PaintScene& paint);

// The same for pages that paint from more than a scene.
struct SidesPicture {
  // Of one side, below its name.
  std::function<void(QPainter&, bool baseline, const QRectF& canvas)> paint;
  int letters = 0;      // see SideBySide::standAboveBelow()
  bool moments = true;  // what is painted depends on the step that each side is at
};
void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const SidesPicture& picture);

}  // namespace tileloom
