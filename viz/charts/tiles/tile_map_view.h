// SPDX-License-Identifier: GPL-3.0-or-later
// A heat map of speed over two tile parameters, for one device or for two side by side. A click or
// Enter uses a cell's tile, the arrow keys move from cell to cell, and a sentence about the cell is
// below the map.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/tiles/tile_map_geometry.h"

namespace tileloom {

class TileMapView : public PaintedView {
  Q_OBJECT
 public:
  explicit TileMapView(QWidget* parent = nullptr);

  // One or two maps for this problem size; the cell of `present` is outlined in each. Rows and
  // columns without a legal tile are left out.
  void setMaps(std::vector<TileMapData> maps, const TileShape& present, const Problem& problem);
  const TileMaps& data() const { return m_data; }  // as shown

  std::optional<TileMapSpot> spotAt(const QPointF& at) const { return m_layout.spotAt(at); }
  QRectF rectOf(const TileMapSpot& spot) const { return m_layout.rectOf(spot); }
  const charts::LegendGeometry& legend() const { return m_layout.legendPlaces; }

  // The text below the map: the meaning of its numbers, or the cell under the mouse.
  QString footText() const { return footText(m_layout, true); }

  // For a file: without the hint on clicking.
  void paintTo(QPainter& painter, const QSizeF& size) const { paint(painter, size, false); }

  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override;
  bool wantsArrows() const override { return true; }

 signals:
  // not `measured`: the tile is any legal tile of the cell.
  void picked(const tileloom::TileShape& tile, bool measured);

 protected:
  void restyle() override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void paint(QPainter& painter, const QSizeF& size, bool clickable) const;
  QString footText(const TileMapLayout& layout, bool clickable) const;
  std::optional<TileMapSpot> focus() const { return m_pointed ? m_pointed : m_cursor; }
  void refresh();
  void describe();

  TileMaps m_data;
  TileMapLayout m_layout;
  std::optional<TileMapSpot> m_pointed;  // under the mouse
  std::optional<TileMapSpot> m_cursor;   // chosen with the keys
};

}  // namespace tileloom
