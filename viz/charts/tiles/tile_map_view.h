// SPDX-License-Identifier: GPL-3.0-or-later
// A heat map of speed over two tile parameters, for one device or for two side by side. A click or
// Enter uses a cell's tile, the arrow keys move from cell to cell, and a sentence about the cell is
// below the map.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "kernels/tuning/tile_map.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/charts/tiles/tile_map_data.h"
#include "viz/charts/tiles/tile_map_legend.h"

namespace tileloom {

// The places of the map's parts, computed without a screen.
struct TileMapGeometry {
  QRectF title;
  QRectF cells;  // the whole grid
  QSizeF cell;
  double left = 0;  // width for the row labels
  std::size_t columns = 0, rows = 0;

  // The last row is at the top: larger values are higher, as on an axis.
  QRectF cellRect(std::size_t column, std::size_t row) const;
  std::optional<std::pair<std::size_t, std::size_t>> cellAt(const QPointF& at) const;
};
TileMapGeometry tileMapGeometry(const QRectF& room, std::size_t columns, std::size_t rows,
                                const Fonts& fonts);

class TileMapView : public PaintedView {
  Q_OBJECT
 public:
  explicit TileMapView(QWidget* parent = nullptr);

  // One or two maps for this problem size; the cell of `present` is outlined in each. Rows and
  // columns without a legal tile are left out.
  void setMaps(std::vector<TileMapData> maps, const TileShape& present, const Problem& problem);
  // As shown.
  const std::vector<TileMapData>& maps() const { return m_maps; }
  const MapLeftOut& leftOut() const { return m_leftOut; }

  // The cell under this point: map, column, row.
  struct Spot {
    std::size_t map = 0, column = 0, row = 0;
    bool operator==(const Spot&) const = default;
  };

  // One scale for all cells of all maps: the same colour is the same speed, measured or predicted.
  SpeedScale scale() const;
  // std::nullopt: the cell has no colour.
  std::optional<QColor> colourOf(const Spot& spot) const;
  charts::CellLook lookOf(const Spot& spot) const;
  QString textOf(const Spot& spot) const;  // on the cell; empty: nothing is known
  bool isPresent(const Spot& spot) const;  // the present tile is there or belongs there
  bool isFastest(const Spot& spot) const;  // of the measured tiles on its map
  // The window's tile, if it was measured on the device of this map. nullptr: it was not.
  const tuning::TileFigure* presentFigure(std::size_t map) const;
  // "The fastest of 599 measured tiles reaches 43.1 TFLOP/s, 13 % over the default tile: BM=64 …";
  // empty: none was measured.
  QString bestSentence(std::size_t map) const;
  // Below the number, if cells have room: "72 % of cuBLAS", "fastest measured", "this tile".
  QStringList wordsOf(const Spot& spot) const;

  std::optional<Spot> spotAt(const QPointF& at) const;
  QRectF rectOf(const Spot& spot) const;
  const charts::LegendGeometry& legend() const { return m_layout.legendPlaces; }
  // "BM = 64, BN = 128, …: 42,961 GFLOP/s ± 0.1 %, recorded, 84 % of …"
  QString sentenceOf(const Spot& spot) const;

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
  struct Layout {
    std::vector<TileMapGeometry> maps;
    charts::LegendData legend;
    charts::LegendGeometry legendPlaces;
    QRectF foot;
    bool numbered = false;  // cells have room for their numbers
    bool worded = false;    // and for words below them
    QFont number;
  };
  void paint(QPainter& painter, const QSizeF& size, bool clickable) const;
  Layout layoutFor(const QSizeF& size) const;
  const tuning::TileFigure* figureOf(const Spot& spot) const;
  charts::LegendData legendFor(charts::SpeedUnit unit) const;
  void paintMap(QPainter& p, std::size_t index, const Layout& layout,
                const SpeedScale& scale) const;
  void paintCell(QPainter& p, const Spot& spot, const QRectF& rect, const Layout& layout,
                 const SpeedScale& scale) const;
  void chooseNumbers(Layout& layout) const;
  QString footText(const Layout& layout, bool clickable) const;
  std::optional<Spot> focus() const { return m_pointed ? m_pointed : m_cursor; }
  void refresh();
  void describe();

  std::vector<TileMapData> m_maps;
  MapLeftOut m_leftOut;
  Layout m_layout;
  TileShape m_present;
  Problem m_problem;
  std::optional<Spot> m_pointed;  // under the mouse
  std::optional<Spot> m_cursor;   // chosen with the keys
};

}  // namespace tileloom
