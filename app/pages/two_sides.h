// SPDX-License-Identifier: GPL-3.0-or-later
// A page with one view and the same view of the baseline: pointing at something in either gives the
// explorer a selection of that side.
#pragma once

#include <functional>

#include "app/pages/page.h"

class QPainter;

namespace tileloom {

class CellView;
class SideBySide;

// Owns both views.
SideBySide* makeTwoSides(CellView* baseline, CellView* now, PageContext& context);
// The same for views without cells: the page handles clicks in them.
SideBySide* makeTwoSides(QWidget* baseline, QWidget* now, PageContext& context);

// A line of text for each side.
QString ofBoth(const QString& baseline, const QString& now);

// Page::heightWanted() where one view is above the other, in pixels; otherwise 0.
int heightOfTwo(const SideBySide& pair);

// What a picture of such a page needs: the present side alone, or both under their names.
struct SidesPicture {
  // Paints one side, below its name. What it paints beyond its canvas is cut off.
  std::function<void(QPainter&, bool baseline, const QRectF& canvas)> paint;
  int letters = 0;      // see SideBySide::standAboveBelow()
  bool moments = true;  // the picture depends on the step of each side
  // The height below which a side of this width would lose something; nullptr: any height is
  // enough.
  std::function<double(bool baseline, double width)> leastHeight = nullptr;
  bool lowAlone = false;  // the present side alone may be lower: it shows less then
};
void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const SidesPicture& picture);
// The height that the picture needs at this width, with names. In a lower picture, each side gets
// its share.
double leastHeightOfSides(double width, const QFont& font, const PageContext& context,
                          const SidesPicture& picture);

// For sides of at least this many letters of width and lines of height; the caller adds what they
// paint.
SidesPicture sidesOf(const QFont& font, int letters, int lines);

}  // namespace tileloom
