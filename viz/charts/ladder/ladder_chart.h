// SPDX-License-Identifier: GPL-3.0-or-later
// The ladders as bars: the speed of each rung in percent of cuBLAS. The two ladders use different
// number formats and different cuBLAS functions, so each has its own axis. A click on a rung picks
// it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/chart_data.h"
#include "viz/charts/ladder/ladder_columns.h"

class QCPPainter;
class QCustomPlot;

namespace tileloom {

class LadderChart : public PaintedView {
  Q_OBJECT
 public:
  explicit LadderChart(QWidget* parent = nullptr);
  ~LadderChart() override;

  // One bar per rung, in this order from the top. `source` says where the values come from:
  // "recorded on NVIDIA H100 80GB HBM3, 2026-11-21"; `sources` has the same per ladder, in the
  // order of Ladder, if there are bars of both.
  void setBars(std::vector<LadderBar> bars, const Problem& problem, const QString& source,
               const std::array<QString, 2>& sources = {});

  // The figures in the columns beside the bars, in the order of the bars; empty: no columns.
  // `present` is marked.
  void setFigures(std::vector<LadderFigures> figures, const Stage* present);

  std::span<const LadderBar> bars() const;
  std::span<const LadderFigures> figures() const;
  const Problem& problem() const;
  const QString& source() const;

  // The index of the bar whose row is at `at`; -1: none.
  int rowAt(const QPointF& at) const;
  // A rung's bar from 0 to its value. std::nullopt: it is not measured.
  std::optional<QRectF> barRect(int row) const;
  // The columns that fit, and the place of a number in one of them.
  const std::vector<charts::PlacedColumn>& columns() const;
  QRectF cellRect(int row, const charts::PlacedColumn& column) const;
  // The place of a rung's number.
  QRectF numberRect(int row) const;
  // The difference of a rung's bar to the one before it, if it is slower than that one.
  std::optional<QRectF> setbackRect(int row) const;
  // The lines below the axes: which rungs are slower than the one before them.
  QStringList footer() const;
  // The pixel position of this share of cuBLAS, in percent, on the axis of the row's ladder.
  double xOf(double percent, int row = 0) const;
  // The part of the chart that this row's ladder takes.
  QRect ladderRect(int row) const;
  // The number of ladders, one below the other, each with its axis.
  int ladders() const;

  void paintTo(QCPPainter& painter, const QSize& size) const;
  // The least height, in pixels, at which the rows of a chart of this width do not overlap.
  int leastHeight(int width) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  bool wantsArrows() const override { return true; }

 signals:
  void picked(const Stage* stage);

 protected:
  void restyle() override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Parts;

  void placeParts();
  void arrange(const QSize& size) const;
  void refresh();
  void settle() const;
  void point(int row, const QPoint& global);
  void describe();

  std::unique_ptr<Parts> m_parts;
  QCustomPlot* m_plot;
};

}  // namespace tileloom
