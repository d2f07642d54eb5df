// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/ladder_chart.h"
#include "viz/base/figure_text.h"

#include <qcustomplot.h>

#include <QToolTip>
#include <algorithm>

#include "viz/charts/chart_style.h"
#include "viz/charts/ladder_bars.h"

namespace tileloom {

namespace {

constexpr int kFrame = 2;  // pixels around the plot: the focus frame

class PercentTicker : public QCPAxisTickerFixed {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return LadderChart::tr("%1 %").arg(figures::grouped(tick));
  }
};

}  // namespace

struct LadderChart::Parts {
  charts::LadderState state;
  QCPAxisRect* rect = nullptr;
  charts::LadderBars* bars = nullptr;
};

LadderChart::LadderChart(QWidget* parent)
    : PaintedView(parent), m_parts(std::make_unique<Parts>()), m_plot(new QCustomPlot(this)) {
  m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->plotLayout()->clear();
  m_plot->plotLayout()->setAutoMargins(QCP::msNone);
  m_plot->plotLayout()->setMargins({});
  m_parts->rect = new QCPAxisRect(m_plot, false);
  m_parts->rect->setAutoMargins(QCP::msNone);
  m_parts->rect->setMinimumSize(40, 40);
  QCPAxis* axis = m_parts->rect->addAxis(QCPAxis::atBottom);
  axis->setLayer(QStringLiteral("axes"));
  axis->grid()->setLayer(QStringLiteral("grid"));
  axis->setTicker(QSharedPointer<PercentTicker>::create());
  // Only the axis below is shown, but a position needs both.
  m_parts->rect->addAxis(QCPAxis::atLeft)->setVisible(false);
  m_plot->plotLayout()->addElement(0, 0, m_parts->rect);
  m_parts->bars = new charts::LadderBars(m_parts->rect, m_parts->state);
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);  // a click picks a rung, and the keys still play
  setAccessibleName(tr("The ladder against cuBLAS"));
  restyle();
}

LadderChart::~LadderChart() {
  // The plot's elements look at the state until they are gone.
  delete m_plot;
}

void LadderChart::setBars(std::vector<LadderBar> bars, const Problem& problem,
                          const QString& source) {
  charts::LadderState& s = m_parts->state;
  s.bars = std::move(bars);
  s.setbacks = charts::setbacksOf(s.bars);
  s.problem = problem;
  s.source = source;
  if (s.cursor >= s.count()) s.cursor = -1;
  if (s.pointed >= s.count()) s.pointed = -1;
  updateGeometry();
  refresh();
}

void LadderChart::setFigures(std::vector<LadderFigures> figures, const Stage* present) {
  charts::LadderState& s = m_parts->state;
  if (s.figures == figures && s.present == present) return;
  s.figures = std::move(figures);
  s.present = present;
  refresh();
}

std::span<const LadderFigures> LadderChart::figures() const {
  return m_parts->state.figures;
}

const std::vector<charts::PlacedColumn>& LadderChart::columns() const {
  return m_parts->bars->columns();
}

QRectF LadderChart::cellRect(int row, const charts::PlacedColumn& column) const {
  return m_parts->bars->cellRect(row, column).translated(m_plot->pos());
}

std::span<const LadderBar> LadderChart::bars() const {
  return m_parts->state.bars;
}
const Problem& LadderChart::problem() const {
  return m_parts->state.problem;
}
const QString& LadderChart::source() const {
  return m_parts->state.source;
}

void LadderChart::arrange(const QSize& size) const {
  m_parts->rect->axis(QCPAxis::atBottom)->setVisible(!m_parts->state.bars.empty());
  m_parts->bars->arrange(size);
}

void LadderChart::refresh() {
  describe();
  // Behind another page nothing is laid out or drawn: a slider would wait for it.
  if (!isVisible()) return;
  arrange(m_plot->size());
  m_plot->setBufferDevicePixelRatio(devicePixelRatioF());
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LadderChart::settle() const {
  arrange(m_plot->size());
  for (const auto phase :
       {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
    m_plot->plotLayout()->update(phase);
  }
}

int LadderChart::rowAt(const QPointF& at) const {
  settle();
  return m_parts->bars->rowAt(at - m_plot->pos());
}

std::optional<QRectF> LadderChart::barRect(int row) const {
  settle();
  const auto rect = m_parts->bars->barRect(row);
  return rect ? std::optional(rect->translated(m_plot->pos())) : std::nullopt;
}

QRectF LadderChart::numberRect(int row) const {
  settle();
  return m_parts->bars->numberRect(row).translated(m_plot->pos());
}

std::optional<QRectF> LadderChart::setbackRect(int row) const {
  settle();
  const auto rect = m_parts->bars->setbackRect(row);
  return rect ? std::optional(rect->translated(m_plot->pos())) : std::nullopt;
}

const QStringList& LadderChart::footer() const {
  settle();
  return m_parts->bars->footer();
}

double LadderChart::xOf(double percent) const {
  settle();
  return m_parts->bars->xOf(percent) + m_plot->x();
}

void LadderChart::paintTo(QCPPainter& painter, const QSize& size) const {
  charts::LadderState& s = m_parts->state;
  const int pointed = std::exchange(s.pointed, -1);
  const int cursor = std::exchange(s.cursor, -1);
  arrange(size);
  m_plot->toPainter(&painter, size.width(), size.height());
  s.pointed = pointed;
  s.cursor = cursor;
  settle();
}

void LadderChart::describe() {
  const charts::LadderState& s = m_parts->state;
  const int row = s.pointed >= 0 ? s.pointed : s.cursor;
  setAccessibleDescription(row < 0
                               ? charts::ladderCaption(s)
                               : charts::barToolTip(row, s).replace(u'\n', QStringLiteral("; ")));
}

QSize LadderChart::sizeHint() const {
  return {520, 340};
}

QSize LadderChart::minimumSizeHint() const {
  const int rows = std::max(3, m_parts->state.count());
  const double footer = m_parts->state.setbacks.empty() ? 0 : 1.1;
  if (!m_parts->bars->columns().empty()) {
    return {250, static_cast<int>(QFontMetricsF(m_fonts.small).height() * (rows + 5.0 + footer))};
  }
  const double lines = width() < charts::LadderBars::kBesideWidth ? 1.8 : 1.1;  // a row
  return {250,
          static_cast<int>(QFontMetricsF(m_fonts.body).height() * (lines * rows + 4 + footer))};
}

void LadderChart::restyle() {
  m_parts->state.theme = m_theme;
  m_parts->state.fonts = m_fonts;
  m_plot->setBackground(QBrush(m_theme.panel));
  m_plot->setFont(m_fonts.small);
  charts::styleAxis(*m_parts->rect->axis(QCPAxis::atBottom), m_theme, m_fonts, true);
  refresh();
}

bool LadderChart::event(QEvent* event) {
  // The answer to a mouse that rests is the tool tip that is there already.
  if (event->type() == QEvent::ToolTip) return true;
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  return PaintedView::event(event);
}

void LadderChart::paintEvent(QPaintEvent*) {
  if (!hasFocus()) return;
  QPainter p(this);
  p.setPen(hairline(m_theme.accent));
  p.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void LadderChart::resizeEvent(QResizeEvent*) {
  updateGeometry();  // a narrow chart needs more room below
  m_plot->setGeometry(rect().adjusted(kFrame, kFrame, -kFrame, -kFrame));
  refresh();
}

void LadderChart::showEvent(QShowEvent* event) {
  PaintedView::showEvent(event);
  refresh();  // the screen's pixel ratio is known now
}

void LadderChart::point(int row, const QPoint& global) {
  charts::LadderState& s = m_parts->state;
  if (row == s.pointed) return;
  s.pointed = row;
  if (row >= 0) {
    QToolTip::showText(global, charts::barToolTip(row, s), this);
  } else {
    QToolTip::hideText();
  }
  setCursor(row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  refresh();
}

void LadderChart::mouseMoveEvent(QMouseEvent* event) {
  point(rowAt(event->position()), event->globalPosition().toPoint());
}

void LadderChart::mousePressEvent(QMouseEvent* event) {
  const int row = event->button() == Qt::LeftButton ? rowAt(event->position()) : -1;
  if (row >= 0 && m_parts->state.at(row).stage != nullptr) {
    emit picked(m_parts->state.at(row).stage);
  }
}

void LadderChart::leaveEvent(QEvent*) {
  point(-1, {});
}

void LadderChart::keyPressEvent(QKeyEvent* event) {
  charts::LadderState& s = m_parts->state;
  const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if (step != 0 && !s.bars.empty()) {
    s.cursor = s.cursor < 0 ? (step > 0 ? 0 : s.count() - 1)
                            : std::clamp(s.cursor + step, 0, s.count() - 1);
    refresh();
    return;
  }
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && s.cursor >= 0) {
    if (s.at(s.cursor).stage != nullptr) emit picked(s.at(s.cursor).stage);
    return;
  }
  PaintedView::keyPressEvent(event);
}

}  // namespace tileloom
