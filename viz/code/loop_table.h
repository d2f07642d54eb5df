// SPDX-License-Identifier: GPL-3.0-or-later
// Where a table beside the turns of a rewritten loop has its parts: two headings, and rows of a
// name, a pair of bars and two figures, the first of the hardware and the second of the model. It
// does not paint.
#pragma once

#include <QRectF>
#include <QString>
#include <limits>
#include <span>
#include <vector>

#include "viz/base/theme.h"

namespace tileloom {

struct LoopTable {
  struct Name {
    QString text;
    bool usual = true;  // it is always there: the table is as wide as the longest of these needs
  };
  struct Row {
    QRectF room, name, bars, counted, predicted;
    int lines = 1;  // of the name
  };
  // What the words need.
  struct Needs {
    double name = 0;    // width of the longest one in a row that is always there
    double figure = 0;  // width of a column
    double height = 0;  // of all

    double width() const;
  };

  QRectF heading, origin;     // two lines
  QRectF counted, predicted;  // headings of the two columns of figures
  std::vector<Row> rows;
  bool withBars = false;  // there is room for the figures as bars

  // In a table that may be so wide: names that are wider than what is left for them have several
  // lines.
  static Needs needsOf(std::span<const Name> names, const Fonts& fonts,
                       double most = std::numeric_limits<double>::infinity());
  // Of so many rows whose names have one line each.
  static double heightOf(int rows, const Fonts& fonts);
  // From the top of `room`; each row is higher by `more` pixels than it needs to be.
  static LoopTable of(std::span<const Name> names, const Needs& needs, const QRectF& room,
                      double more, const Fonts& fonts);

  double bottom() const { return rows.empty() ? origin.bottom() : rows.back().room.bottom(); }
};

}  // namespace tileloom
