// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of the ladder chart as QCustomPlot lays them out. Private to viz/charts.
#pragma once

#include <qcustomplot.h>

#include <optional>

#include "viz/base/theme.h"
#include "viz/charts/ladder/ladder_columns.h"
#include "viz/charts/ladder/ladder_setbacks.h"

namespace tileloom::charts {

struct LadderState {
  std::vector<LadderBar> bars;
  std::vector<LadderFigures> figures;   // one per bar; empty: no columns
  std::vector<LadderSetback> setbacks;  // of the bars
  const Stage* present = nullptr;       // the rung that the window shows
  Problem problem;
  QString source;
  std::array<QString, 2> sources = {};  // per ladder
  int pointed = -1;                     // under the mouse
  int cursor = -1;                      // chosen with the keys
  Theme theme;
  Fonts fonts;

  int count() const { return static_cast<int>(bars.size()); }
  const LadderBar& at(int row) const { return bars[static_cast<std::size_t>(row)]; }
  LadderFigures figuresAt(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return i < figures.size() ? figures[i] : LadderFigures{};
  }
};

QString rungTitle(const LadderBar& bar);  // "warp tiling"
QString barText(const LadderBar& bar);    // "71.9 %   36.3 TFLOP/s", "not measured"
QString barToolTip(int row, const LadderState& state);
QString ladderCaption(const LadderState& state);  // size, source
// The same for one ladder among several.
QString ladderCaption(const LadderState& state, Ladder ladder);
// "Tensor cores: bf16 with FP32 sums, in percent of cublasGemmEx"
QString ladderHeading(Format format);
QString axisText(Ladder ladder);       // "speed in percent of cuBLAS"
QString referenceText(Format format);  // "cuBLAS (FP32, pedantic)"

// The rows of one ladder among the bars. Each ladder has its own axis and its own 100 %.
struct LadderRows {
  int first = 0;
  int count = 0;
  bool contains(int row) const { return row >= first && row < first + count; }
};
// The ladders in the order of the bars, which are grouped by ladder. Without bars: one ladder
// without rows.
std::vector<LadderRows> laddersOf(std::span<const LadderBar> bars);

class LadderBars : public QCPLayerable {
 public:
  LadderBars(QCPAxisRect* rect, const LadderState& state);

  // The rows to paint here. `alone`: there is no other ladder; otherwise a heading names this one.
  void setRows(const LadderRows& rows, bool alone);
  const LadderRows& rows() const { return m_rows; }
  // The least height of everything around the rows, in a chart of this width.
  double around(int width) const;

  // From this width on, in pixels, a name is drawn beside its bar instead of above it.
  static constexpr int kBesideWidth = 460;

  // Sets margins and axis for this part of the plot, so that each bar has room for its number.
  void arrange(const QRect& band);

  std::optional<QRectF> barRect(int row) const;
  // The columns of numbers beside the bars; empty: each bar has its number at its end instead.
  const std::vector<PlacedColumn>& columns() const { return m_columns; }
  QRectF cellRect(int row, const PlacedColumn& column) const;
  // The place of the bar's number: at its end, or in a column if the cuBLAS line would cross it.
  QRectF numberRect(int row) const;
  // From the end of a bar that is slower than the one before it to the end of that one.
  std::optional<QRectF> setbackRect(int row) const;
  // The lines below the axis that name the rungs that are slower than the one before them.
  const QStringList& footer() const { return m_footer; }
  int rowAt(const QPointF& at) const;
  double xOf(double percent) const;

 protected:
  void draw(QCPPainter* painter) override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;

 private:
  QRectF rowRect(int row) const;
  QRectF barBand(int row) const;
  void drawHead(QCPPainter& p) const;
  double legendWidth() const;
  void drawLegend(QCPPainter& p, const QRectF& line) const;
  void drawReference(QCPPainter& p) const;
  QStringList footerFor(const QSize& size, double least) const;
  void drawFooter(QCPPainter& p) const;
  bool drawSetback(QCPPainter& p, int row) const;
  void drawRow(QCPPainter& p, int row) const;
  void drawColumnHeads(QCPPainter& p) const;
  // `slower`: it is slower than the rung before it, and its bar had no room to say so.
  void drawCells(QCPPainter& p, int row, bool slower) const;
  void drawBar(QCPPainter& p, const LadderBar& bar, const QRectF& rect) const;

  bool isSlower() const;  // whether a row is slower than the one before it
  QString caption() const;
  // The part above the rows: the caption, and whether the legend fits beside it.
  struct Head {
    double caption = 0;  // height; it may have several lines
    bool legendBelow = false;
    double height = 0;  // of all, with the heading
  };
  Head measureHead(int width) const;
  Ladder ladder() const;
  Format format() const;

  QCPAxisRect* m_rect;
  const LadderState& m_state;
  LadderRows m_rows;
  bool m_alone = true;
  double m_top = 0;  // of the part of the plot
  Head m_head;
  std::optional<double> m_column;  // where the numbers are, in percent on the axis
  std::vector<PlacedColumn> m_columns;
  double m_columnsFrom = 0;  // pixels
  QStringList m_footer;
  QFont m_rowFont;
  bool m_narrow = false;  // a rung's name is above its bar, not beside it
};

}  // namespace tileloom::charts
