// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/letter_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "viz/base/text/text.h"
#include "viz/loom/parts/matrix_painter.h"
#include "viz/loom/parts/warp_names.h"

namespace tileloom {
namespace {

using analysis::Matrix;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loom)
};

// "BM = 128" where the rung has the tile parameter, else "32 rows"; "44 of BM = 128" at the
// matrix's edge.
QString sizeName(const LoomPaint& loom, Parameter parameter, qlonglong value,
                 const QString& words) {
  if (loom.recording().trace.rung()->spec(parameter) == nullptr) return words.arg(value);
  if (const int whole = loom.recording().trace.tile[parameter]; whole > value) {
    return Words::tr("%1 of %2 = %3").arg(value).arg(toQString(name(parameter))).arg(whole);
  }
  return QStringLiteral("%1 = %2").arg(toQString(name(parameter))).arg(value);
}

}  // namespace

bool paintLetters(const LoomPaint& loom, const std::vector<QRectF>& numbered) {
  // Limits the size of names in a small picture.
  const QRectF& view = loom.frame.viewport;
  const bool small = view.height() < 6 * QFontMetricsF(loom.f.title).height();
  QFont big = small ? loom.f.small : loom.f.title;
  big.setBold(true);
  loom.p.setFont(big);
  const QFontMetricsF metrics(big);
  const double shown = loom.g.detail();
  bool nameBeside = false;
  if (shown > 0.5 && view.height() < 3 * metrics.height()) {
    // Hues distinguish the matrices, as everywhere.
  } else if (shown > 0.5) {
    const QRectF c = loom.g.block() & loom.frame.viewport;
    loom.p.setPen(Theme::faded(loom.t.matrix(Matrix::C), shown));
    const double right = c.right() + 8 + warpNamesBeside(loom);
    if (right + metrics.horizontalAdvance(u'C') < loom.frame.viewport.right()) {
      loom.p.drawText(QPointF(right, c.bottom() - 4), "C");
    }
    const QRectF a = loom.g.allSlabsA() & loom.frame.viewport,
                 b = loom.g.allSlabsB() & loom.frame.viewport;
    // Above the words that say from which column on the slab is seen.
    const bool cutB = loom.g.allSlabsB().left() < loom.frame.viewport.left() - 2;
    QPointF nameB(
        std::max(b.left() - metrics.horizontalAdvance(u'B') - 8, loom.frame.viewport.left() + 2),
        cutB ? b.center().y() - QFontMetricsF(loom.f.small).height() / 2 - 4
             : b.center().y() + metrics.ascent() / 2 - 2);
    // A slab of B that is lower than its name leaves no room beside it.
    if (!cutB && nameB.x() + metrics.horizontalAdvance(u'B') > a.left())
      nameB.setY(std::min(nameB.y(), std::max(a.top() - 4, view.top() + metrics.capHeight())));
    // Below the words that say from where on the slab is seen.
    const bool cut = loom.g.allSlabsA().top() < loom.frame.viewport.top() - 2;
    const double highest = loom.frame.viewport.top() + metrics.ascent() +
                           (cut ? QFontMetricsF(loom.f.small).height() : 0);
    QPointF nameA(a.center().x() - metrics.horizontalAdvance(u'A') / 2,
                  std::max(a.top() - 6, highest));
    const double reach = metrics.height();
    nameBeside = std::abs(nameA.x() - nameB.x()) < reach && std::abs(nameA.y() - nameB.y()) < reach;
    if (nameBeside) {
      nameA = QPointF(a.left() - metrics.horizontalAdvance(u'A') - 8,
                      a.center().y() + metrics.ascent() / 2 - 2);
    }
    // Half a letter would be a wrong letter.
    const auto name = [&](QPointF at, QChar letter, Matrix m) {
      const auto inkAt = [&] {
        return QRectF(at.x(), at.y() - metrics.capHeight(), metrics.horizontalAdvance(letter),
                      metrics.capHeight());
      };
      // Close up a slab of A continues below one of B; A's name must not be there.
      const bool over = m == Matrix::A && inkAt().intersects(b);
      if (over) at.setY(b.bottom() + 4 + metrics.capHeight());
      const QRectF ink = inkAt();
      if (!view.adjusted(-1, -1, 1, 1).contains(ink)) return;
      // Large text leaves no room beside a K tile's number: hues distinguish the matrices.
      if (std::ranges::any_of(numbered,
                              [&](const QRectF& number) { return number.intersects(ink); }))
        return;
      if (over) loom.p.fillRect(ink.adjusted(-2, -2, 2, 2), Theme::faded(loom.t.ground, 0.85));
      loom.p.setPen(Theme::faded(loom.t.matrix(m), shown));
      loom.p.drawText(at, letter);
    };
    name(nameA, u'A', Matrix::A);
    name(nameB, u'B', Matrix::B);
  } else {
    nameWholeC(loom);
  }
  return nameBeside;
}

void paintSizes(const LoomPaint& loom, bool nameBeside) {
  if (loom.g.detail() < 0.9 || loom.g.nearness() > 0.05 || loom.g.level() != LoomLevel::Block)
    return;
  const QRectF view = loom.frame.viewport, c = loom.g.block();
  const QRectF a = loom.g.allSlabsA(), b = loom.g.allSlabsB();
  if (!view.contains(c)) return;
  loom.p.setFont(loom.f.small);
  loom.p.setPen(loom.t.soft);
  const QFontMetricsF metrics(loom.f.small);
  const double high = metrics.height();
  const auto& map = loom.recording().map;
  const auto fits = [&](const QString& words, double along) {
    return metrics.horizontalAdvance(words) + 4 < along;
  };
  const QString columns = sizeName(loom, Parameter::BN, map.c.columns, Words::tr("%1 columns"));
  if (b.top() - high > view.top() && fits(columns, c.width()))
    loom.p.drawText(QRectF(c.left(), b.top() - high - 1, c.width(), high), Qt::AlignCenter,
                    columns);
  const QString rows = sizeName(loom, Parameter::BM, map.c.rows, Words::tr("%1 rows"));
  // The name of A is there if it has no room above.
  const double edge = a.left() - (nameBeside ? 2.5 * high : 2);
  if (edge - high > view.left() && fits(rows, c.height())) {
    loom.p.save();
    loom.p.translate(edge - high / 2, c.center().y());
    loom.p.rotate(-90);
    loom.p.drawText(QRectF(-c.height() / 2, -high / 2, c.height(), high), Qt::AlignCenter, rows);
    loom.p.restore();
  }
  // Both slabs are as deep as a K tile: written once, beside the one of B.
  if (!loom.recording().trace.features().sharedTiles) return;
  const QString depth =
      sizeName(loom, Parameter::BK, loom.scene.tileOf(Matrix::A, loom.scene.shownTile()).columns,
               Words::tr("%1 deep"));
  const QRectF slab = loom.g.slabB();
  // The K tile's number is between them.
  const double digit = metrics.horizontalAdvance(u'0');
  const double number =
      QFontMetricsF(loom.f.body).horizontalAdvance(QString::number(loom.scene.shownTile() + 1));
  const double left = slab.right() + std::max(3 * digit, 4 + number + digit);
  if (left + metrics.horizontalAdvance(depth) < view.right() && slab.height() > 0.8 * high)
    loom.p.drawText(QRectF(left, slab.center().y() - high / 2, view.right() - left, high),
                    Qt::AlignLeft | Qt::AlignVCenter, depth);
}

}  // namespace tileloom
