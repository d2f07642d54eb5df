// SPDX-License-Identifier: GPL-3.0-or-later
// All measured tiles of a rung as lines over parallel axes, a knob each: which values the fast ones
// share. Within a value the faster tile lies higher. A click takes a line's tile.
#pragma once

#include <optional>
#include <vector>

#include "kernels/tuning/tile_map.h"
#include "viz/base/painted_view.h"

namespace tileloom {

// Where the lines run, without a screen.
class TileLines {
 public:
  TileLines() = default;
  // Knobs of which there is one value only stand in the words, not on an axis.
  TileLines(const Stage& stage, const std::vector<tuning::TileFigure>& figures, const QRectF& room);

  struct Axis {
    Knob knob;
    std::vector<int> values;  // ascending, upwards
    double x = 0;
  };
  const std::vector<Axis>& axes() const { return m_axes; }
  double yOf(std::size_t axis, std::size_t value) const;   // of the value's middle
  QPointF at(std::size_t figure, std::size_t axis) const;  // where the line crosses an axis
  std::optional<std::size_t> nearest(const QPointF& point, double within) const;
  std::size_t figures() const { return m_places.size(); }

 private:
  QRectF m_room;
  std::vector<Axis> m_axes;
  std::vector<std::vector<double>> m_places;  // by figure, then axis: y
};

class TileLinesView : public PaintedView {
  Q_OBJECT
 public:
  explicit TileLinesView(QWidget* parent = nullptr);

  // Fastest first, as figuresOf gives them.
  void setFigures(const Stage& stage, std::vector<tuning::TileFigure> figures,
                  const TileShape& present, const QString& device = {});
  const TileLines& lines() const { return m_lines; }
  QString sentenceOf(std::size_t figure) const;

  // For a file, where nobody can click.
  void paintTo(QPainter& painter, const QSizeF& size) const { paint(painter, size, false); }

  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return {320, 160}; }
  bool wantsArrows() const override { return true; }

 signals:
  void picked(const tileloom::TileShape& tile);

 protected:
  void restyle() override { refresh(); }
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent*) override { refresh(); }
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void paint(QPainter& painter, const QSizeF& size, bool clickable) const;
  QRectF roomIn(const QSizeF& size) const;
  void refresh();
  void describe();
  std::optional<std::size_t> focus() const { return m_pointed ? m_pointed : m_cursor; }

  const Stage* m_stage = nullptr;
  std::vector<tuning::TileFigure> m_figures;
  QString m_device;
  TileShape m_present;
  TileLines m_lines;
  std::optional<std::size_t> m_pointed;
  std::optional<std::size_t> m_cursor;  // by rank: Up and Down walk it
};

}  // namespace tileloom
