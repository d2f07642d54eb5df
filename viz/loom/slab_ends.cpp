// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/slab_ends.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>

namespace tileloom {
namespace {

using analysis::Matrix;

constexpr double kFade = 48;  // pixels, or a quarter of the visible part
constexpr double kOver = 2;   // pixels that a slab may reach over the edge

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::SlabEnds)
};

// Fades to the ground towards the end. A gradient of opacity is opaque in Qt's PDF, so vector
// output has stripes instead.
void paintFade(QPainter& p, const QRectF& all, const QPointF& inner, const QPointF& outer,
               const QColor& ground) {
  constexpr double kWholly = 0.8;  // of the way
  const QPaintEngine::Type engine = p.paintEngine()->type();
  if (engine == QPaintEngine::Raster || engine == QPaintEngine::SVG) {
    QLinearGradient gone(inner, outer);
    gone.setColorAt(0, Theme::faded(ground, 0));
    gone.setColorAt(kWholly, ground);
    return p.fillRect(all, gone);
  }
  constexpr int kStripes = 20;
  const bool down = inner.x() == outer.x();
  const bool forward = down ? outer.y() > inner.y() : outer.x() > inner.x();
  const double step = (down ? all.height() : all.width()) / kStripes;
  for (int i = 0; i < kStripes; ++i) {
    const int place = forward ? i : kStripes - 1 - i;
    const QRectF stripe = down ? QRectF(all.left(), all.top() + place * step, all.width(), step)
                               : QRectF(all.left() + place * step, all.top(), step, all.height());
    p.fillRect(stripe, Theme::faded(ground, std::min(1.0, (i + 0.5) / kStripes / kWholly)));
  }
}

}  // namespace

std::vector<SlabEnd> slabEnds(Matrix matrix, const QRectF& slab, const analysis::Region& tile,
                              const QRectF& view) {
  const QRectF seen = slab & view;
  std::vector<SlabEnd> ends;
  if (seen.isEmpty() || tile.empty()) return ends;
  if (matrix == Matrix::A) {
    const double fade = std::min(kFade, seen.height() / 4);
    if (slab.top() < view.top() - kOver)
      ends.push_back({{seen.left(), seen.top(), seen.width(), fade},
                      true,
                      Words::tr("from row %1").arg(tile.row)});
    if (slab.bottom() > view.bottom() + kOver)
      ends.push_back({{seen.left(), seen.bottom() - fade, seen.width(), fade},
                      false,
                      Words::tr("to row %1").arg(tile.row + tile.rows - 1)});
  } else {
    const double fade = std::min(kFade, seen.width() / 4);
    if (slab.left() < view.left() - kOver)
      ends.push_back({{seen.left(), seen.top(), fade, seen.height()},
                      true,
                      Words::tr("from column %1").arg(tile.column)});
    if (slab.right() > view.right() + kOver)
      ends.push_back({{seen.right() - fade, seen.top(), fade, seen.height()},
                      false,
                      Words::tr("to column %1").arg(tile.column + tile.columns - 1)});
  }
  for (SlabEnd& end : ends) end.seen = seen;
  return ends;
}

void paintSlabEnds(QPainter& p, Matrix matrix, const std::vector<SlabEnd>& ends, double reserved,
                   const Theme& theme, const Fonts& fonts) {
  const QFontMetricsF metrics(fonts.small);
  p.setFont(fonts.small);
  for (const SlabEnd& end : ends) {
    const bool down = matrix == Matrix::A;
    const QRectF& r = end.fade;
    // A pixel more, for the frame of the slab.
    const QRectF all = down ? r.adjusted(-2, 0, 2, 0) : r.adjusted(0, -2, 0, 2);
    const QPointF inner = end.first ? (down ? r.bottomLeft() : r.topRight()) : r.topLeft();
    const QPointF outer = end.first ? r.topLeft() : (down ? r.bottomLeft() : r.topRight());
    paintFade(p, all, inner, outer, theme.ground);
    const QString arrow = down ? (end.first ? QStringLiteral("↑") : QStringLiteral("↓"))
                               : (end.first ? QStringLiteral("←") : QStringLiteral("→"));
    QString words = end.first || down ? arrow + u' ' + end.words : end.words + u' ' + arrow;
    // The slab may be narrower than the words.
    double wide = metrics.horizontalAdvance(words) + 8;
    const double has = down ? r.width() + 8 : end.seen.width() - reserved - 4;
    if (wide > has) {
      words = arrow;
      wide = metrics.horizontalAdvance(words) + 8;
    }
    const QRectF place =
        down ? QRectF(r.center().x() - wide / 2,
                      end.first ? r.top() : r.bottom() - metrics.height(), wide, metrics.height())
             : QRectF(end.first ? r.left() + 2 : r.right() - wide - 2 - reserved,
                      r.center().y() - metrics.height() / 2, wide, metrics.height());
    if (!down) p.fillRect(place, Theme::faded(theme.ground, 0.8));
    p.setPen(theme.matrix(matrix));
    p.drawText(place, Qt::AlignCenter, words);
  }
}

}  // namespace tileloom
