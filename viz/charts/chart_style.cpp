// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/chart_style.h"

#include <qcustomplot.h>

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "viz/base/painted_view.h"
#include "viz/base/text.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Charts)
};

}  // namespace

QString grouped(double value, int decimals) {
  QLocale locale = QLocale::c();
  locale.setNumberOptions(QLocale::DefaultNumberOptions);
  return locale.toString(value, 'f', decimals);
}

QString speedText(double gflops) {
  return grouped(gflops, gflops >= 1000 ? 0 : gflops >= 10 ? 1 : 2);
}

QString roughSpeedText(double gflops) {
  const double step = gflops >= 1 ? std::pow(10.0, std::floor(std::log10(gflops)) - 2) : 0.01;
  return speedText(std::round(gflops / step) * step);
}

QString percentText(double percent) {
  return grouped(percent, percent >= 1 ? 1 : 2);
}

QString stageText(const Stage* stage) {
  return stage ? Words::tr("rung %1: %2").arg(stage->rung).arg(toQString(stage->title))
               : Words::tr("a rung that this build does not know");
}

QString tileText(const Stage* stage, const TileShape& tile) {
  QStringList parts;
  for (const Knob knob : kAllKnobs) {
    // A stage shows its own knobs; an unknown one whatever is set.
    const bool own = stage ? stage->spec(knob) != nullptr : tile[knob] != 0;
    if (own) parts += QStringLiteral("%1=%2").arg(toQString(name(knob))).arg(tile[knob]);
  }
  return parts.join(u' ');
}

QString dateText(const QString& when) {
  return when.section(u'T', 0, 0);
}

QString standingWord(Standing standing) {
  switch (standing) {
    case Standing::Live:
      return Words::tr("live");
    case Standing::Recorded:
      return Words::tr("recorded");
    case Standing::Stale:
      break;
  }
  return Words::tr("stale");
}

QString spreadText(const runs::Interval& interval) {
  const double percent = 100 * interval.spread();
  return Words::tr("± %1 %").arg(grouped(percent, percent >= 10 ? 0 : percent >= 0.095 ? 1 : 2));
}

QString bytesText(double bytes) {
  return bytes < 1e9 ? Words::tr("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 1 : 0)
                     : Words::tr("%1 GB").arg(bytes / 1e9, 0, 'f', 2);
}

QColor inkOf(Standing standing, const Theme& theme) {
  return standing == Standing::Stale ? theme.faint : theme.accent;
}

QPen linePen(Standing standing, const Theme& theme) {
  QPen pen = hairline(inkOf(standing, theme), 1.4);
  if (standing == Standing::Recorded) pen.setDashPattern({3.5, 3.0});
  if (standing == Standing::Stale) pen.setDashPattern({1.0, 3.0});
  return pen;
}

void drawMark(QPainter& painter, const QPointF& at, Standing standing, const Theme& theme,
              double radius) {
  const QColor ink = inkOf(standing, theme);
  if (standing == Standing::Stale) {
    painter.setPen(hairline(ink, 1.5));
    const QPointF down(radius * 0.85, radius * 0.85);
    const QPointF up(radius * 0.85, -radius * 0.85);
    painter.drawLine(at - down, at + down);
    painter.drawLine(at - up, at + up);
    return;
  }
  painter.setPen(hairline(ink, 1.5));
  // The hollow of a ring covers the line that runs into it.
  painter.setBrush(standing == Standing::Live ? ink : theme.panel);
  painter.drawEllipse(at, radius, radius);
  painter.setBrush(Qt::NoBrush);
}

void drawHatch(QPainter& painter, const QRectF& rect, const QColor& color) {
  if (rect.isEmpty()) return;
  painter.save();
  painter.setClipRect(rect, Qt::IntersectClip);
  painter.setPen(hairline(color, 1.2));
  constexpr double kPitch = 4;
  // QSvgGenerator of Qt 6.4 knows no clipping either: there the lines end where the rectangle does.
  const bool clips = painter.paintEngine()->type() != QPaintEngine::SVG;
  for (double x = rect.left() - rect.height(); x < rect.right(); x += kPitch) {
    const double from = clips ? 0 : std::max(0.0, rect.left() - x);
    const double to = clips ? rect.height() : std::min(rect.height(), rect.right() - x);
    if (from < to)
      painter.drawLine(QPointF(x + from, rect.bottom() - from),
                       QPointF(x + to, rect.bottom() - to));
  }
  painter.restore();
}

void fillTrouble(QPainter& painter, const QRectF& rect, const Theme& theme) {
  if (painter.paintEngine()->type() == QPaintEngine::Raster) {
    painter.fillRect(rect, theme.troublePattern());
  } else {
    drawHatch(painter, rect, theme.trouble);
  }
}

void styleAxis(QCPAxis& axis, const Theme& theme, const Fonts& fonts, bool grid) {
  axis.setBasePen(hairline(theme.line));
  axis.setTickPen(Qt::NoPen);
  axis.setSubTicks(false);
  axis.setTickLengthIn(0);
  axis.setTickLabelFont(fonts.small);
  axis.setTickLabelColor(theme.soft);
  axis.setTickLabelPadding(5);
  axis.setPadding(0);
  axis.setLabelPadding(0);
  axis.grid()->setVisible(grid);
  axis.grid()->setPen(hairline(Theme::mix(theme.panel, theme.line, 0.6)));
  axis.grid()->setZeroLinePen(Qt::NoPen);
  axis.grid()->setSubGridVisible(false);
}

double niceStep(double least) {
  if (!(least > 0) || !std::isfinite(least)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

ValueRange niceRange(double low, double high, bool fromZero, double air) {
  high = std::max(high, 1e-6);
  // One value alone would leave no height to draw in.
  if (high - low < 0.02 * high) {
    low -= 0.05 * high;
    high += 0.05 * high;
  }
  if (fromZero || low < 0.45 * high) low = 0;
  ValueRange range;
  range.step = niceStep((high - low) / 3);
  const double below = low - 0.06 * (high - low);
  range.low = low == 0 ? 0 : std::max(0.0, std::floor(below / range.step) * range.step);
  range.high = high + air * (high - range.low);
  return range;
}

void limitTicks(ValueRange& range, int most) {
  while ((range.high - range.low) / range.step > std::max(1, most)) {
    range.step = niceStep(range.step * 1.5);
  }
}

}  // namespace tileloom::charts
