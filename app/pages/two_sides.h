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

// What is said of each side, in a line of its own.
QString ofBoth(const QString& baseline, const QString& now);

// What Page::heightWanted() is where two stand one above the other, in pixels; otherwise 0.
int heightOfTwo(const SideBySide& pair);

// What a picture of such a page needs of it: the present side alone, or both under their names.
struct SidesPicture {
  // Of one side, below its name. What it paints beyond its canvas is cut off.
  std::function<void(QPainter&, bool baseline, const QRectF& canvas)> paint;
  int letters = 0;      // see SideBySide::standAboveBelow()
  bool moments = true;  // what is painted depends on the step that each side is at
  // The height below which a side of this width would lose something; none: any height does.
  std::function<double(bool baseline, double width)> leastHeight = nullptr;
  bool lowAlone = false;  // the present side alone may be lower: then it shows less
};
void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const SidesPicture& picture);
// What the picture needs at this width, names included. Of a picture that is lower, each side gets
// its share.
double leastHeightOfSides(double width, const QFont& font, const PageContext& context,
                          const SidesPicture& picture);

// Of sides that need so many letters of width and lines of height; what they paint is to be added.
SidesPicture sidesOf(const QFont& font, int letters, int lines);

}  // namespace tileloom
