// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <optional>

#include "viz/base/paint/marks.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/charts/history/history_moves.h"
#include "viz/charts/history/history_panel.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::HistoryCharts)
};

constexpr double kRadius = 3.2;
constexpr double kOverhang = 8;  // by which marks and numbers may leave the axes
constexpr double kCap = 2.5;     // half the width of an error bar's end
constexpr double kLeastRadius = 1.4;
constexpr double kBarShare = 0.45;  // of ink in a bar from the least to the greatest value

}  // namespace

PanelMarks::PanelMarks(QCPAxisRect* rect, const HistoryState& state, HistoryPanel panel)
    : QCPLayerable(rect->parentPlot(), QStringLiteral("main")),
      m_rect(rect),
      m_state(state),
      m_panel(panel) {}

void PanelMarks::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

double PanelMarks::xOf(double move) const {
  return m_rect->axis(QCPAxis::atBottom)->coordToPixel(move);
}
double PanelMarks::yOf(double value) const {
  return m_rect->axis(QCPAxis::atLeft)->coordToPixel(value);
}
double PanelMarks::pointWidth() const {
  return m_rect->width() / static_cast<double>(m_state.window.capacity());
}

double PanelMarks::radius() const {
  return std::clamp(0.28 * pointWidth(), kLeastRadius, kRadius);
}

bool PanelMarks::isPointed(int index) const {
  return index == m_state.shown() && (m_state.hovered >= 0 || m_state.cursor >= 0);
}

// Whether the point is drawn in full at any density: it is hovered, chosen or current.
bool PanelMarks::standsOut(int index) const {
  return isPointed(index) || index == m_state.current || m_state.at(index).measuring;
}

std::vector<HistoryBin> PanelMarks::bins(int most, const ValueOf& value) const {
  return binsOf(m_state.points, m_state.window.first(), m_state.window.last(), most, value);
}

QPointF PanelMarks::positionOf(int index, double value) const {
  return {xOf(index + 1), yOf(value)};
}

QPointF PanelMarks::markOf(int index) const {
  const auto sample = sampleOf(m_state.at(index), m_panel);
  return sample ? positionOf(index, sample->value)
                : QPointF(xOf(index + 1), m_rect->bottom() - 2.5 * kRadius);
}

// The columns of the present tile and of the mouse or the keys.
void PanelMarks::drawColumns(QCPPainter& p) const {
  const double half = std::clamp(pointWidth() / 2, 4.0, 9.0);
  const QRectF r(m_rect->rect());
  if (m_state.current >= 0 && m_state.current < m_state.count()) {
    const double x = xOf(m_state.current + 1);
    p.fillRect(QRectF(x - half, r.top(), 2 * half, r.height()), m_state.theme.well);
  }
  const int pointed = m_state.hovered >= 0 ? m_state.hovered : m_state.cursor;
  if (pointed >= 0 && pointed < m_state.count()) {
    p.setPen(hairline(m_state.theme.soft));
    p.drawLine(QPointF(xOf(pointed + 1), r.top()), QPointF(xOf(pointed + 1), r.bottom()));
  }
}

// A line between the last move on one rung and the first on another.
std::vector<QRectF> PanelMarks::drawRungs(QCPPainter& p, bool through) const {
  std::vector<QRectF> names;
  const QRectF r(m_rect->rect());
  const Theme& theme = m_state.theme;
  const QFontMetricsF metrics(m_state.fonts.small);
  double from = r.left();
  const auto nameRung = [&](const Stage* stage, double to) {
    if (!m_rungsNamed || stage == nullptr) return;
    QString text = Words::tr("rung %1").arg(figures::rungText(*stage));
    if (metrics.horizontalAdvance(text) > to - from - 6) text = figures::rungText(*stage);
    if (metrics.horizontalAdvance(text) > to - from - 3) return;
    p.setFont(m_state.fonts.small);
    p.setPen(theme.soft);
    p.drawText(QPointF(from + 3, r.top() - metrics.descent() - 1), text);
    names.emplace_back(from + 3, r.top() - metrics.height(), metrics.horizontalAdvance(text),
                       metrics.height());
  };
  for (int i = m_state.window.first(); i <= m_state.window.last(); ++i) {
    if (i == 0 || m_state.at(i).rung() == m_state.at(i - 1).rung()) continue;
    const double x = xOf(i + 0.5);
    if (x <= r.left() || x >= r.right()) continue;
    nameRung(m_state.at(i - 1).rung(), x);
    p.setPen(hairline(theme.faint));
    const double rise = m_rungsNamed ? metrics.height() : 0;
    from = x;
    if (!through && !m_rungsNamed) continue;  // a line of no length is still a dot
    p.drawLine(QPointF(x, r.top() - rise), QPointF(x, through ? r.bottom() : r.top()));
  }
  if (m_state.window.last() >= 0) nameRung(m_state.at(m_state.window.last()).rung(), r.right());
  return names;
}

// Across all moves, with its name at its end.
void PanelMarks::drawBaseline(QCPPainter& p) const {
  if (!m_state.baseline) return;
  const auto sample = sampleOf(*m_state.baseline, m_panel);
  if (!sample) return;
  const QRectF r(m_rect->rect());
  const double y = yOf(sample->value);
  if (y < r.top() - 1 || y > r.bottom() + 1) return;
  QPen pen = hairline(m_state.theme.accent, 1.4);
  pen.setDashPattern({7.0, 2.0, 1.5, 2.0});
  p.setPen(pen);
  p.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
  // Its name must not touch the marks or the name of another line.
  const QFontMetricsF metrics(m_state.fonts.small);
  std::optional<double> other;
  if (m_panel == HistoryPanel::Ratio) other = 100;
  if (m_panel == HistoryPanel::Registers) other = kMostRegisters;
  for (const HistoryPoint& point : m_state.visible()) {
    if (const auto value = referenceOf(point, m_panel)) other = value;
  }
  double middle = y;
  if (other && std::abs(yOf(*other) - y) < metrics.height())
    middle = yOf(*other) + (y < yOf(*other) ? -1 : 1) * metrics.height();
  p.setFont(m_state.fonts.small);
  p.setPen(m_state.theme.text);
  p.drawText(QPointF(r.right() + 5, middle + metrics.capHeight() / 2), Words::tr("baseline"));
}

void PanelMarks::drawReference(QCPPainter& p, double value, const QString& label) const {
  const QRectF r(m_rect->rect());
  const double y = yOf(value);
  if (y < r.top() - 1 || y > r.bottom() + 1) return;
  const QFontMetricsF metrics(m_state.fonts.small);
  p.setFont(m_state.fonts.small);
  p.setPen(m_state.theme.soft);
  p.drawText(QPointF(r.right() + 5, y + metrics.capHeight() / 2), label);
}

// cuBLAS of the same run, and the counted occupancy beside the predicted one: one step per run,
// thin and without marks. The name is in the margin, where nothing else is drawn.
void PanelMarks::drawReferences(QCPPainter& p) const {
  const QRectF r(m_rect->rect());
  const QPen pen = hairline(m_state.theme.soft);
  if (m_panel == HistoryPanel::Speed || m_panel == HistoryPanel::Occupancy) {
    std::optional<double> latest;
    p.save();
    p.setClipRect(r);
    p.setPen(pen);
    // Dense moves are drawn as medians of several moves: single steps would look like a comb.
    const int most = density() == HistoryDensity::Roomy ? 1 : movesPerMedian(pointWidth());
    const HistoryBin* previous = nullptr;
    const auto all =
        bins(most, [this](const HistoryPoint& point) { return referenceOf(point, m_panel); });
    for (const HistoryBin& bin : all) {
      const double y = yOf(bin.median), left = xOf(bin.first + 0.5);
      p.drawLine(QPointF(left, y), QPointF(xOf(bin.last + 1.5), y));
      if (previous != nullptr && previous->last + 1 == bin.first &&
          joined(m_state.at(previous->last), m_state.at(bin.first)))
        p.drawLine(QPointF(left, yOf(previous->median)), QPointF(left, y));
      latest = bin.median;
      previous = &bin;
    }
    p.restore();
    if (latest) {
      drawReference(p, *latest,
                    m_panel == HistoryPanel::Speed ? Words::tr("cuBLAS") : Words::tr("achieved"));
    }
    return;
  }
  const bool ceiling = m_panel == HistoryPanel::Registers;
  const double value = ceiling ? kMostRegisters : 100;
  const double y = yOf(value);
  if (y < r.top() - 1 || y > r.bottom() + 1) return;
  p.setPen(pen);
  p.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
  drawReference(p, value, ceiling ? Words::tr("255 limit") : Words::tr("cuBLAS"));
}

// Predictions: a dotted box with its median, unlike any measurement.
void PanelMarks::drawBands(QCPPainter& p) const {
  const double half = std::clamp(pointWidth() / 2 - 2, 2.5, 7.0);
  p.setBrush(Qt::NoBrush);
  p.setPen(hairline(m_state.theme.soft, 1.0, Qt::DotLine));
  for (int i = m_state.window.first(); i <= m_state.window.last(); ++i) {
    const auto band = bandOf(m_state.at(i), m_panel);
    if (!band) continue;
    const bool whole = density() == HistoryDensity::Roomy || standsOut(i);
    // A measurement replaces overlapping boxes.
    if (!whole && sampleOf(m_state.at(i), m_panel)) continue;
    const double x = xOf(i + 1);
    if (whole)
      p.drawRect(QRectF(QPointF(x - half, yOf(band->high)), QPointF(x + half, yOf(band->low))));
    p.drawLine(QPointF(x - half, yOf(band->value)), QPointF(x + half, yOf(band->value)));
  }
}

// From each move to the next of the same drag and, with enough room, faintly to the next drag.
// Without room such lines would look like a comb.
void PanelMarks::drawLines(QCPPainter& p) const {
  const std::vector<bool> dragged = sameDrag(m_state.points);
  for (int i = std::max(1, m_state.window.first()); i <= m_state.window.last(); ++i) {
    const HistoryPoint& a = m_state.at(i - 1);
    const HistoryPoint& b = m_state.at(i);
    if (!joined(a, b)) continue;
    if (!sampleOf(a, m_panel) || !sampleOf(b, m_panel)) continue;
    const bool same = dragged[static_cast<std::size_t>(i)];
    if (!same && density() != HistoryDensity::Roomy) continue;
    QPen pen = figures::linePen(b.freshness, m_state.theme);
    if (!same) pen = hairline(m_state.theme.faint, 1, pen.style());
    p.setPen(pen);
    p.drawLine(markOf(i - 1), markOf(i));
  }
}

// For dense moves: lines from median to median of several moves.
void PanelMarks::drawMedians(QCPPainter& p) const {
  const HistoryBin* previous = nullptr;
  const auto all = bins(movesPerMedian(pointWidth()), [this](const HistoryPoint& point) {
    const auto sample = sampleOf(point, m_panel);
    return sample ? std::optional(sample->value) : std::nullopt;
  });
  const auto at = [this](const HistoryBin& bin) {
    return QPointF(xOf(bin.middle() + 1), yOf(bin.median));
  };
  for (const HistoryBin& bin : all) {
    QPen pen = figures::linePen(m_state.at(bin.first).freshness, m_state.theme);
    pen.setWidthF(2);
    p.setPen(pen);
    const bool follows = previous != nullptr &&
                         joined(m_state.at(previous->last), m_state.at(bin.first)) &&
                         previous->last + 1 == bin.first;
    if (follows) {
      p.drawLine(at(*previous), at(bin));
    } else {  // the first of a rung: a level as wide as its moves
      p.drawLine(QPointF(xOf(bin.first + 0.7), at(bin).y()), at(bin));
    }
    previous = &bin;
  }
}

void PanelMarks::drawBars(QCPPainter& p) const {
  const Theme& theme = m_state.theme;
  const auto all = bins(movesPerBar(pointWidth()), [this](const HistoryPoint& point) {
    const auto sample = sampleOf(point, m_panel);
    return sample ? std::optional(sample->value) : std::nullopt;
  });
  for (const HistoryBin& bin : all) {
    const QRectF bar(
        QPointF(xOf(bin.first + 0.6), yOf(bin.high) - 1),
        QPointF(std::max(xOf(bin.last + 1.4), xOf(bin.first + 0.6) + 1.5), yOf(bin.low) + 1));
    const Freshness freshness = m_state.at(bin.first).freshness;
    const QColor ink = Theme::mix(theme.panel, figures::inkOf(freshness, theme), kBarShare);
    // Live: full. Recorded: hollow. Stale: a thin line.
    if (freshness == Freshness::Live) {
      p.fillRect(bar, ink);
    } else if (freshness == Freshness::Recorded) {
      p.setPen(hairline(ink));
      p.drawRect(bar.adjusted(0.5, 0, -0.5, 0));
    } else {
      p.setPen(hairline(ink));
      p.drawLine(QPointF(bar.center().x(), bar.top()), QPointF(bar.center().x(), bar.bottom()));
    }
  }
}

void PanelMarks::drawInterval(QCPPainter& p, int index, const Sample& sample) const {
  if (sample.high <= sample.low) return;
  const QPointF top = positionOf(index, sample.high), bottom = positionOf(index, sample.low);
  p.setPen(hairline(figures::inkOf(m_state.at(index).freshness, m_state.theme)));
  p.drawLine(top, bottom);
  // Caps that the mark would cover make it look square.
  if (bottom.y() - top.y() <= 2 * kRadius) return;
  p.drawLine(top - QPointF(kCap, 0), top + QPointF(kCap, 0));
  p.drawLine(bottom - QPointF(kCap, 0), bottom + QPointF(kCap, 0));
}

void PanelMarks::drawMarks(QCPPainter& p) const {
  const Theme& theme = m_state.theme;
  const HistoryDensity density = this->density();
  const double foot = m_rect->bottom();
  for (int i = m_state.window.first(); i <= m_state.window.last(); ++i) {
    const HistoryPoint& point = m_state.at(i);
    const auto sample = sampleOf(point, m_panel);
    const QPointF at = markOf(i);
    if (!sample) {
      if (!point.measuring) continue;
      p.setPen(hairline(theme.soft, 1.0, Qt::DotLine));
      p.drawEllipse(at, 2 * kRadius, 2 * kRadius);
      continue;
    }
    if (m_panel == HistoryPanel::Registers && point.spillBytes > 0) {
      const double half = std::clamp(pointWidth() / 2 - 1, 1.0, 6.0);
      figures::drawHatch(p, QRectF(QPointF(at.x() - half, at.y()), QPointF(at.x() + half, foot)),
                         theme.trouble);
    }
    const bool full = density == HistoryDensity::Roomy || standsOut(i);
    if (density == HistoryDensity::Dense && !full) continue;  // in a bar
    if (full) drawInterval(p, i, *sample);
    const double usual = full ? kRadius : radius();
    figures::drawMark(p, at, point.freshness, theme, isPointed(i) ? kRadius + 1 : usual);
    const bool measured = m_panel == HistoryPanel::Speed || m_panel == HistoryPanel::Ratio;
    if (point.measuring && measured) {
      p.setPen(hairline(theme.soft));
      p.drawEllipse(at, 2 * kRadius + 0.5, 2 * kRadius + 0.5);
    }
  }
}

// The number that a mark carries; empty for most.
QString PanelMarks::numberOf(int index, int before) const {
  const HistoryPoint& point = m_state.at(index);
  if (!sampleOf(point, m_panel)) return {};
  if (m_panel == HistoryPanel::Registers && point.spillBytes > 0) {
    return Words::tr("%1 B").arg(point.spillBytes);
  }
  if (m_panel != HistoryPanel::Occupancy) return {};
  // Blocks per SM where they change.
  if (before >= 0 && m_state.at(before).blocks == point.blocks) return {};
  return QString::number(point.blocks);
}

void PanelMarks::drawNumbers(QCPPainter& p, const std::vector<QRectF>& taken) const {
  const QFontMetricsF metrics(m_state.fonts.small);
  const QRectF r(m_rect->rect());
  p.setFont(m_state.fonts.small);
  p.setPen(m_panel == HistoryPanel::Registers ? m_state.theme.trouble : m_state.theme.soft);
  double free = r.right() + 1;
  bool told = false;
  // From the latest on, so that older numbers are dropped on overlap.
  for (int i = m_state.window.last(); i >= m_state.window.first(); --i) {
    QString number = numberOf(i, i - 1);
    if (number.isEmpty()) continue;
    if (m_panel == HistoryPanel::Occupancy && !told) {
      // The latest number has the unit.
      number = counted(m_state.at(i).blocks, Words::tr("1 block"), Words::tr("%1 blocks"));
    }
    const QPointF at = markOf(i);
    const double width = metrics.horizontalAdvance(number);
    const double right = std::min(at.x() + width / 2, r.right() + 0.0);
    if (right > free || right - width < r.left()) continue;
    const double above = at.y() - kRadius - 3;
    const QRectF upper(right - width - 1, above - metrics.capHeight() - 1, width + 2,
                       metrics.capHeight() + 3);
    const bool fits =
        upper.top() + 1 > r.top() - kOverhang &&
        std::ranges::none_of(taken, [&](const QRectF& name) { return name.intersects(upper); });
    // A spill is always shown; blocks per SM are in the headline too.
    if (!fits && m_panel == HistoryPanel::Occupancy) continue;
    const double base = fits ? above : at.y() + kRadius + metrics.ascent();
    // A number between lines gets a background.
    if (!fits || m_panel == HistoryPanel::Occupancy) {
      p.fillRect(QRectF(right - width - 1, base - metrics.capHeight() - 1, width + 2,
                        metrics.capHeight() + 3),
                 m_state.theme.panel);
    }
    p.drawText(QPointF(right - width, base), number);
    free = right - width - 5;
    told = true;
  }
}

void PanelMarks::draw(QCPPainter* painter) {
  QCPPainter& p = *painter;
  const QRectF r(m_rect->rect());
  if (m_state.points.empty()) return;
  p.setBrush(Qt::NoBrush);
  p.save();
  p.setClipRect(r);
  drawColumns(p);
  p.restore();
  const bool any = std::ranges::any_of(m_state.visible(), [this](const HistoryPoint& point) {
    return sampleOf(point, m_panel).has_value() || bandOf(point, m_panel).has_value();
  });
  drawBaseline(p);
  // No line crosses the sentence of an empty panel.
  const std::vector<QRectF> names = drawRungs(p, any);
  drawReferences(p);
  p.save();
  // Marks at the edge keep their outer half, marks in the middle of a drag do not reach the labels.
  p.setClipRect(r.adjusted(-1, -kOverhang, 1, kOverhang));
  drawBands(p);
  switch (density()) {
    case HistoryDensity::Roomy:
      drawLines(p);
      drawMarks(p);
      break;
    case HistoryDensity::Close:
      drawLines(p);
      drawMarks(p);
      break;
    case HistoryDensity::Dense:
      drawBars(p);
      drawMedians(p);
      drawMarks(p);
      break;
  }
  drawNumbers(p, names);
  p.restore();
  drawMoveWord(p);
  if (m_movesNamed) drawMoveNames(p);
  if (any) return;
  p.setFont(m_state.fonts.small);
  p.setPen(m_state.theme.soft);
  drawWrapped(p, r.adjusted(8, 2, -8, -2), Qt::AlignCenter, emptySentence(m_panel));
}

// Names each move if all names fit beside each other, else each run of moves of one tile parameter
// whose name fits.
void PanelMarks::drawMoveNames(QCPPainter& p) const {
  const QFontMetricsF metrics(m_state.fonts.small);
  const QRectF r(m_rect->rect());
  const double top = r.bottom() + 5 + metrics.height();
  const int first = m_state.window.first(), last = m_state.window.last();
  p.setFont(m_state.fonts.small);
  const auto write = [&](double from, double to, const QString& text) {
    p.setPen(m_state.theme.soft);
    p.drawText(QRectF(from, top, to - from, metrics.height()),
               static_cast<int>(Qt::AlignCenter) | Qt::TextDontClip, text);
  };
  const double room = pointWidth() - 5;
  QStringList each;
  bool fit = true;
  for (int i = first; i <= last; ++i) {
    each += moveText(m_state.points, i);
    fit = fit && metrics.horizontalAdvance(each.last()) <= room;
  }
  if (fit) {
    for (int i = first; i <= last; ++i) write(xOf(i + 0.5), xOf(i + 1.5), each[i - first]);
    return;
  }
  for (const MoveRun& run : moveRuns(m_state.points, first, last)) {
    const double from = std::max(r.left(), xOf(run.first + 0.6));
    const double to = std::min(r.right(), xOf(run.last + 1.4));
    // A bracket over the moves that the name is for.
    if (run.last > run.first) {
      p.setPen(hairline(m_state.theme.faint));
      p.drawLine(QPointF(from, top - 0.5), QPointF(to, top - 0.5));
    }
    const double wide = to - from + 0.2 * pointWidth() - 3;
    for (const QString& text : {run.full, run.brief}) {
      if (metrics.horizontalAdvance(text) > wide) continue;
      write(from, to, text);
      break;
    }
  }
}

// The title of the numbers below, if the labels of both axes leave a corner free.
void PanelMarks::drawMoveWord(QCPPainter& p) const {
  if (!m_rect->axis(QCPAxis::atBottom)->tickLabels()) return;
  const QFontMetricsF metrics(m_state.fonts.small);
  const QString word = Words::tr("move");
  p.setFont(m_state.fonts.small);
  p.setPen(m_state.theme.faint);
  p.drawText(QPointF(m_rect->left() - 6 - metrics.horizontalAdvance(word),
                     m_rect->bottom() + 5 + metrics.ascent()),
             word);
}

}  // namespace tileloom::charts
