// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning as a bakery: every recipe, those that may be baked, those that were, and the best loaf.
#include <QCoreApplication>
#include <algorithm>

#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/teach/teach_parts.h"
#include "viz/teach/teach_view.h"

namespace tileloom {
namespace {

using namespace teach;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Bakery)
};

constexpr std::size_t kMostRules = 5;

// The sieve: one line per rule, as wide as what is left.
void paintSieve(QPainter& p, const QRectF& box, const BakeryData& data, const Theme& theme,
                const Fonts& fonts) {
  const double line = QFontMetricsF(fonts.small).height(), step = line + 12;
  double y = box.top();
  const auto row = [&](const QString& number, const QString& words, const QColor& ink) {
    const QRectF place(box.left(), y, box.width(), line);
    const double wide = QFontMetricsF(fonts.body).horizontalAdvance(QStringLiteral("888,888,888"));
    paintLine(p, QRectF(place.left(), y, wide, line), Qt::AlignRight, number, fonts.body, ink);
    paintLine(p, place.adjusted(wide + 10, 0, 0, 0), Qt::AlignLeft, words, fonts.small, ink);
    y += step;
  };
  const auto number = [&data](std::uint64_t tiles) {
    return data.counted ? figures::grouped(tiles) : Words::tr("counting");
  };
  row(number(data.combinations),
      Words::tr("recipes: all combinations of the values that the tuner tries"), theme.text);
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < data.rules.size(); ++i) {
    if (i < kMostRules && y + 4 * step < box.bottom()) {
      row(QStringLiteral("− %1").arg(figures::grouped(data.rules[i].tiles)), data.rules[i].words,
          theme.soft);
    } else {
      others += data.rules[i].tiles;
    }
  }
  if (others > 0)
    row(QStringLiteral("− %1").arg(figures::grouped(others)), Words::tr("by the other rules"),
        theme.soft);
  p.setPen(hairline(theme.line));
  p.drawLine(QPointF(box.left(), y - 6), QPointF(box.right(), y - 6));
  row(number(data.legal), Words::tr("legal: they can be baked at all"), theme.text);
  row(figures::grouped(data.loaves.size()),
      data.loaves.empty()
          ? Words::tr("of them were baked at %1: none is recorded").arg(data.size)
          : Words::tr("of them were baked: timed at %1 on %2").arg(data.size, data.device),
      theme.text);
}

void paintLoaves(QPainter& p, const QRectF& box, const BakeryData& data, const Theme& theme,
                 const Fonts& fonts) {
  if (data.loaves.empty()) {
    return paintNothing(p, box, Words::tr("No run of this kernel is known at %1.").arg(data.size),
                        theme, fonts);
  }
  const double line = QFontMetricsF(fonts.small).height();
  const double best = data.loaves.front().gflops;
  const QRectF shelf = box.adjusted(0, 3 * line + 10, 0, -line - 6);
  const auto count = static_cast<double>(data.loaves.size());
  const double wide = std::min(46.0, shelf.width() / count);
  p.setPen(QPen(theme.line, 1));
  p.drawLine(shelf.bottomLeft(), shelf.bottomRight());
  double shownX = -1, shownTop = 0;
  for (std::size_t i = 0; i < data.loaves.size(); ++i) {
    const BakeryData::Loaf& loaf = data.loaves[i];
    const double high = shelf.height() * loaf.gflops / best;
    const QRectF bar(shelf.left() + static_cast<double>(i) * wide + wide * 0.08,
                     shelf.bottom() - high, wide * 0.84, high);
    const QColor crust = i == 0 ? theme.good : theme.matrix(analysis::Matrix::B);
    p.setPen(Qt::NoPen);
    p.setBrush(loaf.shown ? theme.accent : crust);
    const double round = std::min(bar.width() / 2, 9.0);
    if (bar.width() > 4) {
      p.drawRoundedRect(bar.adjusted(0, 0, 0, 0), round, round);
      p.drawRect(bar.adjusted(0, std::min(high, round), 0, 0));
    } else {
      p.drawRect(bar);
    }
    if (loaf.shown) {
      shownX = bar.center().x();
      shownTop = bar.top();
    }
  }
  const BakeryData::Loaf& winner = data.loaves.front();
  paintLine(p, QRectF(box.left(), box.top(), box.width(), line), Qt::AlignLeft,
            Words::tr("the winner, %1 %2: %3")
                .arg(figures::grouped(winner.gflops * data.factor, data.factor < 1 ? 1 : 0),
                     data.unit, winner.tile),
            fonts.small, theme.good);
  const auto shown = std::ranges::find(data.loaves, true, &BakeryData::Loaf::shown);
  if (shown != data.loaves.end() && shown != data.loaves.begin()) {
    paintLine(p, QRectF(box.left(), box.top() + line + 2, box.width(), line), Qt::AlignLeft,
              Words::tr("this tile, place %1, %2 % of the winner: %3")
                  .arg(shown - data.loaves.begin() + 1)
                  .arg(figures::percentText(100 * shown->gflops / best), shown->tile),
              fonts.small, theme.text);
    p.setPen(QPen(theme.accent, 1.5));
    p.drawLine(QPointF(shownX, box.top() + 2 * line + 6), QPointF(shownX, shownTop - 3));
  }
  paintLine(p, QRectF(box.left(), shelf.bottom() + 4, box.width(), line), Qt::AlignLeft,
            Words::tr("one loaf per tile: its height is its speed, the fastest is at the left"),
            fonts.small, theme.soft);
}

}  // namespace

void paintBakery(QPainter& painter, const QRectF& canvas, const BakeryData& data,
                 const Theme& theme, const Fonts& fonts) {
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF room = paintHead(
      painter, canvas, Words::tr("Tuning is a bakery: bake every recipe, and keep the best loaf"),
      Words::tr("%1. No formula gives the best tile: the rules say what can run at all, and "
                "measurements choose among the rest.")
          .arg(data.kernel),
      theme, fonts);
  const double left = std::min(room.width() * 0.46, 620.0);
  paintSieve(painter, QRectF(room.left(), room.top(), left - 20, room.height()), data, theme,
             fonts);
  paintLoaves(painter, QRectF(room.left() + left, room.top(), room.width() - left, room.height()),
              data, theme, fonts);
}

}  // namespace tileloom
