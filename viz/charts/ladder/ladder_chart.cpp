// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/ladder/ladder_chart.h"
#include "viz/base/text/figure_text.h"

#include <qcustomplot.h>

#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/charts/chart_style.h"
#include "viz/charts/ladder/ladder_bars.h"

namespace tileloom {

namespace {

constexpr int kFrame = 2;  // pixels around the plot: the focus frame

class PercentTicker : public QCPAxisTickerFixed {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return LadderChart::tr("%1 %").arg(figures::grouped(tick));
  }
};

// The height of an element with its margins; below 0: the remaining height.
void setHeight(QCPAxisRect& rect, int height) {
  rect.setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
  rect.setMinimumSize(40, height < 0 ? 40 : height);
  rect.setMaximumSize(QWIDGETSIZE_MAX, height < 0 ? QWIDGETSIZE_MAX : height);
}

}  // namespace

struct LadderChart::Parts {
  // One ladder: its axis, and the rows above it.
  struct Part {
    QCPAxisRect* rect = nullptr;
    charts::LadderBars* bars = nullptr;
  };

  charts::LadderState state;
  std::array<Part, 2> parts;  // there are two ladders
  int shown = 1;              // of the parts

  std::span<const Part> all() const {
    return std::span(parts).first(static_cast<std::size_t>(shown));
  }
  const charts::LadderBars& of(int row) const {
    for (const Part& part : all()) {
      if (part.bars->rows().contains(row)) return *part.bars;
    }
    return *parts.front().bars;
  }
};

LadderChart::LadderChart(QWidget* parent)
    : PaintedView(parent), m_parts(std::make_unique<Parts>()), m_plot(new QCustomPlot(this)) {
  m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->plotLayout()->clear();
  m_plot->plotLayout()->setAutoMargins(QCP::msNone);
  m_plot->plotLayout()->setMargins({});
  m_plot->plotLayout()->setRowSpacing(0);
  int place = 0;
  for (Parts::Part& part : m_parts->parts) {
    part.rect = new QCPAxisRect(m_plot, false);
    part.rect->setAutoMargins(QCP::msNone);
    part.rect->setMinimumSize(40, 40);
    QCPAxis* axis = part.rect->addAxis(QCPAxis::atBottom);
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setLayer(QStringLiteral("grid"));
    axis->setTicker(QSharedPointer<PercentTicker>::create());
    // Only the axis below is shown, but a position needs both.
    part.rect->addAxis(QCPAxis::atLeft)->setVisible(false);
    m_plot->plotLayout()->addElement(place++, 0, part.rect);
    part.bars = new charts::LadderBars(part.rect, m_parts->state);
  }
  placeParts();
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);  // a click picks a rung without taking the keys from playback
  setAccessibleName(tr("The ladder against cuBLAS"));
  restyle();
}

LadderChart::~LadderChart() {
  // The plot's elements use the state until they are deleted.
  delete m_plot;
}

void LadderChart::setBars(std::vector<LadderBar> bars, const Problem& problem,
                          const QString& source, const std::array<QString, 2>& sources) {
  charts::LadderState& s = m_parts->state;
  s.bars = std::move(bars);
  s.setbacks = charts::setbacksOf(s.bars);
  s.problem = problem;
  s.source = source;
  s.sources = sources;
  if (s.cursor >= s.count()) s.cursor = -1;
  if (s.pointed >= s.count()) s.pointed = -1;
  placeParts();
  updateGeometry();
  refresh();
}

// One part per ladder among the bars; an unused part takes no room.
void LadderChart::placeParts() {
  const auto ladders = charts::laddersOf(m_parts->state.bars);
  m_parts->shown = static_cast<int>(std::min(ladders.size(), m_parts->parts.size()));
  for (std::size_t i = 0; i < m_parts->parts.size(); ++i) {
    const Parts::Part& part = m_parts->parts[i];
    const bool shown = i < static_cast<std::size_t>(m_parts->shown);
    part.bars->setRows(shown ? ladders[i] : charts::LadderRows{}, m_parts->shown < 2);
    part.bars->setVisible(shown);
    part.rect->axis(QCPAxis::atBottom)->grid()->setVisible(shown);
    part.rect->axis(QCPAxis::atBottom)->setVisible(shown && !m_parts->state.bars.empty());
  }
}

int LadderChart::ladders() const {
  return m_parts->shown;
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
  return m_parts->parts.front().bars->columns();
}

QRectF LadderChart::cellRect(int row, const charts::PlacedColumn& column) const {
  return m_parts->of(row).cellRect(row, column).translated(m_plot->pos());
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

// Rows of all ladders have the same height.
void LadderChart::arrange(const QSize& size) const {
  const auto parts = m_parts->all();
  double around = 0;
  for (const Parts::Part& part : parts) around += part.bars->around(size.width());
  const double row = (size.height() - around) / std::max(1, m_parts->state.count());
  int top = 0;
  for (const Parts::Part& part : parts) {
    const bool last = &part == &parts.back();
    const double wanted = part.bars->around(size.width()) + row * part.bars->rows().count;
    const int height = last ? size.height() - top : static_cast<int>(std::lround(wanted));
    setHeight(*part.rect, parts.size() < 2 ? -1 : height);
    part.bars->arrange({0, top, size.width(), height});
    top += height;
  }
  for (const Parts::Part& part : std::span(m_parts->parts).subspan(parts.size())) {
    part.rect->setMargins({});
    setHeight(*part.rect, 0);
  }
}

void LadderChart::refresh() {
  describe();
  // A hidden page does not lay out or draw: a slider would wait for it.
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
  int row = -1;
  for (const Parts::Part& part : m_parts->all())
    row = std::max(row, part.bars->rowAt(at - m_plot->pos()));
  return row;
}

std::optional<QRectF> LadderChart::barRect(int row) const {
  settle();
  const auto rect = m_parts->of(row).barRect(row);
  return rect ? std::optional(rect->translated(m_plot->pos())) : std::nullopt;
}

QRectF LadderChart::numberRect(int row) const {
  settle();
  return m_parts->of(row).numberRect(row).translated(m_plot->pos());
}

std::optional<QRectF> LadderChart::setbackRect(int row) const {
  settle();
  const auto rect = m_parts->of(row).setbackRect(row);
  return rect ? std::optional(rect->translated(m_plot->pos())) : std::nullopt;
}

QStringList LadderChart::footer() const {
  settle();
  QStringList lines;
  for (const Parts::Part& part : m_parts->all()) lines += part.bars->footer();
  return lines;
}

double LadderChart::xOf(double percent, int row) const {
  settle();
  return m_parts->of(row).xOf(percent) + m_plot->x();
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
  return {roomFor(56, 0).width(), leastHeight(width())};
}

int LadderChart::leastHeight(int width) const {
  const int rows = std::max(3, m_parts->state.count());
  const double footer = m_parts->state.setbacks.empty() ? 0 : 1.1;
  if (m_parts->shown > 1) {
    const bool table = width >= charts::LadderBars::kBesideWidth;
    double height = 0;
    for (const Parts::Part& part : m_parts->all()) height += part.bars->around(width);
    height += rows * (table ? 1.0 * QFontMetricsF(m_fonts.small).height()
                            : 1.8 * QFontMetricsF(m_fonts.body).height());
    return static_cast<int>(std::ceil(height)) + 2 * kFrame;
  }
  if (!columns().empty()) {
    return static_cast<int>(QFontMetricsF(m_fonts.small).height() * (rows + 5.0 + footer));
  }
  const double lines = width < charts::LadderBars::kBesideWidth ? 1.8 : 1.1;  // a row
  return static_cast<int>(QFontMetricsF(m_fonts.body).height() * (lines * rows + 4 + footer));
}

QRect LadderChart::ladderRect(int row) const {
  if (m_parts->shown < 2) return rect();
  settle();
  int top = 0;
  for (const Parts::Part& part : m_parts->all()) {
    const int height = part.rect->outerRect().height();
    if (part.bars->rows().contains(row)) return {0, top + m_plot->y(), width(), height};
    top += height;
  }
  return rect();
}

void LadderChart::restyle() {
  m_parts->state.theme = m_theme;
  m_parts->state.fonts = m_fonts;
  m_plot->setBackground(QBrush(m_theme.panel));
  m_plot->setFont(m_fonts.small);
  for (const Parts::Part& part : m_parts->parts)
    charts::styleAxis(*part.rect->axis(QCPAxis::atBottom), m_theme, m_fonts, true);
  placeParts();
  refresh();
}

bool LadderChart::event(QEvent* event) {
  // The tool tip is already shown.
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
  if (row >= 0 && m_parts->state.at(row).rung() != nullptr) {
    emit picked(m_parts->state.at(row).rung());
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
    if (s.at(s.cursor).rung() != nullptr) emit picked(s.at(s.cursor).rung());
    return;
  }
  PaintedView::keyPressEvent(event);
}

}  // namespace tileloom
