// SPDX-License-Identifier: GPL-3.0-or-later
// Places the matrices of the race, the words of each, and the foot in a picture of a given size.
// Private to viz/charts.
#pragma once

#include <QRectF>
#include <vector>

#include "viz/base/theme.h"
#include "viz/charts/race/race_data.h"
#include "viz/charts/race/race_words.h"

namespace tileloom::charts {

inline constexpr double kRaceBar = 11;  // pixels below a matrix: its bar, and room around it

struct RaceLanes {
  struct Cell {
    QRectF box, words;  // the matrix, and the room of its words
  };
  RaceForm form = RaceForm::Brief;
  std::vector<Cell> cells;  // [racer]; none: there is no room
};
// The number of columns that makes the matrices largest; layouts with words are preferred.
RaceLanes raceLanes(const Race& race, const QSizeF& size, const Fonts& fonts);

// Lines of the foot, 1 to 3: the sentence, and the legend beside or above it. The layout does not
// depend on which racer is stopped, so that a click moves nothing. The explanation of the numbers
// follows the legend, or has its own line.
int raceFootLines(const Race& race, double width, RaceForm form, const Fonts& fonts);
double raceFootLine(const Fonts& fonts);  // height of such a line
// Of the explanation with the gap before it; 0: the form has no numbers.
double raceNumbersWidth(RaceForm form, const Fonts& fonts);

}  // namespace tileloom::charts
