// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_geometry.h"

#include <QFontMetricsF>
#include <algorithm>

#include "kernels/tile/parameters.h"
#include "viz/base/text/text.h"
#include "viz/charts/tiles/tile_map_looks.h"
#include "viz/charts/tiles/tile_map_words.h"

namespace tileloom {
namespace {

using charts::SpeedUnit;
using tuning::TileFigure;

constexpr double kGap = 1.5;       // between cells
constexpr double kMostCell = 240;  // wider cells only separate the numbers
constexpr double kMargin = 8;
constexpr double kBetweenMaps = 24;

constexpr double kBeforeLegend = 20;
constexpr double kTallFrom = 24;  // the foot has a third line from this height on, in lines

// All cells have numbers, or none: a few would look like a selection. The font is as large as the
// cells allow; words follow if they fit in every cell.
void chooseNumbers(const TileMaps& maps, const Fonts& fonts, TileMapLayout& layout) {
  QStringList numbers, words;
  int most = 0;
  for (std::size_t i = 0; i < maps.sweeps.size(); ++i) {
    const tuning::TileMap& map = maps.sweeps[i].map;
    for (std::size_t row = 0; row < map.rows(); ++row) {
      for (std::size_t column = 0; column < map.columns(); ++column) {
        const TileFigure* figure = maps.figureOf({i, column, row});
        if (figure == nullptr) continue;
        numbers += charts::cellText(*figure, layout.legend.unit);
        const QStringList below = charts::cellWords(maps, {i, column, row}, layout.legend.unit);
        words += below;
        most = std::max(most, static_cast<int>(below.size()));
      }
    }
  }
  const auto widest = [](const QFont& font, const QStringList& texts) {
    double width = 0;
    for (const QString& text : texts)
      width = std::max(width, QFontMetricsF(font).horizontalAdvance(text));
    return width;
  };
  const auto fits = [&layout](double width, double height) {
    return std::ranges::all_of(layout.maps, [&](const TileMapGeometry& g) {
      return width <= g.cell.width() - kGap - 2 && height <= g.cell.height() - kGap;
    });
  };
  const double line = QFontMetricsF(fonts.small).height();
  const double wide = widest(fonts.small, words) + 8;
  for (const bool worded : {true, false}) {
    if (worded && words.isEmpty()) continue;
    for (const QFont& each : {fonts.number, fonts.title, fonts.body, fonts.small}) {
      QFont font = each;
      font.setBold(true);
      const bool smallest = each == fonts.small;  // other fonts need some air
      const double air = smallest ? 1 : 1.4;
      const double width = air * widest(font, numbers);
      const double height = smallest ? line : 1.3 * QFontMetricsF(font).height();
      if (!(worded ? fits(std::max(width, wide), height + line * (most + 1)) : fits(width, height)))
        continue;
      layout.numbered = true;
      layout.worded = worded;
      layout.number = each;
      return;
    }
  }
}

}  // namespace

QRectF TileMapGeometry::cellRect(std::size_t column, std::size_t row) const {
  const auto across = static_cast<double>(column), up = static_cast<double>(rows - 1 - row);
  return QRectF(cells.left() + across * cell.width(), cells.top() + up * cell.height(),
                cell.width(), cell.height())
      .adjusted(kGap / 2, kGap / 2, -kGap / 2, -kGap / 2);
}

std::optional<std::pair<std::size_t, std::size_t>> TileMapGeometry::cellAt(
    const QPointF& at) const {
  if (!cells.contains(at) || columns == 0 || rows == 0) return std::nullopt;
  const auto column = static_cast<std::size_t>((at.x() - cells.left()) / cell.width());
  const auto down = static_cast<std::size_t>((at.y() - cells.top()) / cell.height());
  if (column >= columns || down >= rows) return std::nullopt;
  return std::pair(column, rows - 1 - down);
}

TileMapGeometry tileMapGeometry(const QRectF& room, std::size_t columns, std::size_t rows,
                                const Fonts& fonts) {
  const QFontMetricsF small(fonts.small), body(fonts.body);
  TileMapGeometry g;
  g.columns = columns;
  g.rows = rows;
  g.title = QRectF(room.left(), room.top(), room.width(), body.height());
  g.left = small.horizontalAdvance(toQString(kLongestParameterName) + QStringLiteral(" ↑")) +
           small.horizontalAdvance(QStringLiteral("256")) + 8;
  const QRectF rest = room.adjusted(g.left, body.height() + 4, 0, -2 * small.height() - 4);
  if (columns == 0 || rows == 0 || rest.width() <= 0 || rest.height() <= 0) return g;
  g.cell = QSizeF(std::min(kMostCell, rest.width() / static_cast<double>(columns)),
                  rest.height() / static_cast<double>(rows));
  g.cells = QRectF(rest.topLeft(), QSizeF(g.cell.width() * static_cast<double>(columns),
                                          g.cell.height() * static_cast<double>(rows)));
  return g;
}

TileMapLayout tileMapLayout(const TileMaps& maps, const QSizeF& size, const Fonts& fonts) {
  TileMapLayout layout;
  const double line = QFontMetricsF(fonts.small).height();
  // A few lines at the foot describe the cell under the mouse.
  const double foot = (size.height() >= kTallFrom * line ? 3 : 2) * line;
  layout.foot = QRectF(kMargin, size.height() - foot - 4, size.width() - 2 * kMargin, foot);
  const QRectF room = QRectF(QPointF(), size).adjusted(kMargin, 2, -kMargin, -foot - 6);
  if (maps.sweeps.empty()) return layout;
  const auto count = static_cast<double>(maps.sweeps.size());
  // With the longer numbers if all cells have room for them.
  QFont bold = fonts.small;
  bold.setBold(true);
  const double longest = QFontMetricsF(bold).horizontalAdvance(QStringLiteral("≈88,888")) + 6;
  for (const SpeedUnit unit : {SpeedUnit::Giga, SpeedUnit::Tera}) {
    layout.legend = charts::legendOf(maps, unit);
    layout.legendPlaces = charts::legendGeometry(room, layout.legend, fonts);
    const double legend = layout.legendPlaces.room.width();
    const double across = room.width() - (legend > 0 ? legend + kBeforeLegend : 0);
    const double width = (across - (count - 1) * kBetweenMaps) / count;
    layout.maps.clear();
    for (std::size_t i = 0; i < maps.sweeps.size(); ++i) {
      const QRectF part(room.left() + static_cast<double>(i) * (width + kBetweenMaps), room.top(),
                        width, room.height());
      layout.maps.push_back(
          tileMapGeometry(part, maps.sweeps[i].map.columns(), maps.sweeps[i].map.rows(), fonts));
    }
    const bool fits = std::ranges::all_of(layout.maps, [longest](const TileMapGeometry& g) {
      return g.columns == 0 || g.cell.width() >= longest;
    });
    if (fits) break;
  }
  chooseNumbers(maps, fonts, layout);
  // Beside the maps, not at the far end of a wide window.
  const QRectF cells = layout.maps.back().cells;
  const double away = layout.legendPlaces.room.left() - cells.right() - 2 * kBeforeLegend;
  if (!cells.isEmpty() && away > 0) charts::moveLegend(layout.legendPlaces, -away);
  return layout;
}

std::optional<TileMapSpot> TileMapLayout::spotAt(const QPointF& at) const {
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (const auto cell = maps[i].cellAt(at)) return TileMapSpot{i, cell->first, cell->second};
  }
  return std::nullopt;
}

QRectF TileMapLayout::rectOf(const TileMapSpot& spot) const {
  return maps[spot.map].cellRect(spot.column, spot.row);
}

}  // namespace tileloom
