// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "viz/base/text/wrapped_text.h"
#include "viz/code/loop/loop_painter.h"
#include "viz/code/loop/loop_words.h"

namespace tileloom {
namespace {

constexpr double kFewest = 24;   // least number of visible cycles
constexpr double kStep = 1.25;   // by which a notch of the wheel or a key zooms
constexpr double kStride = 0.2;  // step of an arrow key, as a share of the visible part
constexpr double kNotch = 120;   // of QWheelEvent

constexpr QMarginsF kNoteMargins(16, 8, 16, 8);
constexpr int kNoteFlags = Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap;

void paintNote(QPainter& painter, const QRectF& canvas, const QString& note, const Theme& theme,
               const Fonts& fonts) {
  painter.setFont(fonts.body);
  painter.setPen(theme.soft);
  drawWrapped(painter, canvas.marginsRemoved(kNoteMargins), Qt::AlignTop | Qt::AlignLeft, note);
}

double noteHeight(const QString& note, double width, const Fonts& fonts) {
  const QRectF room = QRectF(0, 0, width, QWIDGETSIZE_MAX).marginsRemoved(kNoteMargins);
  return QFontMetricsF(fonts.body).boundingRect(room, kNoteFlags, note).height() +
         kNoteMargins.top() + kNoteMargins.bottom();
}

}  // namespace

LoopView::LoopView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("The main loop as compiled, above the rewritten one"));
}

void LoopView::setData(LoopData data) {
  if (data.study != m_data.study) m_window = {};
  m_data = std::move(data);
  m_rows = loopRows(m_data);
  m_waits = loopWaits(m_data);
  m_geometry.reset();
  m_hover.reset();
  QString text = loopSentence(m_data);
  if (!m_waits.empty()) text += QStringLiteral(". ") + waitsSentence(m_waits);
  setAccessibleDescription(text);
  updateGeometry();
  update();
}

const LoopGeometry& LoopView::geometry() {
  if (!m_geometry)
    m_geometry = LoopGeometry::of(m_data, m_rows, m_waits, QRectF(rect()), m_fonts, m_window);
  return *m_geometry;
}

double LoopView::length() const {
  if (!m_data.ready()) return 0;
  const auto of = [](const rewrite::TurnFacts& facts) {
    return facts.time.issued.empty() ? 0
                                     : std::max(facts.time.cycles, facts.time.issued.back() + 1.0);
  };
  const double untouched = of(m_data.study->untouched);
  return m_data.possible() ? std::max(untouched, of(m_data.shown().facts)) : untouched;
}

void LoopView::setWindow(const LoopWindow& window) {
  const double all = length();
  LoopWindow next = window;
  if (!next.whole()) {
    const double shown = std::clamp(next.to - next.from, std::min(kFewest, all), all);
    next.from = std::clamp(next.from, 0.0, all - shown);
    next.to = next.from + shown;
    if (shown >= all) next = {};
  }
  if (next == m_window) return;
  m_window = next;
  m_geometry.reset();
  update();
}

void LoopView::zoom(double factor, double about) {
  const LoopWindow now = geometry().window;
  const double from = about - (about - now.from) / factor;
  setWindow({from, from + (now.to - now.from) / factor});
}

void LoopView::move(double cycles) {
  if (m_window.whole()) return;
  const double shown = m_window.to - m_window.from;
  const double from = std::clamp(m_window.from + cycles, 0.0, length() - shown);
  setWindow({from, from + shown});
}

QSize LoopView::minimumSizeHint() const {
  if (!m_data.ready()) {
    const double note = noteHeight(m_data.note, std::max(420, width()), m_fonts);
    return {420, std::max(120, static_cast<int>(std::ceil(note)))};
  }
  // It depends on the width of the view: in a narrow one the rows are below.
  return {420,
          static_cast<int>(std::ceil(LoopGeometry::leastHeight(m_data, m_rows, width(), m_fonts)))};
}

int LoopView::usualHeight(bool withWaits) const {
  return static_cast<int>(std::ceil(LoopGeometry::usualHeight(m_fonts, withWaits)));
}

void LoopView::paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
                       const Fonts& fonts) const {
  painter.fillRect(canvas, theme.ground);
  if (!m_data.ready()) return paintNote(painter, canvas, m_data.note, theme, fonts);
  const auto geometry = LoopGeometry::of(m_data, m_rows, m_waits, canvas, fonts, m_window);
  paintLoop(painter, m_data, geometry, m_rows, m_waits, {}, theme, fonts);
}

void LoopView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (!m_data.ready()) return paintNote(painter, rect(), m_data.note, m_theme, m_fonts);
  paintLoop(painter, m_data, geometry(), m_rows, m_waits, m_hover, m_theme, m_fonts);
}

void LoopView::resizeEvent(QResizeEvent* event) {
  m_geometry.reset();
  if (event->size().width() != event->oldSize().width()) updateGeometry();
}

void LoopView::restyle() {
  m_geometry.reset();
}

QString LoopView::textUnder(const QPointF& place) {
  if (!m_data.ready()) return {};
  const LoopGeometry& g = geometry();
  if (const auto row = g.rowAt(place)) return rowText(m_data, m_rows[*row]);
  if (const auto row = g.waitAt(place)) return waitText(m_waits[*row]);
  if (const auto instruction = g.at(place)) return placeText(m_data, g, *instruction);
  for (const bool after : {false, true})
    if (g.turn(after).words.contains(place)) return turnText(m_data, after);
  return {};
}

bool LoopView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textUnder(help->pos());
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), text, this);
    }
    return true;
  }
  return PaintedView::event(event);
}

void LoopView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_data.ready()) return;
  const LoopGeometry& g = geometry();
  if (m_pressed && (event->buttons() & Qt::LeftButton) != 0) {
    const double by = event->position().x() - m_pressed->x();
    m_pressed = event->position();
    if (g.pixelsPerCycle > 0) move(-by / g.pixelsPerCycle);
    return;
  }
  const auto row = g.rowAt(event->position());
  const bool leads = row && m_rows[*row].version && m_rows[*row].whyNot.isEmpty();
  setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
  const auto hover = g.at(event->position());
  if (hover == m_hover) return;
  m_hover = hover;
  update();
}

void LoopView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && m_data.ready() && !geometry().rowAt(event->position()))
    m_pressed = event->position();
}

void LoopView::mouseReleaseEvent(QMouseEvent* event) {
  m_pressed.reset();
  if (event->button() != Qt::LeftButton || !m_data.ready()) return;
  const auto row = geometry().rowAt(event->position());
  if (row && m_rows[*row].version && m_rows[*row].whyNot.isEmpty())
    emit picked(rewrite::Version(*m_rows[*row].version));  // the rows change with it
}

void LoopView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (m_data.ready() && !geometry().rowAt(event->position())) setWindow({});
}

void LoopView::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / kNotch;
  if (!m_data.ready() || notches == 0 || geometry().rowAt(event->position())) {
    event->ignore();
    return;
  }
  zoom(std::pow(kStep, notches), geometry().cycleAt(event->position().x()));
}

void LoopView::keyPressEvent(QKeyEvent* event) {
  if (!m_data.ready()) return PaintedView::keyPressEvent(event);
  const LoopWindow now = geometry().window;
  const double shown = now.to - now.from, middle = (now.from + now.to) / 2;
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kStep, middle);
    case Qt::Key_Minus:
      return zoom(1 / kStep, middle);
    case Qt::Key_Left:
      return move(-kStride * shown);
    case Qt::Key_Right:
      return move(kStride * shown);
    case Qt::Key_Home:
      return setWindow({});
    default:
      PaintedView::keyPressEvent(event);
  }
}

void LoopView::leaveEvent(QEvent*) {
  m_hover.reset();
  update();
}

}  // namespace tileloom
