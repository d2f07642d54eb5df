// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_hints.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/recording.h"
#include "viz/base/painted_view.h"
#include "viz/base/wrapped_text.h"
#include "viz/loom/loom_legend.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LoomHints)
};

constexpr double kInset = 10;  // pixels around the words of a label

double heightOf(const LoomHint& hint, double width, const Fonts& fonts) {
  const double inner = width - 2 * kInset;
  const QRectF words = QFontMetricsF(fonts.body)
                           .boundingRect(QRectF(0, 0, inner, 1e4), Qt::TextWordWrap, hint.words);
  return QFontMetricsF(fonts.title).height() + words.height() + 2 * kInset;
}

// Puts the labels into the lower part of the column, above the legend; false: there is no room.
bool standBeside(std::vector<LoomHint>& hints, const LoomGeometry& g, const QRectF& side,
                 const Fonts& fonts) {
  if (side.isEmpty()) return false;
  const double gap = QFontMetricsF(fonts.body).height();
  double all = 0;
  for (const LoomHint& hint : hints) all += heightOf(hint, side.width(), fonts) + gap;
  const double bottom = side.bottom() - loomLegendHeight(fonts) - 0.5 * gap;
  // The figures above stay in sight.
  if (all > bottom - side.top() - 0.3 * side.height()) return false;
  double y = bottom - all;
  const QRectF c = g.block() & g.viewport();
  for (LoomHint& hint : hints) {
    hint.box = QRectF(side.left(), y, side.width(), heightOf(hint, side.width(), fonts));
    y = hint.box.bottom() + gap;
    hint.target = hint.box.center();
  }
  hints[0].target = {std::min(g.slabB().right(), g.viewport().right()) - 2, g.slabB().center().y()};
  hints[1].target = {c.right() - 0.05 * c.width(), hints[1].box.center().y()};
  return true;
}

}  // namespace

std::vector<LoomHint> loomHints(const Scene& scene, const LoomGeometry& g, const QRectF& side,
                                const Fonts& fonts) {
  if (!scene.ready()) return {};
  const auto& trace = scene.recording->trace;
  const QRectF view = g.viewport(), c = g.block() & view;
  const double letter = QFontMetricsF(fonts.body).averageCharWidth();
  const double width = std::min(38 * letter, 0.44 * view.width());
  const QString of = trace.stage->is(Trait::SharedTiles)
                         ? Words::tr(
                               "The columns of A and rows of B that the block multiplies "
                               "next. It fetches them into shared memory: hatched, they are "
                               "still in flight.")
                         : Words::tr("The columns of A and rows of B that the block reads.");
  std::vector<LoomHint> hints = {
      {Words::tr("Two matrices in"), of, {}, g.slabA().center()},
      {Words::tr("One tile of C = A · B out"),
       Words::tr(
           "One thread block computes these %1 × %2 sums. A colour is a warp of 32 threads; a "
           "cell becomes solid as its sum grows.")
           .arg(scene.recording->map.c.rows)
           .arg(scene.recording->map.c.columns),
       {},
       c.center()},
      {Words::tr("It is a recording"),
       Words::tr(
           "The kernel's real source was run thread by thread. Space plays and pauses, 1 to 4 "
           "zoom, the ladder on the left changes the kernel. A click puts these notes away; F1 "
           "brings them back."),
       {},
       {}}};
  if (standBeside(hints, g, side, fonts)) return hints;
  for (LoomHint& hint : hints) hint.box.setSize({width, heightOf(hint, width, fonts)});
  // The first one beside A's slab, over C; the second in the middle; the third at the foot.
  hints[0].box.moveTopLeft({c.left() + 2.5 * letter, c.top() + 2 * letter});
  hints[1].box.moveTopLeft(
      {std::min(c.left() + 0.42 * c.width(), view.right() - width),
       std::max(hints[0].box.bottom() + 2 * letter, c.center().y() - hints[1].box.height() / 2)});
  hints[2].box.moveTopLeft(
      {c.left() + 2.5 * letter, std::max(hints[1].box.bottom() + 2 * letter,
                                         c.bottom() - hints[2].box.height() - 2 * letter)});
  hints[0].target = {g.slabA().right() - 2, hints[0].box.center().y()};
  hints[1].target = {c.right() - 0.12 * c.width(), hints[1].box.center().y()};
  if (hints[1].box.right() > hints[1].target.x()) hints[1].target = hints[1].box.center();
  hints[2].target = hints[2].box.center();
  std::erase_if(hints, [&](const LoomHint& h) { return !view.contains(h.box); });
  return hints;
}

void paintLoomHints(QPainter& p, const std::vector<LoomHint>& hints, const Theme& theme,
                    const Fonts& fonts) {
  p.save();
  p.setRenderHint(QPainter::Antialiasing, true);
  for (const LoomHint& hint : hints) {
    if (!hint.box.contains(hint.target)) {
      const double x = hint.target.x() < hint.box.left() ? hint.box.left() : hint.box.right();
      p.setPen(hairline(theme.accent, 2.0));
      p.drawLine(QPointF(x, std::clamp(hint.target.y(), hint.box.top() + 8, hint.box.bottom() - 8)),
                 hint.target);
      p.setBrush(theme.accent);
      p.drawEllipse(hint.target, 4, 4);
    }
    p.setPen(hairline(theme.accent, 1.5));
    p.setBrush(theme.panel);
    p.drawRoundedRect(hint.box, 6, 6);
    const QRectF inner = hint.box.adjusted(kInset, kInset, -kInset, -kInset);
    QFont title = fonts.title;
    title.setWeight(QFont::DemiBold);
    p.setFont(title);
    p.setPen(theme.text);
    const double high = QFontMetricsF(fonts.title).height();
    p.drawText(QRectF(inner.left(), inner.top(), inner.width(), high),
               Qt::AlignLeft | Qt::AlignVCenter, hint.title);
    p.setFont(fonts.body);
    p.setPen(theme.soft);
    drawWrapped(p, inner.adjusted(0, high, 0, 2), Qt::AlignLeft | Qt::AlignTop, hint.words);
  }
  p.restore();
}

}  // namespace tileloom
