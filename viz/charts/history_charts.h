// SPDX-License-Identifier: GPL-3.0-or-later
// Four small charts against the moves of the knobs: speed, share of cuBLAS, registers, occupancy.
// Hovering a point shows its details; a click on it asks for its tile. Where there are more moves
// than room, the latest are shown above a strip of all: a press there, the wheel, a drag or the
// keys scroll, Ctrl and the wheel or + and - zoom.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "viz/base/painted_view.h"
#include "viz/charts/chart_data.h"
#include "viz/charts/history_series.h"

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
  // The point of the knobs' present position: its column is shaded and its values are the large
  // figures. -1: none.
  void setCurrent(int index);
  // What is compared with, as a line across each panel; std::nullopt: nothing is, or nothing is
  // known of it.
  void setBaseline(std::optional<HistoryPoint> baseline);
  const std::optional<HistoryPoint>& baseline() const;

  std::span<const HistoryPoint> points() const;
  int current() const;
  // The point whose values the large figures show: the hovered one, else the one chosen with the
  // keys, else the current one, else the latest. -1: there are no points.
  int shown() const;
  bool followsLatest() const;
  void followLatest();
  // All moves at once, or again as many as have room for their marks.
  void showAll(bool all);
  bool showsAll() const;
  // Of the strip of all moves below the panels, and of the frame in it around those that are shown.
  // std::nullopt: there is none, because all are shown.
  std::optional<QRectF> overviewStrip() const;
  std::optional<QRectF> overviewFrame() const;

  // Where the point's mark is in this widget. std::nullopt: the point has no value in this panel,
  // or is scrolled out of sight.
  std::optional<QPointF> markAt(HistoryPanel panel, int index) const;
  // The point whose column is at `at`, and the point whose mark is there; -1: none.
  int columnAt(const QPointF& at) const;
  int pointAt(const QPointF& at) const;

  // Paints the charts with this size, without highlighting what the mouse or the keys point at.
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
  double m_dragged = 0;  // in moves of the knobs, since the press
  bool m_dragging = false;
  bool m_onOverview = false;  // the press was on the strip of all moves
};

}  // namespace tileloom
