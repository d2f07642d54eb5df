// SPDX-License-Identifier: GPL-3.0-or-later
// All measured tiles of a rung as lines over parallel axes, one axis per tile parameter. It shows
// which values the fast tiles share. Where several lines cross an axis at one value, the faster
// tile is higher. A click uses the tile of a line.
#pragma once

#include <optional>
#include <vector>

#include "kernels/tuning/tile_map.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {

// Computes the lines without a screen.
class TileLines {
 public:
  TileLines() = default;
  // A tile parameter with the same value in all tiles has no axis; the text below says its value.
  TileLines(const Stage& stage, const std::vector<tuning::TileFigure>& figures, const QRectF& room);

  struct Axis {
    Parameter parameter;
    std::vector<int> values;  // ascending, upwards
    double x = 0;
  };
  const std::vector<Axis>& axes() const { return m_axes; }
  double yOf(std::size_t axis, std::size_t value) const;   // middle of the value's place
  QPointF at(std::size_t figure, std::size_t axis) const;  // crossing of the line and an axis
  std::optional<std::size_t> nearest(const QPointF& point, double within) const;
  std::size_t figures() const { return m_places.size(); }

 private:
  QRectF m_room;
  std::vector<Axis> m_axes;
  std::vector<std::vector<double>> m_places;  // y, by figure and then by axis
};

class TileLinesView : public PaintedView {
  Q_OBJECT
 public:
  explicit TileLinesView(QWidget* parent = nullptr);

  // `figures`: fastest first, as from figuresOf().
  void setFigures(const Stage& stage, std::vector<tuning::TileFigure> figures,
                  const TileShape& present, const QString& device = {});
  const TileLines& lines() const { return m_lines; }
  QString sentenceOf(std::size_t figure) const;

  // For a file: without the hint on clicking.
  void paintTo(QPainter& painter, const QSizeF& size) const { paint(painter, size, false); }

  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return roomFor(48, 9); }
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
  std::optional<std::size_t> m_cursor;  // by rank, moved with Up and Down
};

}  // namespace tileloom
