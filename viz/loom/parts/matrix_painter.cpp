// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/matrix_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/recording.h"
#include "kernels/tile/placement.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/grid_painter.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using analysis::Region;

// Whether words that begin at this point of their base line are in the viewport.
bool inView(const LoomPaint& loom, const QPointF& at, const QString& words) {
  const QFontMetricsF metrics(loom.f.body);
  return loom.frame.viewport.contains(QRectF(
      at.x(), at.y() - metrics.capHeight(), metrics.horizontalAdvance(words), metrics.capHeight()));
}

// Used without room above or below a matrix; draws nothing without room beside it.
void besideMatrix(const LoomPaint& loom, double left, double middle, const QString& words) {
  const QFontMetricsF metrics(loom.f.body);
  const QRectF& view = loom.frame.viewport;
  const double base = std::clamp(middle + metrics.capHeight() / 2,
                                 view.top() + metrics.capHeight() + 1, view.bottom() - 2);
  if (inView(loom, {left, base}, words)) loom.p.drawText(QPointF(left, base), words);
}

void blockGrid(const LoomPaint& loom) {
  const Region& c = loom.recording().map.c;
  const auto& trace = loom.recording().trace;
  const double w = static_cast<double>(c.columns) * loom.g.cell();
  const double h = static_cast<double>(c.rows) * loom.g.cell();
  const QRectF all = loom.g.c(), view = loom.frame.viewport;
  loom.p.setPen(hairline(Theme::faded(loom.t.line, 0.9)));
  const auto lines = [&](double step, double origin, double from, double to, auto draw) {
    if (step < 4.0) return;
    const double first = origin + std::ceil((from - origin) / step) * step;
    for (double at = first; at <= to; at += step) draw(at);
  };
  // Blocks tile C from its corner: the traced one gives their distance, unless it is the first of
  // its row or column.
  const Extent grid = launchOf(*trace.rung(), trace.tile, trace.problem).grid;
  const auto [blockRow, blockColumn] = placeOf(*trace.rung(), trace.tile, grid, trace.block);
  const double stepX =
      blockColumn > 0 ? static_cast<double>(c.column) / blockColumn * loom.g.cell() : w;
  const double stepY = blockRow > 0 ? static_cast<double>(c.row) / blockRow * loom.g.cell() : h;
  lines(stepX, all.left(), std::max(all.left(), view.left()), std::min(all.right(), view.right()),
        [&](double x) { loom.p.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom())); });
  lines(stepY, all.top(), std::max(all.top(), view.top()), std::min(all.bottom(), view.bottom()),
        [&](double y) { loom.p.drawLine(QPointF(all.left(), y), QPointF(all.right(), y)); });
}

}  // namespace

void paintWholeMatrices(const LoomPaint& loom) {
  const double share = 1.0 - loom.g.detail();
  const auto& trace = loom.recording().trace;
  // C stays: it shows the block tile among its neighbours.
  loom.p.fillRect(loom.g.c(), Theme::mix(loom.t.matrix(Matrix::C), loom.t.ground, 0.90));
  paintGrid(loom.p, loom.g, loom.scene, loom.t);
  blockGrid(loom);
  nameWaves(loom.p, loom.g, loom.scene, loom.t, loom.f);
  paintWalk(loom.p, loom.g, loom.scene, loom.t, loom.f);
  loom.p.setPen(hairline(Theme::faded(loom.t.matrix(Matrix::C), 0.6)));
  loom.p.setBrush(Qt::NoBrush);
  loom.p.drawRect(loom.g.c());
  if (share <= 0.01) return;
  for (const Matrix m : {Matrix::A, Matrix::B}) {
    const QRectF whole = m == Matrix::A ? loom.g.a() : loom.g.b();
    loom.p.fillRect(whole, Theme::faded(Theme::mix(loom.t.matrix(m), loom.t.ground, 0.86), share));
    // The strip of this matrix that the block reads.
    const QRectF block = loom.g.block();
    const QRectF strip = m == Matrix::A
                             ? QRectF(whole.left(), block.top(), whole.width(), block.height())
                             : QRectF(block.left(), whole.top(), block.width(), whole.height());
    loom.p.fillRect(strip, Theme::faded(Theme::mix(loom.t.matrix(m), loom.t.ground, 0.66), share));
    loom.p.setPen(hairline(Theme::faded(loom.t.matrix(m), 0.5 * share)));
    loom.p.drawRect(whole);
    const QString size =
        m == Matrix::A ? QStringLiteral("A  %1 × %2").arg(trace.problem.m).arg(trace.problem.k)
                       : QStringLiteral("B  %1 × %2").arg(trace.problem.k).arg(trace.problem.n);
    loom.p.setFont(loom.f.body);
    loom.p.setPen(Theme::faded(loom.t.matrix(m), share));
    const QFontMetricsF metrics(loom.f.body);
    const QPointF above = whole.topLeft() + QPointF(0, -5);
    const double wide = metrics.horizontalAdvance(size);
    // The name of B is above C, to the right of A's place above A.
    if ((m == Matrix::B || above.x() + wide + 4 <= loom.g.b().left()) &&
        inView(loom, above, size)) {
      loom.p.drawText(above, size);
      continue;
    }
    const double middle = whole.center().y();
    const QRectF upright(whole.left() - 5 - metrics.capHeight(), middle - wide / 2,
                         metrics.capHeight(), wide);
    if (m == Matrix::A && loom.frame.viewport.contains(upright)) {
      loom.p.save();
      loom.p.translate(upright.bottomRight());
      loom.p.rotate(-90);
      loom.p.drawText(QPointF(), size);
      loom.p.restore();
      continue;
    }
    besideMatrix(loom, m == Matrix::A ? whole.left() - 6 - wide : whole.right() + 6, middle, size);
  }
}

void nameWholeC(const LoomPaint& loom) {
  const auto& trace = loom.recording().trace;
  loom.p.setFont(loom.f.body);
  loom.p.setPen(loom.t.matrix(Matrix::C));
  const QFontMetricsF body(loom.f.body);
  const QString name = QStringLiteral("C  %1 × %2").arg(trace.problem.m).arg(trace.problem.n);
  const QPointF below(loom.g.c().right() - body.horizontalAdvance(name),
                      loom.g.c().bottom() + body.ascent() + 3);
  if (inView(loom, below, name)) {
    loom.p.drawText(below, name);
  } else {
    besideMatrix(loom, loom.g.c().right() + 6, loom.g.c().center().y(), name);
  }
}

}  // namespace tileloom
