// SPDX-License-Identifier: GPL-3.0-or-later
// Four small charts over the changes of the tile parameters: speed, share of cuBLAS, registers,
// occupancy. Hovering a point shows its details; a click on it restores its tile. If the moves do
// not fit, the latest are shown above a strip of all: a press there, the wheel, a drag or the keys
// scroll; Ctrl and the wheel or + and - zoom.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/chart_data.h"
#include "viz/charts/history/history_series.h"

class QCPPainter;
class QCustomPlot;
class QToolButton;

namespace tileloom {

class HistoryCharts : public PaintedView {
  Q_OBJECT
 public:
  explicit HistoryCharts(QWidget* parent = nullptr);
  ~HistoryCharts() override;

  void setPoints(std::vector<HistoryPoint> points);
  // The point of the present tile: its column is shaded and its values are the large figures. -1:
  // none.
  void setCurrent(int index);
  // The baseline, as a line across each panel; std::nullopt: there is none, or nothing is known
  // about it.
  void setBaseline(std::optional<HistoryPoint> baseline);
  const std::optional<HistoryPoint>& baseline() const;

  std::span<const HistoryPoint> points() const;
  int current() const;
  // The point whose values the large figures show: the hovered one, else the one chosen with the
  // keys, else the current one, else the latest. -1: there are no points.
  int shown() const;
  bool followsLatest() const;
  void followLatest();
  // Shows all moves at once, or only as many as fit with their marks.
  void showAll(bool all);
  bool showsAll() const;
  // The rectangles of the strip of all moves below the panels, and of the frame around the visible
  // ones. std::nullopt: all moves are visible.
  std::optional<QRectF> overviewStrip() const;
  std::optional<QRectF> overviewFrame() const;

  // Where the point's mark is in this widget. std::nullopt: the point has no value in this panel,
  // or is scrolled out of sight.
  std::optional<QPointF> markAt(HistoryPanel panel, int index) const;
  // The point whose column is at `at`, and the point whose mark is there; -1: none.
  int columnAt(const QPointF& at) const;
  int pointAt(const QPointF& at) const;

  // Paints the charts with this size, without the highlight of the mouse or the keys.
  void paintTo(QCPPainter& painter, const QSize& size) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  bool wantsArrows() const override { return true; }

 signals:
  void restoreAsked(int index);
  void hovered(int index);

 protected:
  void restyle() override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Parts;

  void arrange(const QSize& size) const;
  void refresh();
  void settle() const;
  void hover(int index, const QPoint& global);
  void moveCursor(int index);
  void zoom(double factor, double x);
  void placeButtons();
  void describe();

  std::unique_ptr<Parts> m_parts;
  QCustomPlot* m_plot;
  QToolButton* m_latest;
  QToolButton* m_all;
  std::optional<QPointF> m_pressed;
  double m_dragged = 0;  // in moves, since the press
  bool m_dragging = false;
  bool m_onOverview = false;  // the press was on the strip of all moves
};

}  // namespace tileloom
