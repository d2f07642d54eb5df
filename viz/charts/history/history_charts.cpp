// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/history/history_charts.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "viz/charts/history/history_layout.h"

namespace tileloom {

using charts::HistoryState;

namespace {

constexpr int kFrame = 2;     // pixels around the plot: the focus frame
constexpr double kReach = 9;  // pixels from a mark's centre that still hit it
constexpr double kWheelMoves = 3;
constexpr double kZoomStep = 1.5;

}  // namespace

struct HistoryCharts::Parts {
  HistoryState state;
  std::unique_ptr<charts::HistoryLayout> layout;
};

HistoryCharts::HistoryCharts(QWidget* parent)
    : PaintedView(parent),
      m_parts(std::make_unique<Parts>()),
      m_plot(new QCustomPlot(this)),
      m_latest(new QToolButton(this)),
      m_all(new QToolButton(this)) {
  m_parts->layout = std::make_unique<charts::HistoryLayout>(*m_plot, m_parts->state);
  // The widget itself handles the mouse; QCustomPlot only lays out and draws.
  m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_latest->setText(tr("latest ▸"));
  m_latest->setToolTip(tr("Show the latest moves and follow them"));
  m_latest->setObjectName(QStringLiteral("latest"));
  m_all->setText(tr("all moves"));
  m_all->setToolTip(
      tr("Show all moves at once (zoom with Ctrl and the wheel, or + and −; 0 shows as many as fit "
         "with their marks)"));
  m_all->setObjectName(QStringLiteral("all"));
  m_all->setCheckable(true);
  for (QToolButton* button : {m_latest, m_all}) {
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->hide();
  }
  connect(m_latest, &QToolButton::clicked, this, &HistoryCharts::followLatest);
  connect(m_all, &QToolButton::clicked, this, &HistoryCharts::showAll);
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);  // a click restores a tile without taking the keys from playback
  setAccessibleName(tr("History of the tile parameters"));
  restyle();
}

HistoryCharts::~HistoryCharts() {
  // The plot's elements use the state until they are deleted.
  delete m_plot;
}

void HistoryCharts::setPoints(std::vector<HistoryPoint> points) {
  HistoryState& s = m_parts->state;
  s.points = std::move(points);
  if (s.cursor >= s.count()) s.cursor = -1;
  if (s.hovered >= s.count()) s.hovered = -1;
  s.window.setCount(s.count());
  refresh();
}

void HistoryCharts::setCurrent(int index) {
  if (m_parts->state.current == index) return;
  m_parts->state.current = index;
  refresh();
}

void HistoryCharts::setBaseline(std::optional<HistoryPoint> baseline) {
  const bool none = !baseline && !m_parts->state.baseline;
  m_parts->state.baseline = std::move(baseline);
  if (!none) refresh();
}

const std::optional<HistoryPoint>& HistoryCharts::baseline() const {
  return m_parts->state.baseline;
}

std::span<const HistoryPoint> HistoryCharts::points() const {
  return m_parts->state.points;
}
int HistoryCharts::current() const {
  return m_parts->state.current;
}
int HistoryCharts::shown() const {
  return m_parts->state.shown();
}
bool HistoryCharts::followsLatest() const {
  return m_parts->state.window.follows();
}

void HistoryCharts::followLatest() {
  m_parts->state.cursor = -1;
  m_parts->state.window.followLatest();
  refresh();
}

void HistoryCharts::showAll(bool all) {
  charts::HistoryWindow& window = m_parts->state.window;
  if (all) {
    window.zoomToAll();
  } else {
    window.zoomAsUsual();
  }
  refresh();
}

bool HistoryCharts::showsAll() const {
  return !m_parts->state.window.hasMore();
}

std::optional<QRectF> HistoryCharts::overviewStrip() const {
  settle();
  const auto* overview = m_parts->layout->overview();
  if (overview == nullptr) return std::nullopt;
  return overview->strip().translated(m_plot->pos());
}

std::optional<QRectF> HistoryCharts::overviewFrame() const {
  settle();
  const auto* overview = m_parts->layout->overview();
  if (overview == nullptr) return std::nullopt;
  return overview->frame().translated(m_plot->pos());
}

void HistoryCharts::zoom(double factor, double x) {
  m_parts->state.window.zoom(factor, x);
  refresh();
}

void HistoryCharts::arrange(const QSize& size) const {
  m_parts->layout->arrange(size);
}

void HistoryCharts::refresh() {
  describe();
  // A hidden page does not lay out or draw: a slider would wait for it.
  if (!isVisible()) return;
  arrange(m_plot->size());
  m_latest->setVisible(!followsLatest());
  const charts::HistoryWindow& window = m_parts->state.window;
  m_all->setVisible(window.hasMore() || window.isZoomed());
  m_all->setChecked(!window.hasMore());
  placeButtons();
  m_plot->setBufferDevicePixelRatio(devicePixelRatioF());
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// Positions are needed before the queued replot has laid out the panels.
void HistoryCharts::settle() const {
  arrange(m_plot->size());
  m_parts->layout->settle();
}

std::optional<QPointF> HistoryCharts::markAt(HistoryPanel panel, int index) const {
  const HistoryState& s = m_parts->state;
  if (index < 0 || index >= s.count() || !charts::sampleOf(s.at(index), panel)) return {};
  if (index + 1 < s.window.low() || index + 1 > s.window.high()) return {};
  settle();
  return m_parts->layout->markOf(panel, index) + m_plot->pos();
}

int HistoryCharts::columnAt(const QPointF& at) const {
  settle();
  return m_parts->layout->columnAt(at - m_plot->pos());
}

int HistoryCharts::pointAt(const QPointF& at) const {
  // The column limits the candidates: close neighbours overlap.
  const int column = columnAt(at);
  if (column < 0) return -1;
  int nearest = -1;
  double least = kReach;
  for (int i = std::max(0, column - 1); i <= column + 1; ++i) {
    for (const HistoryPanel panel : kHistoryPanels) {
      const auto mark = markAt(panel, i);
      if (!mark) continue;
      const double distance = std::hypot(mark->x() - at.x(), mark->y() - at.y());
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
  }
  return nearest;
}

void HistoryCharts::paintTo(QCPPainter& painter, const QSize& size) const {
  HistoryState& s = m_parts->state;
  const int hovered = std::exchange(s.hovered, -1);
  const int cursor = std::exchange(s.cursor, -1);
  arrange(size);
  m_plot->toPainter(&painter, size.width(), size.height());
  s.hovered = hovered;
  s.cursor = cursor;
  settle();
}

void HistoryCharts::describe() {
  const HistoryState& s = m_parts->state;
  const int index = s.shown();
  setAccessibleDescription(index < 0 ? charts::emptyHistorySentence()
                                     : charts::spokenOf(s.at(index), index, s.count()));
}

void HistoryCharts::hover(int index, const QPoint& global) {
  HistoryState& s = m_parts->state;
  if (index == s.hovered) return;
  s.hovered = index;
  if (index >= 0) {
    QToolTip::showText(global, charts::toolTipOf(s.at(index), index), this);
  } else {
    QToolTip::hideText();
  }
  refresh();
  emit hovered(index);
}

void HistoryCharts::moveCursor(int index) {
  HistoryState& s = m_parts->state;
  if (s.points.empty()) return;
  s.cursor = std::clamp(index, 0, s.count() - 1);
  s.window.reveal(s.cursor);
  refresh();
}

QSize HistoryCharts::sizeHint() const {
  return {340, 520};
}
QSize HistoryCharts::minimumSizeHint() const {
  return {roomFor(40, 0).width(), charts::leastHistoryHeight(width(), m_fonts)};
}

void HistoryCharts::restyle() {
  m_parts->state.theme = m_theme;
  m_parts->state.fonts = m_fonts;
  m_parts->layout->restyle();
  m_latest->setFont(m_fonts.small);
  m_all->setFont(m_fonts.small);
  refresh();
}

bool HistoryCharts::event(QEvent* event) {
  // The tool tip is already shown.
  if (event->type() == QEvent::ToolTip) return true;
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  return PaintedView::event(event);
}

void HistoryCharts::paintEvent(QPaintEvent*) {
  if (!hasFocus()) return;
  QPainter p(this);
  p.setPen(hairline(m_theme.accent));
  p.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void HistoryCharts::resizeEvent(QResizeEvent*) {
  updateGeometry();  // in fewer columns they are taller
  m_plot->setGeometry(rect().adjusted(kFrame, kFrame, -kFrame, -kFrame));
  refresh();
}

// Places them at the right end of the legend's line.
void HistoryCharts::placeButtons() {
  int right = width() - kFrame;
  for (QToolButton* button : {m_all, m_latest}) {
    if (button->isHidden()) continue;
    const QSize hint = button->sizeHint();
    button->setGeometry(right - hint.width(), height() - hint.height() - kFrame, hint.width(),
                        hint.height());
    button->raise();
    right -= hint.width() + 2;
  }
}

void HistoryCharts::showEvent(QShowEvent* event) {
  PaintedView::showEvent(event);
  refresh();  // the screen's pixel ratio is known now
}

void HistoryCharts::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_pressed = event->position();
  m_dragged = 0;
  m_dragging = m_onOverview = false;
  settle();
  const auto* overview = m_parts->layout->overview();
  if (overview == nullptr) return;
  if (const auto move = overview->moveAt(event->position() - m_plot->pos())) {
    m_onOverview = true;
    hover(-1, {});
    m_parts->state.window.centre(*move);
    refresh();
  }
}

void HistoryCharts::mouseMoveEvent(QMouseEvent* event) {
  if (m_pressed && (event->buttons() & Qt::LeftButton) != 0) {
    if (m_onOverview) {
      if (const auto* overview = m_parts->layout->overview())
        m_parts->state.window.centre(overview->moveNear(event->position().x() - m_plot->x()));
      return refresh();
    }
    const double way = event->position().x() - m_pressed->x();
    m_dragging = m_dragging || std::abs(way) >= QApplication::startDragDistance();
    if (!m_dragging) return;
    hover(-1, {});
    const double moves = -way / m_parts->layout->pointWidth();
    m_parts->state.window.scroll(moves - std::exchange(m_dragged, moves));
    refresh();
    return;
  }
  hover(columnAt(event->position()), event->globalPosition().toPoint());
  setCursor(pointAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void HistoryCharts::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_pressed) return;
  m_pressed.reset();
  if (std::exchange(m_dragging, false) || std::exchange(m_onOverview, false)) return;
  const int index = pointAt(event->position());
  if (index >= 0) emit restoreAsked(index);
}

void HistoryCharts::wheelEvent(QWheelEvent* event) {
  const QPoint angle = event->angleDelta();
  const int turned = std::abs(angle.x()) > std::abs(angle.y()) ? angle.x() : angle.y();
  constexpr double kNotch = 120;
  hover(-1, {});
  charts::HistoryWindow& window = m_parts->state.window;
  if ((event->modifiers() & Qt::ControlModifier) != 0) {
    const int column = columnAt(event->position());
    zoom(std::pow(kZoomStep, -turned / kNotch), column >= 0 ? column + 1 : window.high());
  } else {
    // A notch always scrolls a small part of the visible range.
    window.scroll(-std::max(kWheelMoves, 0.1 * window.capacity()) * turned / kNotch);
    refresh();
  }
  event->accept();
}

void HistoryCharts::leaveEvent(QEvent*) {
  hover(-1, {});
}

void HistoryCharts::keyPressEvent(QKeyEvent* event) {
  HistoryState& s = m_parts->state;
  switch (event->key()) {
    case Qt::Key_Left:
      return moveCursor(s.shown() - 1);
    case Qt::Key_Right:
      return moveCursor(s.shown() + 1);
    case Qt::Key_Home:
      return moveCursor(0);
    case Qt::Key_End:
      return followLatest();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(1 / kZoomStep, s.shown() + 1);
    case Qt::Key_Minus:
      return zoom(kZoomStep, s.shown() + 1);
    case Qt::Key_0:
      return showAll(false);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (s.shown() >= 0) emit restoreAsked(s.shown());
      return;
    case Qt::Key_Escape:
      if (s.cursor >= 0) {
        s.cursor = -1;
        return refresh();
      }
      break;
    default:
      break;
  }
  PaintedView::keyPressEvent(event);
}

}  // namespace tileloom
