// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_track.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/charts/dodge.h"
#include "viz/charts/race/race_words.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::RaceView)
};

double clockWidth(const Race& race, const Fonts& fonts) {
  if (race.work <= 0) return 0;
  const double time = QFontMetricsF(fonts.number).horizontalAdvance(launchTimeText(888e-6));
  return std::ceil(
      std::max(time, QFontMetricsF(fonts.small).horizontalAdvance(slownessText(race))) + 24);
}

}  // namespace

double raceHeadHeight(const Race& race, const QSizeF& size, const Fonts& fonts) {
  const double body = QFontMetricsF(fonts.body).height();
  if (race.racers.empty() || race.pacer() <= 0) return 0;
  if (size.height() < 15 * body || size.width() < 30 * body) return 0;
  // Two rows of marks with the line between them, and a line of words.
  const double small = QFontMetricsF(fonts.small).height();
  return std::ceil(std::max(QFontMetricsF(fonts.number).height() + 1.2 * small, 3.2 * small + 12));
}

RaceTrack raceTrack(const Race& race, const QSizeF& size, const Fonts& fonts) {
  RaceTrack track;
  track.marks.resize(race.racers.size());
  const double head = raceHeadHeight(race, size, fonts);
  if (head <= 0) return track;
  const QFontMetricsF small(fonts.small);
  track.clock = clockWidth(race, fonts);
  track.farthest = race.farthest();
  const double side = 0.5 * small.horizontalAdvance(Words::tr("cuBLAS")) + 10;
  const double left = 8 + track.clock + side;
  track.room = {left, 2, size.width() - 8 - side - left, head - 2};
  if (track.room.width() <= 0) return track;

  const double high = small.height() + 2;
  track.middle = track.room.top() + high + 3;
  constexpr double kGap = 2;
  struct Row {
    std::vector<int> racers;
    std::vector<Dodging> places;
    double end = -1e9;  // of the last mark
  };
  std::array<Row, 2> rows;  // above, below
  for (const int i : race.order()) {
    const double wide = std::max(high, small.horizontalAdvance(race.at(i).brief) + 8) + kGap;
    const double centre = track.across(race.filled(i)), begin = centre - wide / 2;
    Row& row = begin >= rows[0].end || rows[0].end <= rows[1].end ? rows[0] : rows[1];
    row.racers.push_back(i);
    row.places.push_back({centre, wide});
    row.end = std::max(row.end, begin) + wide;
  }
  for (const Row& row : rows) {
    const auto lefts = dodged(row.places, 8 + track.clock, size.width() - 4);
    const double top = &row == rows.data() ? track.middle - 3 - high : track.middle + 3;
    for (std::size_t k = 0; k < lefts.size(); ++k)
      track.marks[static_cast<std::size_t>(row.racers[k])] =
          QRectF(lefts[k] + kGap / 2, top, row.places[k].width - kGap, high);
  }
  return track;
}

}  // namespace tileloom::charts
