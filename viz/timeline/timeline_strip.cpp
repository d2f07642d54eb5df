// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/timeline/timeline_strip.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/vector_widget.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/timeline/timeline_painter.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {
namespace {

constexpr double kTilesAcross = 2.5;  // K tiles across the strip
constexpr int kPiece = 480;           // pixels width in pixels of a cached picture
constexpr double kOver = 8;           // pixels that are laid out beyond both of its ends
// The place of the instant, as a share of the width: after a jump; the last one while playing; the
// outermost ones at rest.
constexpr double kUsual = 0.4, kPlaying = 0.6, kFirst = 0.02, kLast = 0.98;
constexpr double kCatchUp = 0.2;  // of the distance, in each frame
constexpr int kBetween = 3;       // pixels below the rows
constexpr int kTop = 2;           // above them
constexpr double kNameMargin = 8;
constexpr double kMostOfAxis = 0.6;  // of its width, for the words at its end

QString cycleText(double cycle) {
  return TimelineStrip::tr("cycle ≈ %1").arg(figures::grouped(cycle));
}

}  // namespace

TimelineStrip::TimelineStrip(QWidget* parent) : PaintedView(parent) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Timeline around the present instruction, on a virtual clock"));
}

int TimelineStrip::heightOf(TimelineRows rows) const {
  const double line = std::ceil(QFontMetricsF(m_fonts.small).height());
  // As many rows as TimelineGeometry lays out, each a bit lower than a line of text; the watched
  // warp's is higher, for its words.
  return static_cast<int>(std::ceil(rows == TimelineRows::Fewest ? 3.1 * line : 5.5 * line)) +
         4 * kBetween + kTop;
}

void TimelineStrip::setRows(TimelineRows rows) {
  if (rows == m_rows) return;
  m_rows = rows;
  forgetPicture();
  updateGeometry();
  update();
}

double TimelineStrip::length() const {
  if (!m_data.ready()) return 1;
  // With the usual latency, so that slower memory looks longer.
  const double tile = m_data.usualCycles > 0 ? m_data.usualCycles : m_data.timeline->cycles;
  return std::max(1.0, std::min(kTilesAcross * tile, m_data.timeline->cycles));
}

void TimelineStrip::setData(TimelineData data) {
  const bool another = data.timeline != m_data.timeline;
  const bool otherRow = data.warp != m_data.warp;
  // With another timeline the instant stays in its place, if it was in sight.
  double place = kUsual;
  if (another && m_data.now && m_data.ready()) {
    const double before = (*m_data.now - m_from) / length();
    if (before >= kFirst && before <= kLast) place = before;
  }
  m_data = std::move(data);
  if (another || otherRow) forgetPicture();
  if (another) {
    setAccessibleDescription(timelineSentence(m_data));
    m_from = m_data.now.value_or(0) - place * length();
    limit();
  }
  follow();
  update();
}

void TimelineStrip::setSide(const QString& side) {
  if (side == m_side) return;
  m_side = side;
  update();
}

void TimelineStrip::centre() {
  m_from = m_data.now.value_or(m_from) - kUsual * length();
  limit();
  update();
}

// Time before the launch and after its end is not shown if the launch fills the strip.
void TimelineStrip::limit() {
  if (!m_data.ready()) return;
  m_from = std::clamp(m_from, 0.0, std::max(0.0, m_data.timeline->cycles - length()));
}

void TimelineStrip::follow() {
  if (!m_data.ready() || !m_data.now || m_seeking) return;
  const double place = (*m_data.now - m_from) / length();
  const bool scrolls = m_playing && !m_still && place >= kFirst && place <= kLast;
  if (scrolls) {
    if (place > kPlaying) m_from += kCatchUp * (place - kPlaying) * length();
  } else if (place < kFirst || place > kLast) {
    m_from = *m_data.now - (m_playing && m_still ? kFirst : kUsual) * length();
  }
  limit();
}

void TimelineStrip::forgetPicture() {
  m_frame.reset();
  m_pieces.clear();
}

TimelineGeometry TimelineStrip::geometry(const QRectF& canvas, double names, double from,
                                         double to) const {
  TimelineInput input = timelineInput(m_data, canvas, {}, m_fonts);
  input.rows = m_rows;
  input.header = 0;
  input.names = names;
  input.from = from;
  input.to = to;
  return {input, m_data};
}

const TimelineGeometry& TimelineStrip::frame() const {
  if (!m_frame) {
    const double latest = m_data.ready() ? m_data.timeline->cycles : 0;
    const double names =
        std::max(timelineInput(m_data, {}, {}, m_fonts).names,
                 QFontMetricsF(leaning()).horizontalAdvance(cycleText(latest)) + kNameMargin + 2);
    m_frame = geometry(QRectF(rect()).adjusted(8, kTop, -10, 0), names, -2, -1);
  }
  return *m_frame;
}

TimelineGeometry TimelineStrip::picture() const {
  const double left = std::round(m_from * perCycle()) / perCycle();
  return geometry(QRectF(rect()).adjusted(8, kTop, -10, 0), frame().names.width(), left,
                  left + length());
}

double TimelineStrip::perCycle() const {
  return std::max(1.0, frame().plot.width()) / length();
}

const QPixmap& TimelineStrip::piece(int number) const {
  const auto kept = m_pieces.find(number);
  if (kept != m_pieces.end()) return kept->second;
  if (m_pieces.size() > 12) m_pieces.clear();
  const double ratio = devicePixelRatioF();
  QPixmap made(QSize(qRound(kPiece * ratio), qRound(height() * ratio)));
  made.setDevicePixelRatio(ratio);
  made.fill(m_theme.ground);
  QPainter painter(&made);
  paintPiece(painter, number);
  painter.end();
  return m_pieces.emplace(number, std::move(made)).first->second;
}

void TimelineStrip::paintPiece(QPainter& painter, int number) const {
  const QRectF canvas(-kOver, kTop, kPiece + 2 * kOver, height() - kTop);
  const double first = number * double(kPiece) - kOver;
  paintCondensedTimeline(
      painter, m_data,
      geometry(canvas, 0, first / perCycle(), (first + canvas.width()) / perCycle()), m_theme,
      m_fonts);
}

QFont TimelineStrip::leaning() const {
  QFont italic = m_fonts.small;
  italic.setItalic(true);
  return italic;
}

TimelineStrip::End TimelineStrip::endOfAxis() const {
  const TimelineGeometry& g = frame();
  const QString slower = slowerText(m_data), turn = turnText(m_data);
  QString predicted = slower.isEmpty() ? tr("predicted") : tr("predicted, %1").arg(slower);
  if (!m_side.isEmpty()) predicted = QStringLiteral("%1: %2").arg(m_side, predicted);
  const QString both = QStringLiteral("%1 · %2").arg(turn, predicted);
  const auto widthOf = [&](const QString& words) {
    return QFontMetricsF(leaning()).horizontalAdvance(words) + 14;
  };
  // The K tile of the warp, which the loom names, beside the one that is multiplied.
  const bool room = !turn.isEmpty() && widthOf(both) <= kMostOfAxis * g.axis.width();
  const QString words = room ? both : predicted;
  const double width = widthOf(words);
  return {words, QRectF(g.axis.right() - width, kTop, width, g.axis.height())};
}

void TimelineStrip::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), m_theme.ground);
  p.setPen(hairline(m_theme.line));
  p.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
  const QFontMetricsF small(m_fonts.small);
  if (!m_data.ready()) {
    p.setFont(m_fonts.small);
    p.setPen(m_theme.soft);
    p.drawText(rect(), Qt::AlignCenter, fitted(m_data.trouble, small, width()));
    return;
  }
  const TimelineGeometry& g = frame();
  const QRectF shown(g.plot.left(), 1, g.plot.width(), height() - 1);
  p.save();
  p.setClipRect(shown);
  const double offset = std::round(m_from * perCycle());
  const int first = static_cast<int>(std::floor(offset / kPiece));
  for (int i = first; i * double(kPiece) < offset + shown.width(); ++i) {
    const QPointF at(shown.left() + i * double(kPiece) - offset, 0);
    if (!paintsVectors(p)) {
      p.drawPixmap(at, piece(i));
      continue;
    }
    p.save();
    p.translate(at);
    p.setClipRect(QRectF(0, 0, kPiece, height()), Qt::IntersectClip);
    paintPiece(p, i);
    p.restore();
  }
  const End end = endOfAxis();
  std::optional<double> instant;
  if (m_data.now) instant = g.plot.left() + *m_data.now * perCycle() - offset;
  paintCondensedWords(p, m_data, picture(), end.plate.left(), instant, m_theme, m_fonts);
  p.restore();
  paintRowNames(p, m_data, g, m_theme, m_fonts);
  if (m_data.another) {
    p.fillRect(QRectF(rect()), dimmed(m_theme));
    p.setFont(m_fonts.small);
    p.setPen(m_theme.text);
    return p.drawText(QRectF(rect()), Qt::AlignCenter, timelineFigure(m_data));
  }

  // Predicted values have a dotted frame and italics.
  QPen dots = hairline(m_theme.faint);
  dots.setDashPattern({1.5, 2.5});
  p.setPen(dots);
  p.setBrush(Qt::NoBrush);
  p.drawRect(g.plot);
  p.setFont(leaning());
  p.fillRect(end.plate, m_theme.ground);
  p.setPen(m_theme.soft);
  p.drawText(end.plate.adjusted(0, 0, -4, 0), Qt::AlignRight | Qt::AlignVCenter, end.words);
  if (!m_data.now) return;
  p.setPen(m_theme.text);
  p.drawText(QRectF(g.names.left(), kTop, g.names.width() - kNameMargin, g.axis.height()),
             Qt::AlignRight | Qt::AlignVCenter, cycleText(*m_data.now));

  const double x = instant.value_or(0);
  if (x < g.plot.left() - 1 || x > g.plot.right() + 1) return;
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(hairline(m_theme.accent, 1.6));
  p.drawLine(QPointF(x, g.axis.top() + 3), QPointF(x, g.plot.bottom()));
  p.setBrush(m_theme.accent);
  p.drawPolygon(QPolygonF({QPointF(x - 4, g.axis.top() + 2), QPointF(x + 4, g.axis.top() + 2),
                           QPointF(x, g.axis.top() + 7)}));
  for (const TimelineRow& row : g.rows) {
    if (row.kind == TimelineRow::Kind::Warp)
      p.drawEllipse(QPointF(x, row.rect.center().y()), 2.6, 2.6);
  }
}

void TimelineStrip::resizeEvent(QResizeEvent*) {
  forgetPicture();
  follow();
}

void TimelineStrip::restyle() {
  forgetPicture();
  updateGeometry();
}

void TimelineStrip::seek(double x) {
  if (!m_data.ready()) return;
  const TimelineGeometry& g = frame();
  const double at = std::clamp(x, g.plot.left(), g.plot.right());
  const double offset = std::round(m_from * perCycle());
  emit sought((at - g.plot.left() + offset) / perCycle());
}

void TimelineStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (!m_data.ready() || event->position().x() < frame().plot.left()) return;
  m_seeking = true;  // the shown time stays in place
  seek(event->position().x());
}

void TimelineStrip::mouseMoveEvent(QMouseEvent* event) {
  if (m_seeking) seek(event->position().x());
}

void TimelineStrip::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_seeking) return;
  m_seeking = false;
  follow();
  update();
}

void TimelineStrip::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit opened();
}

bool TimelineStrip::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const TimelineGeometry g = picture();
    const TimelineColumn* column = g.columnAt(help->pos());
    QString text =
        tr("When each warp works and waits, on a predicted clock. A click or a drag goes to that "
           "time; a double click opens the page Timeline.");
    if (const auto spot = g.spotAt(m_data, help->pos())) {
      text = spanText(m_data, *spot);
    } else if (m_data.ready() && column != nullptr) {
      text = columnText(m_data, *column);
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return PaintedView::event(event);
}

}  // namespace tileloom
