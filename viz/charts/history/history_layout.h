// SPDX-License-Identifier: GPL-3.0-or-later
// Arranges the history's panels one above the other, two by two, or side by side. Private to
// viz/charts.
#pragma once

#include "viz/charts/history/history_panel.h"

namespace tileloom::charts {

// The height that charts of this width need for their text.
int leastHistoryHeight(int width, const Fonts& fonts);

class HistoryLayout {
 public:
  HistoryLayout(QCustomPlot& plot, HistoryState& state);

  void restyle();
  // Places the panels for a plot of this size and sets their axes.
  void arrange(const QSize& size);
  // Computes the pixel positions at once, without waiting for a replot.
  void settle();

  QPointF markOf(HistoryPanel panel, int index) const;
  int columnAt(const QPointF& at) const;
  double pointWidth() const;
  // nullptr: it is hidden, because all moves are visible.
  const HistoryOverview* overview() const;

 private:
  struct Panel {
    QCPLayoutGrid* grid = nullptr;
    PanelHeader* header = nullptr;
    QCPAxisRect* rect = nullptr;
    PanelMarks* marks = nullptr;
  };

  Panel makePanel(HistoryPanel panel);
  void place(int columns);
  void setAxes(const QSize& size, int rows, bool compact);

  QCustomPlot& m_plot;
  HistoryState& m_state;
  std::array<Panel, kHistoryPanels.size()> m_panels;
  QCPLayoutGrid* m_grid;
  HistoryOverview* m_overview;
  HistoryLegend* m_legend;
  PlainSentence* m_sentence;
  int m_columns = 0;
};

}  // namespace tileloom::charts
