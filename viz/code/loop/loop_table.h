// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out a table beside the turns of a rewritten loop: two headings, and rows of a name, a pair
// of bars and two figures, the first from the hardware and the second from the model. It does not
// paint.
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
    bool usual = true;  // it is always there: the longest of these sets the table's width
  };
  struct Row {
    QRectF room, name, bars, counted, predicted;
    int lines = 1;  // of the name
  };
  // The space that the text needs.
  struct Needs {
    double name = 0;    // width of the longest name of a usual row
    double figure = 0;  // width of a column
    double height = 0;  // of all

    double width() const;
  };

  QRectF heading, origin;     // two lines
  QRectF counted, predicted;  // headings of the two columns of figures
  std::vector<Row> rows;
  bool withBars = false;  // there is room for bars

  // For a table of at most this width: names that do not fit into the rest have several lines.
  static Needs needsOf(std::span<const Name> names, const Fonts& fonts,
                       double most = std::numeric_limits<double>::infinity());
  // For this many rows with names of one line.
  static double heightOf(int rows, const Fonts& fonts);
  // From the top of `room`; each row has `more` extra pixels of height.
  static LoopTable of(std::span<const Name> names, const Needs& needs, const QRectF& room,
                      double more, const Fonts& fonts);

  double bottom() const { return rows.empty() ? origin.bottom() : rows.back().room.bottom(); }
};

}  // namespace tileloom
