// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/history/history_layout.h"
#include "viz/base/text/figure_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "viz/base/widgets/painted_view.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::HistoryCharts)
};

constexpr int kSpacing = 18;           // between columns
constexpr int kLeastPanelWidth = 250;  // before two panels are side by side
constexpr int kLeastPanelHeight = 100;
constexpr int kCompactBelow = 150;  // height of a panel whose head shrinks to a line
constexpr double kUsualLine = 18;   // pixels, of the font for which these sizes are

// Larger text needs larger panels.
double scaleOf(const Fonts& fonts) {
  return std::max(1.0, QFontMetricsF(fonts.body).height() / kUsualLine);
}

// Groups thousands.
class GroupedTicker : public QCPAxisTickerFixed {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    const double step = tickStep();
    return figures::grouped(tick, step >= 1 ? 0 : step >= 0.1 ? 1 : 2);
  }
};

// Ticks at whole moves, from the first one on.
class MoveTicker : public QCPAxisTicker {
 public:
  explicit MoveTicker(const HistoryState& state) : m_state(state) {}

 protected:
  double getTickStep(const QCPRange& range) override {
    return std::max(1.0, niceStep(range.size() / 5));
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return tick < 0.5 || tick > m_state.count() + 0.5 ? QString() : figures::grouped(tick);
  }

 private:
  const HistoryState& m_state;
};

int columnsFor(const QSize& size, const Fonts& fonts) {
  const double least = kLeastPanelWidth * scaleOf(fonts);
  if (size.width() >= 4 * least && size.height() < 520 * scaleOf(fonts)) return 4;
  return size.width() >= 2 * least ? 2 : 1;
}

}  // namespace

int leastHistoryHeight(int width, const Fonts& fonts) {
  constexpr int kUsual = 220;
  const double scale = scaleOf(fonts);
  if (scale < 1.2) return kUsual;
  const auto panels = static_cast<int>(kHistoryPanels.size());
  const int rows = panels / columnsFor({width, kUsual}, fonts);
  return std::max(kUsual, static_cast<int>(rows * kLeastPanelHeight * scale * 1.2));
}

HistoryLayout::HistoryLayout(QCustomPlot& plot, HistoryState& state)
    : m_plot(plot), m_state(state), m_grid(new QCPLayoutGrid) {
  plot.plotLayout()->clear();
  plot.setNoAntialiasingOnDrag(false);
  plot.plotLayout()->addElement(0, 0, m_grid);
  m_overview = new HistoryOverview(&plot, state);
  plot.plotLayout()->addElement(1, 0, m_overview);
  m_legend = new HistoryLegend(&plot, state);
  plot.plotLayout()->addElement(2, 0, m_legend);
  plot.plotLayout()->setRowSpacing(2);
  plot.plotLayout()->setMargins({6, 4, 4, 2});
  plot.plotLayout()->setAutoMargins(QCP::msNone);
  m_grid->setColumnSpacing(kSpacing);
  m_grid->setRowSpacing(6);
  m_grid->setFillOrder(QCPLayoutGrid::foColumnsFirst, false);
  std::ranges::transform(kHistoryPanels, m_panels.begin(),
                         [this](HistoryPanel panel) { return makePanel(panel); });
  m_sentence = new PlainSentence(&plot, state);
  place(1);
}

HistoryLayout::Panel HistoryLayout::makePanel(HistoryPanel panel) {
  Panel made;
  made.grid = new QCPLayoutGrid;
  made.header = new PanelHeader(&m_plot, m_state, panel);
  made.rect = new QCPAxisRect(&m_plot, false);
  for (const auto side : {QCPAxis::atLeft, QCPAxis::atBottom}) {
    QCPAxis* axis = made.rect->addAxis(side);
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setLayer(QStringLiteral("grid"));
  }
  made.rect->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<GroupedTicker>::create());
  made.rect->axis(QCPAxis::atBottom)->setTicker(QSharedPointer<MoveTicker>::create(m_state));
  made.rect->axis(QCPAxis::atBottom)->grid()->setVisible(false);
  made.rect->setAutoMargins(QCP::msNone);
  made.rect->setMinimumSize(40, 24);
  made.grid->setRowSpacing(0);
  made.grid->addElement(0, 0, made.header);
  made.grid->addElement(1, 0, made.rect);
  made.marks = new PanelMarks(made.rect, m_state, panel);
  return made;
}

void HistoryLayout::place(int columns) {
  if (columns == m_columns) return;
  if (m_columns != 0) {
    for (const Panel& panel : m_panels) m_grid->take(panel.grid);
    m_grid->simplify();
  }
  m_columns = columns;
  for (int i = 0; i < static_cast<int>(m_panels.size()); ++i) {
    m_grid->addElement(i / columns, i % columns, m_panels[static_cast<std::size_t>(i)].grid);
  }
}

void HistoryLayout::restyle() {
  m_plot.setBackground(QBrush(m_state.theme.panel));
  m_plot.setFont(m_state.fonts.small);
  const int height = static_cast<int>(QFontMetricsF(m_state.fonts.small).height() * 1.3);
  m_legend->setMinimumSize(40, height);
  m_legend->setMaximumSize(QWIDGETSIZE_MAX, height);
  for (const Panel& panel : m_panels) {
    for (QCPAxis* axis : panel.rect->axes()) {
      styleAxis(*axis, m_state.theme, m_state.fonts, axis->axisType() == QCPAxis::atLeft);
    }
  }
}

void HistoryLayout::setAxes(const QSize& size, int rows, bool compact) {
  const int columns = m_columns;
  const QFontMetricsF metrics(m_state.fonts.small);
  std::array<ValueRange, kHistoryPanels.size()> ranges;
  double labels = 0;
  // Labels keep a line's distance.
  const double line = metrics.height();
  const double space = static_cast<double>(size.height()) / rows -
                       PanelHeader::heightFor(m_state.fonts, compact) - 2 * line;
  const int most = static_cast<int>(space / (1.5 * line));
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    ranges[i] = valueRange(m_state.drawn(), kHistoryPanels[i]);
    limitTicks(ranges[i], most);
    labels = std::max(labels, metrics.horizontalAdvance(figures::grouped(ranges[i].high)));
  }
  // Equal in all panels, so that a move has the same column in each.
  const int left = static_cast<int>(std::max(labels, metrics.horizontalAdvance(u'0') * 6)) + 8;
  const int right = static_cast<int>(metrics.horizontalAdvance(Words::tr("255 limit"))) + 8;
  const int label = static_cast<int>(line);
  for (int i = 0; i < static_cast<int>(m_panels.size()); ++i) {
    const auto n = static_cast<std::size_t>(i);
    const Panel& panel = m_panels[n];
    const bool top = i / columns == 0;
    const bool bottom = i / columns == rows - 1;
    panel.marks->setRungsNamed(top);
    // The moves are named if there is height for it and each has its own mark.
    const bool named = bottom && !compact && m_state.density == HistoryDensity::Roomy;
    panel.marks->setMovesNamed(named);
    panel.rect->setMargins(
        {left, top ? label + 2 : 5, right, bottom ? (named ? 2 : 1) * label + 7 : 5});
    QCPAxis* moves = panel.rect->axis(QCPAxis::atBottom);
    moves->setRange(m_state.window.low(), m_state.window.high());
    moves->setTickLabels(bottom);
    QCPAxis* values = panel.rect->axis(QCPAxis::atLeft);
    values->setRange(ranges[n].low, ranges[n].high);
    const bool known = !freshnessText(m_state.visible(), kHistoryPanels[n]).isEmpty();
    values->setTickLabels(known);
    values->grid()->setVisible(known);
    values->ticker().staticCast<GroupedTicker>()->setTickStep(ranges[n].step);
  }
}

void HistoryLayout::arrange(const QSize& size) {
  const int columns = columnsFor(size, m_state.fonts);
  const int rows = static_cast<int>(m_panels.size()) / columns;
  place(columns);
  const bool compact = size.height() / rows < kCompactBelow * scaleOf(m_state.fonts);
  const bool any = !m_state.points.empty();
  m_grid->setVisible(any);
  for (const Panel& panel : m_panels) {
    panel.header->setCompact(compact);
    panel.header->setVisible(any);
    panel.rect->setVisible(any);
    for (QCPAxis* axis : panel.rect->axes()) axis->setVisible(any);
  }
  // The number of moves depends on the margins, and these on the visible values.
  setAxes(size, rows, compact);
  const QMargins margins = m_panels[0].rect->margins();
  const double width = (size.width() - 10.0 - kSpacing * (columns - 1)) / columns;
  const double inner = width - margins.left() - margins.right();
  m_state.window.setWidth(inner);
  m_state.density = densityFor(inner / m_state.window.capacity());
  setAxes(size, rows, compact);
  const int high = m_state.window.hasMore() ? HistoryOverview::heightFor(m_state.fonts) : 0;
  m_overview->setVisible(high > 0);
  m_overview->setMinimumSize(40, high);
  m_overview->setMaximumSize(QWIDGETSIZE_MAX, high);
}

const HistoryOverview* HistoryLayout::overview() const {
  return m_state.window.hasMore() ? m_overview : nullptr;
}

void HistoryLayout::settle() {
  for (const auto phase :
       {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
    m_plot.plotLayout()->update(phase);
  }
}

QPointF HistoryLayout::markOf(HistoryPanel panel, int index) const {
  return m_panels[static_cast<std::size_t>(panel)].marks->markOf(index);
}

int HistoryLayout::columnAt(const QPointF& at) const {
  for (const Panel& panel : m_panels) {
    if (!QRectF(panel.rect->rect()).adjusted(-2, -8, 2, 8).contains(at)) continue;
    const int index = qRound(panel.rect->axis(QCPAxis::atBottom)->pixelToCoord(at.x())) - 1;
    return index >= 0 && index < m_state.count() ? index : -1;
  }
  return -1;
}

double HistoryLayout::pointWidth() const {
  return m_panels[0].rect->width() / static_cast<double>(m_state.window.capacity());
}

}  // namespace tileloom::charts
