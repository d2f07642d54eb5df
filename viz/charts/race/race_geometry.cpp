// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "viz/charts/race/race_legend.h"
#include "viz/charts/race/race_track.h"

namespace tileloom::charts {
namespace {

// How wide the words beside a matrix are: names in two lines, the others in one.
double wordsWidth(const Race& race, const Fonts& fonts) {
  const QFontMetricsF body(fonts.body), small(fonts.small);
  double width = 0;
  for (const QString& text : longestPlaceTexts())
    width = std::max(width, small.horizontalAdvance(text));
  for (const Racer& r : race.racers) {
    width = std::max(width, small.horizontalAdvance(racerSpeedText(r)));
    width = std::max(width, small.horizontalAdvance(racerRatioText(r)));
    width = std::max(width, body.horizontalAdvance(inTwoLines(r.name, body).first));
    width = std::max(width, body.horizontalAdvance(inTwoLines(r.name, body).second));
  }
  return std::ceil(width) + 2;
}

double footHeight(const Race& race, double width, RaceForm form, const Fonts& fonts) {
  return raceFootLine(fonts) * raceFootLines(race, width, form, fonts);
}

}  // namespace

int raceFootLines(const Race& race, double width, RaceForm form, const Fonts& fonts) {
  const double sentence = QFontMetricsF(fonts.body).horizontalAdvance(raceInvitation(race)) + 40;
  const double numbers = raceNumbersWidth(form, fonts), legend = raceLegendWidth(race, fonts);
  if (sentence + legend + numbers <= width) return 1;
  return legend + numbers <= width ? 2 : 3;
}

double raceFootLine(const Fonts& fonts) {
  return 1.4 * QFontMetricsF(fonts.body).height();
}

double raceNumbersWidth(RaceForm form, const Fonts& fonts) {
  return form == RaceForm::Brief
             ? QFontMetricsF(fonts.small).horizontalAdvance(raceNumbersText()) + 16
             : 0;
}

RaceLanes raceLanes(const Race& race, const QSizeF& all, const Fonts& fonts) {
  RaceLanes lanes;
  const double head = raceHeadHeight(race, all, fonts);
  QSizeF size(all.width(),
              all.height() - head - footHeight(race, all.width(), RaceForm::Below, fonts));
  const int count = race.count();
  if (count == 0) return lanes;
  const double body = QFontMetricsF(fonts.body).height();
  const double small = QFontMetricsF(fonts.small).height();
  const double gap = 0.8 * body, wide = wordsWidth(race, fonts);
  const double high = 2 * body + 2 * small;
  int best = 1;
  double edge = 0;
  const auto consider = [&](RaceForm form, int columns) {
    const int rows = (count + columns - 1) / columns;
    const double across = (size.width() - gap) / columns - gap;
    const double down = (size.height() - gap) / rows - gap;
    double fits = 0;
    switch (form) {
      case RaceForm::Below:
        fits = across < wide ? 0 : std::min(across, down - kRaceBar - high);
        break;
      case RaceForm::Beside:
        fits = down < high ? 0 : std::min(across - wide - gap / 2, down - kRaceBar);
        break;
      case RaceForm::Brief:
        fits = std::min(across, down - kRaceBar - body - 2 * small);
        break;
    }
    if (fits <= edge) return;
    edge = fits;
    best = columns;
    lanes.form = form;
  };
  constexpr double kLeast = 24;  // pixels of a matrix in which waves are distinguishable
  for (int columns = 1; columns <= count; ++columns) {
    consider(RaceForm::Below, columns);
    consider(RaceForm::Beside, columns);
  }
  if (edge < kLeast) {
    edge = 0;
    size.setHeight(all.height() - head - footHeight(race, all.width(), RaceForm::Brief, fonts));
    for (int columns = 1; columns <= count; ++columns) consider(RaceForm::Brief, columns);
  }
  if (edge < 8) return lanes;
  const int rows = (count + best - 1) / best;
  const double width = (size.width() - gap) / best, height = (size.height() - gap) / rows;
  for (int i = 0; i < count; ++i) {
    const int column = i % best, row = i / best;
    const double x = gap + column * width, y = head + gap + row * height;
    const double inner = width - gap;
    if (lanes.form == RaceForm::Beside) {
      const QRectF box(x, y, edge, edge);
      lanes.cells.push_back({box, QRectF(box.right() + gap / 2, y, wide, std::max(edge, high))});
    } else {
      const QRectF box(x + (inner - edge) / 2, y, edge, edge);
      // Numbers may extend into the gap.
      const double over = lanes.form == RaceForm::Brief ? gap / 2 + 2 : 0;
      lanes.cells.push_back(
          {box, QRectF(x - over, box.bottom() + kRaceBar, inner + 2 * over, height - gap - edge)});
    }
  }
  return lanes;
}

}  // namespace tileloom::charts
