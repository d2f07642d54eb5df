// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_view.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "viz/charts/tiles/tile_map_crop.h"
#include "viz/charts/tiles/tile_map_painter.h"
#include "viz/charts/tiles/tile_map_words.h"

namespace tileloom {

using tuning::TileCell;

TileMapView::TileMapView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setObjectName(QStringLiteral("tileMap"));
  describe();
}

void TileMapView::setMaps(std::vector<TileMapData> maps, const TileShape& present,
                          const Problem& problem) {
  MapLeftOut leftOut = charts::cropIllegal(maps);
  TileMaps data{std::move(maps), std::move(leftOut), present, problem};
  if (data == m_data) return;
  const auto shapeOf = [](const std::vector<TileMapData>& all) {
    std::vector<std::size_t> sizes;
    for (const TileMapData& sweep : all) {
      sizes.push_back(sweep.map.columns());
      sizes.push_back(sweep.map.rows());
    }
    return sizes;
  };
  if (shapeOf(data.sweeps) != shapeOf(m_data.sweeps)) m_pointed = m_cursor = std::nullopt;
  m_data = std::move(data);
  refresh();
}

void TileMapView::refresh() {
  m_layout = tileMapLayout(m_data, size(), m_fonts);
  describe();
  update();
}

QString TileMapView::footText(const TileMapLayout& layout, bool clickable) const {
  if (const auto spot = focus()) return charts::cellSentence(m_data, *spot);
  const double lines = layout.foot.height() / QFontMetricsF(m_fonts.small).height();
  return charts::tileMapFoot(m_data, layout.legend, layout.legendPlaces.hasLooks(), lines,
                             clickable);
}

void TileMapView::paint(QPainter& p, const QSizeF& size, bool clickable) const {
  const TileMapLayout layout = tileMapLayout(m_data, size, m_fonts);
  charts::paintTileMaps(p, m_data, layout, footText(layout, clickable), m_theme, m_fonts);
}

void TileMapView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paint(p, size(), true);
  if (const auto spot = focus()) {
    p.setPen(hairline(m_theme.accent, 1.5, Qt::DashLine));
    p.setBrush(Qt::NoBrush);
    p.drawRect(rectOf(*spot).adjusted(-2, -2, 2, 2));
  }
}

QSize TileMapView::minimumSizeHint() const {
  const QFontMetricsF small(m_fonts.small);
  return QSizeF(small.averageCharWidth() * 50, small.height() * 11).toSize();
}

void TileMapView::restyle() {
  refresh();
}

void TileMapView::resizeEvent(QResizeEvent*) {
  refresh();
}

bool TileMapView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto spot = spotAt(help->pos())) {
      QToolTip::showText(help->globalPos(), charts::cellSentence(m_data, *spot), this);
    } else if (m_layout.legendPlaces.room.contains(help->pos())) {
      QToolTip::showText(help->globalPos(), charts::legendToolTip(m_data), this);
    } else if (m_layout.foot.contains(help->pos())) {
      // The foot may be cut; this is all of it.
      QToolTip::showText(help->globalPos(), footText(m_layout, true), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return PaintedView::event(event);
}

void TileMapView::mouseMoveEvent(QMouseEvent* event) {
  const auto spot = spotAt(event->position());
  if (spot == m_pointed) return;
  m_pointed = spot;
  describe();
  update();
}

void TileMapView::leaveEvent(QEvent*) {
  m_pointed.reset();
  describe();
  update();
}

void TileMapView::mousePressEvent(QMouseEvent* event) {
  const auto spot = spotAt(event->position());
  if (!spot || event->button() != Qt::LeftButton) return;
  m_cursor = spot;
  const TileCell& cell = m_data.cell(*spot);
  if (cell.kind != TileCell::Kind::Illegal)
    emit picked(cell.tile, cell.kind == TileCell::Kind::Known);
}

void TileMapView::keyPressEvent(QKeyEvent* event) {
  if (m_data.sweeps.empty() || m_data.sweeps.front().map.cells.empty())
    return QWidget::keyPressEvent(event);
  const tuning::TileMap& map = m_data.sweeps[m_cursor ? m_cursor->map : 0].map;
  if (!m_cursor) {
    const auto place = [](const std::vector<int>& values, int value) {
      return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
    };
    m_cursor =
        TileMapSpot{0, std::min(place(map.valuesX, m_data.present[map.x]), map.columns() - 1),
                    std::min(place(map.valuesY, m_data.present[map.y]), map.rows() - 1)};
  }
  TileMapSpot spot = *m_cursor;
  const auto last = [](std::size_t count) { return count - 1; };
  switch (event->key()) {
    case Qt::Key_Left:
      if (spot.column > 0) --spot.column;
      break;
    case Qt::Key_Right:
      spot.column = std::min(spot.column + 1, last(map.columns()));
      break;
    case Qt::Key_Down:
      if (spot.row > 0) --spot.row;
      break;
    case Qt::Key_Up:
      spot.row = std::min(spot.row + 1, last(map.rows()));
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
      const TileCell& cell = map.at(spot.column, spot.row);
      if (cell.kind != TileCell::Kind::Illegal)
        emit picked(cell.tile, cell.kind == TileCell::Kind::Known);
      break;
    }
    default:
      return QWidget::keyPressEvent(event);
  }
  m_cursor = spot;
  m_pointed.reset();
  describe();
  update();
}

void TileMapView::focusOutEvent(QFocusEvent* event) {
  PaintedView::focusOutEvent(event);
  m_cursor.reset();
  describe();
  update();
}

void TileMapView::describe() {
  QString text = tr("Tuning map of speed over two tile parameters");
  if (const auto spot = focus()) text = charts::cellSentence(m_data, *spot);
  if (text == accessibleName()) return;
  setAccessibleName(text);
  QAccessibleEvent changed(this, QAccessible::NameChanged);
  QAccessible::updateAccessibility(&changed);
}

}  // namespace tileloom
