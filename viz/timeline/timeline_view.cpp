// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "viz/timeline/timeline_painter.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {
namespace {

constexpr double kLeastCycles = 40;  // that are shown: some instructions
constexpr double kZoomPerNotch = 1.25;
constexpr double kDragFrom = 4;  // pixels

}  // namespace

TimelineView::TimelineView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::ClickFocus);
  setAccessibleName(tr("Timeline: what each warp does and waits for, on a virtual clock"));
}

void TimelineView::setData(TimelineData data) {
  const bool another = data.timeline != m_data.timeline;
  m_data = std::move(data);
  if (another) m_hovered.reset();
  m_picture.reset();
  setAccessibleName(m_data.measured
                        ? tr("Timeline: what each warp does and waits for, as timestamped on a GPU")
                        : tr("Timeline: what each warp does and waits for, on a virtual clock"));
  const QString sentence = timelineSentence(m_data);
  setAccessibleDescription(
      m_data.title.isEmpty() ? sentence : QStringLiteral("%1: %2").arg(m_data.title, sentence));
  updateGeometry();
  update();
}

void TimelineView::setOverSameAxis(const TimelineView* other) {
  m_other = other;
  m_picture.reset();
  update();
}

TimelineInput TimelineView::input(const QRectF& canvas, const Fonts& fonts) const {
  TimelineInput made = timelineInput(m_data, canvas, shown(), fonts);
  if (m_other != nullptr)
    made.names = std::max(made.names, timelineInput(m_other->m_data, {}, {}, fonts).names);
  return made;
}

void TimelineView::setSpan(std::optional<CycleSpan> span) {
  if (span == m_span) return;
  m_span = span;
  m_picture.reset();
  update();
}

CycleSpan TimelineView::shown() const {
  return m_span.value_or(usualSpan(m_data));
}

const TimelineGeometry& TimelineView::picture() const {
  if (!m_picture) m_picture = TimelineGeometry(input(QRectF(rect()), m_fonts), m_data);
  return *m_picture;
}

QSize TimelineView::minimumSizeHint() const {
  const TimelineInput least = input({}, m_fonts);
  const double height = TimelineGeometry::leastHeight(m_data, least.line, least.header);
  return {roomFor(48, 0).width(), std::max(120, static_cast<int>(std::ceil(height)))};
}

void TimelineView::paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
                           const Fonts& fonts) const {
  painter.fillRect(canvas, theme.ground);
  const TimelineGeometry geometry(input(canvas, fonts), m_data);
  paintTimeline(painter, m_data, geometry, std::nullopt, theme, fonts);
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  paintTimeline(painter, m_data, picture(), m_hovered, m_theme, m_fonts);
}

void TimelineView::resizeEvent(QResizeEvent*) {
  m_picture.reset();
}

void TimelineView::restyle() {
  m_picture.reset();
}

// Within the launch, and no closer than some instructions.
void TimelineView::show(double from, double to) {
  if (!m_data.ready()) return;
  const double end = std::max(kLeastCycles, m_data.timeline->cycles);
  const double length = std::clamp(to - from, kLeastCycles, end);
  const double first = std::clamp(from, 0.0, end - length);
  const CycleSpan span{static_cast<int>(std::floor(first)),
                       static_cast<int>(std::ceil(first + length))};
  if (span == shown()) return;
  setSpan(span);
  emit spanChanged();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  const double sideways = event->angleDelta().x() / 120.0;
  const TimelineGeometry& g = picture();
  const double length = g.to - g.from;
  if (notches != 0) {
    const double at = std::clamp(g.cycleAt(event->position().x()), g.from, g.to);
    const double factor = std::pow(kZoomPerNotch, -notches);
    show(at - (at - g.from) * factor, at + (g.to - at) * factor);
  } else if (sideways != 0) {
    show(g.from - sideways * length / 10, g.to - sideways * length / 10);
  }
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) m_grip = Grip{event->position(), shown(), false};
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (m_grip && (event->buttons() & Qt::LeftButton) != 0) {
    const double moved = event->position().x() - m_grip->at.x();
    if (!m_grip->moved && std::abs(moved) < kDragFrom) return;
    m_grip->moved = true;
    const double width = std::max(1.0, picture().plot.width());
    const double cycles = moved / width * (m_grip->span.to - m_grip->span.from);
    show(m_grip->span.from - cycles, m_grip->span.to - cycles);
    return;
  }
  const auto spot = picture().spotAt(m_data, event->position());
  if (spot == m_hovered) return;
  m_hovered = spot;
  update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_grip) return;
  const bool moved = m_grip->moved;
  m_grip.reset();
  if (moved) return;
  const auto spot = picture().spotAt(m_data, event->position());
  if (!spot) return;
  const timeline::Lane& lane = m_data.timeline->lanes[spot->lane];
  if (lane.kind != timeline::LaneKind::Warp) return;
  // A stall belongs to the instruction that cannot be issued.
  for (std::size_t i = spot->span; i < lane.spans.size(); ++i) {
    if (lane.spans[i].first == timeline::kNone) continue;
    emit picked(static_cast<int>(lane.number), static_cast<int>(lane.spans[i].first));
    return;
  }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent*) {
  if (!m_span) return;
  setSpan(std::nullopt);
  emit spanChanged();
}

void TimelineView::leaveEvent(QEvent*) {
  if (!m_hovered) return;
  m_hovered.reset();
  update();
}

bool TimelineView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto spot = picture().spotAt(m_data, help->pos())) {
      QToolTip::showText(help->globalPos(), spanText(m_data, *spot), this);
    } else if (m_data.ready() && picture().header.contains(help->pos())) {
      // All words, which may not fit into the picture.
      QString words = timelineSentence(m_data);
      if (!m_data.remark.isEmpty()) words += QLatin1Char('\n') + m_data.remark;
      if (m_data.measured) {
        for (const QString& more : {sharesText(m_data), disagreementText(*m_data.beside)}) {
          if (!more.isEmpty()) words += QLatin1Char('\n') + more;
        }
      }
      QToolTip::showText(help->globalPos(), words, this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return PaintedView::event(event);
}

}  // namespace tileloom
