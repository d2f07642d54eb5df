// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_frame.h"

#include <QFontMetricsF>
#include <algorithm>

namespace tileloom {

namespace {
constexpr double kLeastLines = 5;  // of a view that has words below the picture
}  // namespace

LoomFrame LoomFrame::of(const QRectF& canvas, const Fonts& fonts, double aspect) {
  const double margin = QFontMetricsF(fonts.body).height() * 0.7;
  const double head = QFontMetricsF(fonts.title).height() * 1.4;
  QRectF inner = canvas.adjusted(margin, margin * 0.6, -margin, -margin * 0.4);
  // A view of few lines is for the picture, without words below it.
  const double body = QFontMetricsF(fonts.body).height();
  const double foot = inner.height() - head > kLeastLines * body ? 1.5 * body : 0;
  LoomFrame f;
  f.canvas = canvas;
  // The width that the matrices cannot use is for words and figures.
  const double side = 15.0 * QFontMetricsF(fonts.body).height();
  // A block higher than wide could use even less; but then a parameter that makes it so would take
  // the width of the column from the picture at once.
  const double spare =
      inner.width() - 1.08 * std::max(1.0, aspect) * (inner.height() - head - foot);
  if (spare > 0.85 * side && inner.height() > side) {
    const double width = std::min(spare, side);
    f.side = QRectF(inner.right() - width, inner.top() + head, width, inner.height() - head);
    inner.setRight(f.side.left() - 1.5 * margin);
    f.header = QRectF(inner.left(), inner.top(), f.side.right() - inner.left(), head);
  } else {
    f.header = QRectF(inner.left(), inner.top(), inner.width(), head);
    // Without that column the legend has a line of its own, except where each pixel counts.
    if (inner.height() > 14 * QFontMetricsF(fonts.body).height()) {
      const double line = QFontMetricsF(fonts.small).height() * 1.3;
      f.legend = QRectF(inner.left(), inner.bottom() - line, inner.width(), line);
      inner.setBottom(f.legend.top());
    }
  }
  f.caption = QRectF(inner.left(), inner.bottom() - foot, inner.width(), foot);
  f.viewport = QRectF(inner.left(), f.header.bottom(), inner.width(),
                      std::max(1.0, f.caption.top() - f.header.bottom()));
  return f;
}

}  // namespace tileloom
