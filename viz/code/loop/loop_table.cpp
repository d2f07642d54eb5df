// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_table.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "viz/code/loop/loop_rows.h"
#include "viz/code/loop/loop_waits.h"

namespace tileloom {
namespace {

constexpr double kGap = 4;
constexpr double kIndent = 8;  // of a row
constexpr double kShortestBars = 40;

double lineOf(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height());
}

// 1, or the number of lines in the smaller font for a name wider than `width`.
int linesOf(const QString& name, double width, const Fonts& fonts) {
  if (QFontMetricsF(fonts.body).horizontalAdvance(name) <= width) return 1;
  const QFontMetricsF small(fonts.small);
  const double height =
      small.boundingRect(QRectF(0, 0, width, 1000), Qt::AlignLeft | Qt::TextWordWrap, name)
          .height();
  return std::max(2, static_cast<int>(std::lround(height / small.lineSpacing())));
}

double rowHeight(int lines, const Fonts& fonts) {
  return 2 + (lines > 1 ? lines * lineOf(fonts.small) : lineOf(fonts.body));
}

double headingsHeight(const Fonts& fonts) {
  return lineOf(fonts.body) + lineOf(fonts.small) + kGap;
}

}  // namespace

double LoopTable::Needs::width() const {
  return kIndent + name + 2 * figure;
}

LoopTable::Needs LoopTable::needsOf(std::span<const Name> names, const Fonts& fonts, double most) {
  const QFontMetricsF body(fonts.body), small(fonts.small);
  Needs needs;
  for (const Name& name : names)
    if (name.usual) needs.name = std::max(needs.name, body.horizontalAdvance(name.text));
  for (const QString& text : {measuredHeading(), sampledHeading(), predictedHeading()})
    needs.figure = std::max(needs.figure, 12 + std::ceil(small.horizontalAdvance(text)));
  needs.name = std::min(std::ceil(needs.name), most - kIndent - 2 * needs.figure);
  needs.height = headingsHeight(fonts);
  for (const Name& name : names)
    needs.height += rowHeight(linesOf(name.text, needs.name, fonts), fonts);
  return needs;
}

double LoopTable::heightOf(int rows, const Fonts& fonts) {
  return headingsHeight(fonts) + rows * rowHeight(1, fonts);
}

LoopTable LoopTable::of(std::span<const Name> names, const Needs& needs, const QRectF& room,
                        double more, const Fonts& fonts) {
  LoopTable table;
  const double line = lineOf(fonts.body), small = lineOf(fonts.small);
  const QFontMetricsF body(fonts.body);
  // Includes the room that is too small for bars.
  const double left = room.width() - kIndent - 2 * needs.figure;
  double widest = 0;
  for (const Name& name : names) widest = std::max(widest, body.horizontalAdvance(name.text));
  widest = std::min(std::ceil(widest), std::max(needs.name, left / 2));
  table.withBars = left - widest >= kShortestBars + 2 * kIndent;
  if (!table.withBars) widest = left;

  table.heading = QRectF(room.left(), room.top(), room.width(), line);
  table.origin = QRectF(room.left(), table.heading.bottom(), room.width(), small);
  // With bars, the text before the columns of figures is long.
  QRectF& beside = table.withBars ? table.origin : table.heading;
  const auto column = [&](double top, double height, int number) {
    return QRectF(room.right() - (2 - number) * needs.figure, top, needs.figure, height);
  };
  table.counted = column(beside.top(), beside.height(), 0);
  table.predicted = column(beside.top(), beside.height(), 1);
  beside.setRight(table.counted.left());

  double y = room.top() + headingsHeight(fonts);
  for (const Name& name : names) {
    Row row;
    row.lines = linesOf(name.text, widest, fonts);
    const double height = more + rowHeight(row.lines, fonts);
    row.room = QRectF(room.left(), y, room.width(), height);
    row.name = QRectF(room.left() + kIndent, y, widest, height);
    row.counted = column(y, height, 0);
    row.predicted = column(y, height, 1);
    if (table.withBars)
      row.bars = QRectF(row.name.right() + kIndent, y + height * 0.2, left - widest - 2 * kIndent,
                        height * 0.6);
    table.rows.push_back(row);
    y += height;
  }
  return table;
}

}  // namespace tileloom
