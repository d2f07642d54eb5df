// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/race/race_looks.h"
#include "viz/charts/race/race_words.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::RaceView)
};

QString shadeWords() {
  return Words::tr("a block: not started to done");
}

}  // namespace

double raceLegendWidth(const Race& race, const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  double width = 3.2 * small.height() + small.horizontalAdvance(shadeWords());
  for (const RaceSpeed source : race.sources())
    width += 3.2 * small.height() + small.horizontalAdvance(raceSpeedName(source));
  return width;
}

void paintRaceLegend(QPainter& p, const QPointF& from, const Race& race, const Theme& theme,
                     const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  const double box = 0.75 * small.height(), y = from.y();
  double x = from.x();
  p.setFont(fonts.small);
  const auto words = [&](const QString& text) {
    const double width = small.horizontalAdvance(text);
    p.setPen(theme.soft);
    p.drawText(QRectF(x, y - small.height() / 2, width + 2, small.height()),
               Qt::AlignLeft | Qt::AlignVCenter, text);
    x += width + 1.4 * small.height();
  };
  constexpr int kShades = 6;
  const double shade = 1.8 * box / kShades;
  for (int i = 0; i < kShades; ++i)
    p.fillRect(QRectF(x + i * shade, y - box / 2, shade + 0.5, box),
               Theme::mix(theme.well, blockDone(theme), i / (kShades - 1.0)));
  x += 2.4 * box;
  words(shadeWords());
  for (const RaceSpeed source : race.sources()) {
    p.setPen(hairline(theme.matrix(analysis::Matrix::C), 1.5, raceFrame(source)));
    p.setBrush(Qt::NoBrush);
    p.drawRect(QRectF(x, y - box / 2, 1.8 * box, box));
    x += 2.4 * box;
    words(raceSpeedName(source));
  }
}

}  // namespace tileloom::charts
