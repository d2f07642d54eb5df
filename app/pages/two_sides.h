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

// The picture of such a page: the present scene alone, or beside the baseline's under the names of
// both.
using PaintScene = std::function<void(QPainter&, const Scene&, const QRectF& canvas)>;
void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const PaintScene& paint);

}  // namespace tileloom
