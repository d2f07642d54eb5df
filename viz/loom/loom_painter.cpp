// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_painter.h"

#include <QFontMetricsF>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/loom/loom_boxes.h"
#include "viz/loom/loom_legend.h"
#include "viz/loom/loom_side.h"
#include "viz/loom/loom_words.h"
#include "viz/loom/panels/group_panel.h"
#include "viz/loom/panels/instruction_painter.h"
#include "viz/loom/panels/instruction_panel.h"
#include "viz/loom/panels/thread_painter.h"
#include "viz/loom/parts/block_painter.h"
#include "viz/loom/parts/letter_painter.h"
#include "viz/loom/parts/link_painter.h"
#include "viz/loom/parts/matrix_painter.h"
#include "viz/loom/parts/slab_painter.h"
#include "viz/loom/parts/subtile_painter.h"
#include "viz/loom/parts/touch_painter.h"
#include "viz/loom/parts/warp_names.h"

namespace tileloom {
namespace {

using analysis::Matrix;

// SVG has no clipping, so what reaches beyond the viewport is covered.
void margins(QPainter& p, const LoomFrame& frame, const Theme& t) {
  const QRectF &all = frame.canvas, &view = frame.viewport;
  p.fillRect(QRectF(all.topLeft(), QPointF(all.right(), view.top())), t.ground);
  p.fillRect(QRectF(QPointF(all.left(), view.bottom()), all.bottomRight()), t.ground);
  p.fillRect(QRectF(all.topLeft(), QPointF(view.left(), all.bottom())), t.ground);
  p.fillRect(QRectF(QPointF(view.right(), all.top()), all.bottomRight()), t.ground);
}

}  // namespace

void paintLoom(QPainter& painter, const LoomFrame& frame, const LoomGeometry& geometry,
               const Scene& scene, const LoomContents& contents, const Theme& theme,
               const Fonts& fonts) {
  const LoomPaint loom{painter, frame, geometry, scene, contents, theme, fonts, laneRoom(fonts)};
  const std::vector<LoomBox> boxes = loomBoxes(scene, *contents.progress, geometry);
  painter.save();
  painter.setClipRect(frame.viewport, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintWholeMatrices(loom);
  paintBlockTile(loom);
  paintTouchesInC(loom);
  // Close up, only one thread's cells of C are left.
  painter.fillRect(frame.viewport, Theme::faded(theme.ground, geometry.nearness()));
  // Where B's slabs cover A's, they also cover its marks.
  for (const Matrix m : {Matrix::A, Matrix::B}) {
    for (int ahead = geometry.slabs() - 1; ahead >= 0; --ahead) paintLoomSlab(loom, m, ahead);
    paintZeros(painter, boxes, m, theme, fonts);
    paintTouches(loom, m);
  }
  paintBoxes(painter, boxes, loom.recording().trace.rank, theme, fonts);
  paintBeams(loom);
  paintSlabsBeyond(loom);
  const std::vector<QRectF> numbered = numberSlabs(loom);
  painter.setRenderHint(QPainter::Antialiasing, true);
  paintGuides(loom);
  const bool nameBeside = paintLetters(loom, numbered);
  paintSizes(loom, nameBeside);
  paintSubtiles(loom);
  nameWarps(loom);
  const ThreadPanel panel =
      loomPanel(scene, geometry, contents, QFontMetricsF(fonts.title).height());
  if (panel.group) {
    paintGroupPanel(painter, panel, scene, contents, geometry, theme, fonts);
  } else if (panel.ofWarp) {
    paintInstructionPanel(painter, panel, scene, contents, theme, fonts);
  } else {
    paintThreadPanel(painter, panel, scene, *contents.progress, theme, fonts);
  }
  if (panel.gathered < 0.5) paintSelection(loom);
  painter.restore();
  margins(painter, frame, theme);
  paintLoomWords(painter, frame, scene, contents, geometry.level(), theme, fonts);
  if (!frame.side.isEmpty())
    paintLoomSide(painter, frame.side, scene, *contents.progress, geometry.slabs(), theme, fonts);
  if (!frame.legend.isEmpty() && geometry.level() != LoomLevel::Grid)
    paintLoomLegendLine(painter, frame.legend, scene, *contents.progress, theme, fonts);
}

}  // namespace tileloom
