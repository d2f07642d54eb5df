// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_view.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/model/prediction/rates.h"
#include "kernels/tile/parameters.h"
#include "viz/base/colour_scale.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/charts/tiles/tile_map_crop.h"

namespace tileloom {
namespace {

using charts::CellLook;
using charts::SpeedUnit;
using tuning::TileCell;
using tuning::TileFigure;

constexpr double kGap = 1.5;       // between cells
constexpr double kMostCell = 240;  // wider cells only separate the numbers
constexpr double kMargin = 8;
constexpr double kBetweenMaps = 24;

constexpr double kBeforeLegend = 20;
constexpr double kTallFrom = 24;  // the foot has a third line from this height on, in lines

CellLook lookOfFigure(TileFigure::Kind kind) {
  switch (kind) {
    case TileFigure::Kind::Live:
      return CellLook::Live;
    case TileFigure::Kind::Recorded:
      return CellLook::Recorded;
    case TileFigure::Kind::Predicted:
      break;
  }
  return CellLook::Predicted;
}

// Predictions have three digits, which is already more than their precision.
QString cellText(const TileFigure& figure, SpeedUnit unit) {
  if (figure.kind != TileFigure::Kind::Predicted) return charts::inUnit(figure.gflops.median, unit);
  return QStringLiteral("≈") + (unit == SpeedUnit::Giga
                                    ? figures::roughSpeedText(figure.gflops.median)
                                    : charts::inUnit(figure.gflops.median, unit));
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

TileMapView::TileMapView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setObjectName(QStringLiteral("tileMap"));
  describe();
}

void TileMapView::setMaps(std::vector<TileMapData> maps, const TileShape& present,
                          const Problem& problem) {
  MapLeftOut leftOut = charts::cropIllegal(maps);
  if (maps == m_maps && present == m_present && problem == m_problem && leftOut == m_leftOut)
    return;
  const auto shapeOf = [](const std::vector<TileMapData>& all) {
    std::vector<std::size_t> sizes;
    for (const TileMapData& sweep : all) {
      sizes.push_back(sweep.map.columns());
      sizes.push_back(sweep.map.rows());
    }
    return sizes;
  };
  if (shapeOf(maps) != shapeOf(m_maps)) m_pointed = m_cursor = std::nullopt;
  m_maps = std::move(maps);
  m_leftOut = std::move(leftOut);
  m_present = present;
  m_problem = problem;
  refresh();
}

void TileMapView::refresh() {
  m_layout = layoutFor(size());
  describe();
  update();
}

const TileFigure* TileMapView::figureOf(const Spot& spot) const {
  const TileMapData& sweep = m_maps[spot.map];
  const TileCell& cell = sweep.map.at(spot.column, spot.row);
  return cell.figure ? &sweep.figures[*cell.figure] : nullptr;
}

SpeedScale TileMapView::scale() const {
  std::vector<double> speeds;
  for (const TileMapData& sweep : m_maps) {
    for (const TileCell& cell : sweep.map.cells) {
      if (cell.figure) speeds.push_back(sweep.figures[*cell.figure].gflops.median);
    }
  }
  return speedScale(speeds);
}

std::optional<QColor> TileMapView::colourOf(const Spot& spot) const {
  const TileFigure* figure = figureOf(spot);
  if (figure == nullptr) return std::nullopt;
  return scaleColour(scale().shareOf(figure->gflops.median), m_theme);
}

CellLook TileMapView::lookOf(const Spot& spot) const {
  if (const TileFigure* figure = figureOf(spot)) return lookOfFigure(figure->kind);
  const TileCell& cell = m_maps[spot.map].map.at(spot.column, spot.row);
  return cell.kind == TileCell::Kind::Illegal ? CellLook::Illegal : CellLook::Unknown;
}

QString TileMapView::textOf(const Spot& spot) const {
  const TileFigure* figure = figureOf(spot);
  return figure == nullptr ? QString() : cellText(*figure, m_layout.legend.unit);
}

bool TileMapView::isPresent(const Spot& spot) const {
  const tuning::TileMap& map = m_maps[spot.map].map;
  return map.valuesX[spot.column] == m_present[map.x] && map.valuesY[spot.row] == m_present[map.y];
}

bool TileMapView::isFastest(const Spot& spot) const {
  const TileFigure* figure = figureOf(spot);
  if (figure == nullptr || figure->kind == TileFigure::Kind::Predicted) return false;
  const TileMapData& sweep = m_maps[spot.map];
  return std::ranges::none_of(sweep.map.cells, [&](const TileCell& cell) {
    return cell.figure && sweep.figures[*cell.figure].kind != TileFigure::Kind::Predicted &&
           sweep.figures[*cell.figure].gflops.median > figure->gflops.median;
  });
}

QStringList TileMapView::wordsOf(const Spot& spot) const {
  const TileFigure* figure = figureOf(spot);
  if (figure == nullptr) return {};
  QStringList words;
  // cuBLAS of the same run, as everywhere in the window; the legend has one speed of cuBLAS for all
  // tiles.
  const double cublas = m_maps[spot.map].cublas;
  const double share = figure->ofCublas > 0 ? figure->ofCublas
                       : cublas > 0         ? figure->gflops.median / cublas
                                            : 0;
  if (share > 0) words += tr("%1 % of cuBLAS").arg(100 * share, 0, 'f', 1);
  if (isFastest(spot)) words += tr("fastest here");
  if (isPresent(spot)) {
    const TileFigure* own = presentFigure(spot.map);
    words += m_maps[spot.map].map.at(spot.column, spot.row).tile == m_present
                 ? tr("tile in the window")
             : own == nullptr ? tr("not the window's tile")
                              : tr("window's tile: %1").arg(cellText(*own, m_layout.legend.unit));
  }
  return words;
}

const TileFigure* TileMapView::presentFigure(std::size_t map) const {
  const std::vector<TileFigure>& figures = m_maps[map].figures;
  const auto found = std::ranges::find_if(figures, [this](const TileFigure& f) {
    return f.tile == m_present && f.kind != TileFigure::Kind::Predicted;
  });
  return found != figures.end() ? &*found : nullptr;
}

QString TileMapView::bestSentence(std::size_t map) const {
  const TileMapData& sweep = m_maps[map];
  const auto fastest = tuning::fastestOf(sweep.figures);
  if (!fastest) return {};
  const TileShape& best = fastest->figure.tile;
  const double gflops = fastest->figure.gflops.median;
  const QString speed =
      tr("%1 %2").arg(charts::inUnit(gflops, SpeedUnit::Tera), charts::unitText(SpeedUnit::Tera));
  const QString tile = figures::tileText(sweep.map.stage, best);
  QString text = m_maps.size() > 1 ? tr("%1: ").arg(sweep.title) : QString();
  // With the present other parameters the map may have no cell for it.
  const bool here = std::ranges::any_of(
      sweep.map.cells, [&best](const TileCell& cell) { return cell.tile == best; });
  const QString all = figures::grouped(fastest->tiles);
  text += fastest->tiles == 1 ? tr("the only measured tile reaches")
          : here              ? tr("the fastest of %1 measured tiles reaches").arg(all)
                 : tr("the fastest of %1 measured tiles, with any parameters, reaches").arg(all);
  text[0] = text[0].toUpper();
  const TileShape standard = sweep.map.stage->standardTile();
  if (best == standard) return text + tr(" %1: it is the default tile.").arg(speed);
  const auto usual = std::ranges::find_if(sweep.figures, [&standard](const TileFigure& f) {
    return f.tile == standard && f.kind != TileFigure::Kind::Predicted;
  });
  if (usual == sweep.figures.end()) return text + tr(" %1: %2.").arg(speed, tile);
  const double over = 100 * (gflops / usual->gflops.median - 1);
  return text + tr(" %1, %2 % over the default tile: %3.")
                    .arg(speed, QString::number(over, 'f', over < 10 ? 1 : 0), tile);
}

charts::LegendData TileMapView::legendFor(SpeedUnit unit) const {
  charts::LegendData legend{scale(), unit};
  std::array<bool, charts::kCellLooks> seen{};
  for (std::size_t i = 0; i < m_maps.size(); ++i) {
    const TileMapData& sweep = m_maps[i];
    if (sweep.cublas > 0) legend.cublas.push_back({sweep.title, sweep.cublas});
    for (std::size_t row = 0; row < sweep.map.rows(); ++row) {
      for (std::size_t column = 0; column < sweep.map.columns(); ++column) {
        const Spot spot{i, column, row};
        const CellLook look = lookOf(spot);
        seen[static_cast<std::size_t>(look)] = true;
        if (isPresent(spot)) seen[static_cast<std::size_t>(CellLook::Present)] = true;
        if (isFastest(spot)) seen[static_cast<std::size_t>(CellLook::Fastest)] = true;
        if (look == CellLook::Predicted) legend.foretoldOf = sweep.foretoldOf;
      }
    }
  }
  legend.othersBest = !m_maps.empty() && m_maps.front().map.others == tuning::Others::Best;
  if (legend.othersBest) {
    QStringList own;
    for (std::size_t i = 0; i < m_maps.size(); ++i) {
      const TileFigure* figure = presentFigure(i);
      own += figure != nullptr ? charts::inUnit(figure->gflops.median, unit) : tr("not measured");
    }
    own.removeDuplicates();
    legend.presentIs = tr("that tile itself: %1").arg(own.join(tr(", ")));
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) legend.looks.push_back(static_cast<CellLook>(i));
  }
  return legend;
}

TileMapView::Layout TileMapView::layoutFor(const QSizeF& size) const {
  Layout layout;
  const double line = QFontMetricsF(m_fonts.small).height();
  // A few lines at the foot describe the cell under the mouse.
  const double foot = (size.height() >= kTallFrom * line ? 3 : 2) * line;
  layout.foot = QRectF(kMargin, size.height() - foot - 4, size.width() - 2 * kMargin, foot);
  const QRectF room = QRectF(QPointF(), size).adjusted(kMargin, 2, -kMargin, -foot - 6);
  if (m_maps.empty()) return layout;
  const auto count = static_cast<double>(m_maps.size());
  // With the longer numbers if all cells have room for them.
  QFont bold = m_fonts.small;
  bold.setBold(true);
  const double longest = QFontMetricsF(bold).horizontalAdvance(QStringLiteral("≈88,888")) + 6;
  for (const SpeedUnit unit : {SpeedUnit::Giga, SpeedUnit::Tera}) {
    layout.legend = legendFor(unit);
    layout.legendPlaces = charts::legendGeometry(room, layout.legend, m_fonts);
    const double legend = layout.legendPlaces.room.width();
    const double across = room.width() - (legend > 0 ? legend + kBeforeLegend : 0);
    const double width = (across - (count - 1) * kBetweenMaps) / count;
    layout.maps.clear();
    for (std::size_t i = 0; i < m_maps.size(); ++i) {
      const QRectF part(room.left() + static_cast<double>(i) * (width + kBetweenMaps), room.top(),
                        width, room.height());
      layout.maps.push_back(
          tileMapGeometry(part, m_maps[i].map.columns(), m_maps[i].map.rows(), m_fonts));
    }
    const bool fits = std::ranges::all_of(layout.maps, [longest](const TileMapGeometry& g) {
      return g.columns == 0 || g.cell.width() >= longest;
    });
    if (fits) break;
  }
  chooseNumbers(layout);
  // Beside the maps, not at the far end of a wide window.
  const QRectF cells = layout.maps.back().cells;
  const double away = layout.legendPlaces.room.left() - cells.right() - 2 * kBeforeLegend;
  if (!cells.isEmpty() && away > 0) charts::moveLegend(layout.legendPlaces, -away);
  return layout;
}

// All cells have numbers, or none: a few would look like a selection. The font is as large as the
// cells allow; words follow if they fit in every cell.
void TileMapView::chooseNumbers(Layout& layout) const {
  QStringList numbers, words;
  int most = 0;
  for (std::size_t i = 0; i < m_maps.size(); ++i) {
    const tuning::TileMap& map = m_maps[i].map;
    for (std::size_t row = 0; row < map.rows(); ++row) {
      for (std::size_t column = 0; column < map.columns(); ++column) {
        const TileFigure* figure = figureOf({i, column, row});
        if (figure == nullptr) continue;
        numbers += cellText(*figure, layout.legend.unit);
        const QStringList below = wordsOf({i, column, row});
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
  const double line = QFontMetricsF(m_fonts.small).height();
  const double wide = widest(m_fonts.small, words) + 8;
  for (const bool worded : {true, false}) {
    if (worded && words.isEmpty()) continue;
    for (const QFont& each : {m_fonts.number, m_fonts.title, m_fonts.body, m_fonts.small}) {
      QFont font = each;
      font.setBold(true);
      const bool smallest = each == m_fonts.small;  // other fonts need some air
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

std::optional<TileMapView::Spot> TileMapView::spotAt(const QPointF& at) const {
  for (std::size_t i = 0; i < m_layout.maps.size(); ++i) {
    if (const auto cell = m_layout.maps[i].cellAt(at)) return Spot{i, cell->first, cell->second};
  }
  return std::nullopt;
}

QRectF TileMapView::rectOf(const Spot& spot) const {
  return m_layout.maps[spot.map].cellRect(spot.column, spot.row);
}

QString TileMapView::sentenceOf(const Spot& spot) const {
  const TileMapData& sweep = m_maps[spot.map];
  const TileCell& cell = sweep.map.at(spot.column, spot.row);
  const QString place = tr("%1 = %2, %3 = %4")
                            .arg(toQString(name(sweep.map.x)))
                            .arg(sweep.map.valuesX[spot.column])
                            .arg(toQString(name(sweep.map.y)))
                            .arg(sweep.map.valuesY[spot.row]);
  if (cell.kind == TileCell::Kind::Illegal)
    return (sweep.map.others == tuning::Others::Best
                ? tr("%1: no legal tile of round values has these; with the present other "
                     "parameters: %2")
                : tr("%1: illegal. %2"))
        .arg(place, QString::fromStdString(cell.rule));
  const QString tile = figures::tileText(sweep.map.stage, cell.tile);
  if (cell.kind == TileCell::Kind::Unknown)
    return tr("%1: legal, not measured at this size").arg(tile);
  const TileFigure& f = sweep.figures[*cell.figure];
  const QString speed = figures::speedText(f.gflops.median);
  if (f.kind == TileFigure::Kind::Predicted) {
    const QString text = sweep.foretoldOf.isEmpty()
                             ? tr("%1: %2 GFLOP/s predicted (%3 to %4)")
                             : tr("%1: %2 GFLOP/s predicted for %5 (%3 to %4)");
    const QString words =
        text.arg(tile, figures::roughSpeedText(f.gflops.median),
                 figures::roughSpeedText(f.gflops.low), figures::roughSpeedText(f.gflops.high));
    return sweep.foretoldOf.isEmpty() ? words : words.arg(sweep.foretoldOf);
  }
  QString text = tr("%1: %2 GFLOP/s %3, %4")
                     .arg(tile, speed, figures::spreadText(f.gflops),
                          f.kind == TileFigure::Kind::Live ? tr("live") : tr("recorded"));
  if (f.registers >= 0)
    text += QStringLiteral("; ") + figures::residencyText(f.registers, f.blocksPerSm);
  if (isPresent(spot) && cell.tile != m_present) {
    const TileFigure* own = presentFigure(spot.map);
    const QString window = figures::tileText(sweep.map.stage, m_present);
    text += own != nullptr
                ? tr(". This is not the tile in the window, %1: that one reaches %2 GFLOP/s")
                      .arg(window, figures::speedText(own->gflops.median))
                : tr(". This is not the tile in the window, %1, which was not measured here")
                      .arg(window);
  }
  return text;
}

void TileMapView::paintCell(QPainter& p, const Spot& spot, const QRectF& rect, const Layout& layout,
                            const SpeedScale& scale) const {
  const TileFigure* figure = figureOf(spot);
  if (figure == nullptr) return paintCellLook(p, rect, lookOf(spot), {}, m_theme);
  const QColor fill = scaleColour(scale.shareOf(figure->gflops.median), m_theme);
  const bool predicted = figure->kind == TileFigure::Kind::Predicted;
  paintCellLook(p, rect, lookOf(spot), fill, m_theme);
  if (isFastest(spot)) paintCellLook(p, rect, CellLook::Fastest, fill, m_theme);
  if (!layout.numbered) return;
  // The texture stops before the text.
  const auto write = [&](const QFont& font, double top, const QString& text) {
    const QFontMetricsF metrics(font);
    const double width = metrics.horizontalAdvance(text);
    const QRectF at(rect.center().x() - width / 2, top, width, metrics.height());
    if (predicted) p.fillRect(at.adjusted(-2, 1, 2, -1), fill);
    p.setPen(Theme::ink(fill));
    p.setFont(font);
    p.drawText(at.adjusted(-2, 0, 2, 0), Qt::AlignCenter, text);
    return at.bottom();
  };
  QFont font = layout.number;
  if (isFastest(spot)) font.setBold(true);
  const QStringList words = layout.worded ? wordsOf(spot) : QStringList();
  const double line = QFontMetricsF(m_fonts.small).height();
  double top = rect.center().y() -
               (QFontMetricsF(font).height() + line * static_cast<double>(words.size())) / 2;
  top = write(font, top, cellText(*figure, layout.legend.unit));
  for (const QString& text : words) top = write(m_fonts.small, top, text);
}

void TileMapView::paintMap(QPainter& p, std::size_t index, const Layout& layout,
                           const SpeedScale& scale) const {
  const TileMapData& sweep = m_maps[index];
  const TileMapGeometry& g = layout.maps[index];
  const QFontMetricsF small(m_fonts.small);
  const tuning::TileMap& map = sweep.map;
  p.setFont(m_fonts.body);
  p.setPen(m_theme.text);
  p.drawText(g.title, Qt::AlignLeft | Qt::AlignVCenter,
             fitted(sweep.title, QFontMetricsF(m_fonts.body), g.title.width()));
  p.setFont(m_fonts.small);
  p.setPen(m_theme.soft);
  // If cells are smaller than their labels, only each second or third one has a label.
  const auto each = [](double needed, double step) {
    return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / std::max(1.0, step))));
  };
  const double high = small.height();
  for (std::size_t row = 0; row < g.rows; row += each(0.9 * high, g.cell.height())) {
    const QRectF r = g.cellRect(0, row);
    p.drawText(QRectF(r.left() - g.left, r.center().y() - high / 2, g.left - 5, high),
               Qt::AlignRight | Qt::AlignVCenter, QString::number(map.valuesY[row]));
  }
  double widest = 0;
  for (const int value : map.valuesX)
    widest = std::max(widest, small.horizontalAdvance(QString::number(value)));
  for (std::size_t column = 0; column < g.columns; column += each(widest + 4, g.cell.width())) {
    const double middle = g.cellRect(column, 0).center().x();
    p.drawText(QRectF(middle - widest, g.cells.bottom() + 2, 2 * widest, high), Qt::AlignCenter,
               QString::number(map.valuesX[column]));
  }
  p.setPen(m_theme.text);
  const QString across = tr("%1 →").arg(toQString(name(map.x)));
  const double wide = std::max(g.cells.width(), small.horizontalAdvance(across) + 2);
  p.drawText(QRectF(g.cells.center().x() - wide / 2, g.cells.bottom() + high + 2, wide, high),
             Qt::AlignCenter, across);
  p.drawText(QRectF(g.cells.left() - g.left, g.cells.top() - 2, g.left, small.height()),
             Qt::AlignLeft | Qt::AlignTop, tr("%1 ↑").arg(toQString(name(map.y))));
  for (std::size_t row = 0; row < g.rows; ++row) {
    for (std::size_t column = 0; column < g.columns; ++column)
      paintCell(p, {index, column, row}, g.cellRect(column, row), layout, scale);
  }
  // The present tile is last, so that no neighbour covers its frame.
  for (std::size_t row = 0; row < g.rows; ++row) {
    for (std::size_t column = 0; column < g.columns; ++column) {
      if (isPresent({index, column, row}))
        paintCellLook(p, g.cellRect(column, row), CellLook::Present, {}, m_theme);
    }
  }
}

QString TileMapView::footText(const Layout& layout, bool clickable) const {
  if (const auto spot = focus()) return sentenceOf(*spot);
  if (m_maps.empty()) return tr("No data for this rung at this size.");
  QStringList text = {
      tr("%1 at %2.")
          .arg(charts::unitText(layout.legend.unit), QString::fromStdString(toString(m_problem)))};
  QStringList best;
  for (std::size_t i = 0; i < m_maps.size(); ++i) best += bestSentence(i);
  best.removeAll(QString());
  if (m_maps.size() > 1)
    text += tr("Both devices share one scale: equal colours are equal speeds.");
  if (!layout.legendPlaces.hasLooks()) text += charts::looksSentence(layout.legend);
  if (const QString out = charts::leftOutSentence(m_maps.front(), m_leftOut); !out.isEmpty())
    text += out;
  if (!m_maps.front().unpredicted.isEmpty()) text += m_maps.front().unpredicted;
  for (const TileMapData& sweep : m_maps) {
    const bool measured = std::ranges::any_of(
        sweep.figures, [](const TileFigure& f) { return f.kind != TileFigure::Kind::Predicted; });
    if (!layout.legend.foretoldOf.isEmpty() && measured && sweep.title != sweep.foretoldOf)
      text += tr("The predictions are for %1, not for %2.").arg(sweep.foretoldOf, sweep.title);
  }
  for (const TileMapData& sweep : m_maps) {
    if (!sweep.bias || layout.legend.foretoldOf.isEmpty()) continue;
    const int percent = qRound(100 * std::abs(sweep.bias->share));
    const QString tiles = counted(sweep.bias->tiles, tr("On the one tile"), tr("On the %1 tiles"));
    const QString off = percent == 0            ? tr("as high as measured")
                        : sweep.bias->share > 0 ? tr("%1 % too high").arg(percent)
                                                : tr("%1 % too low").arg(percent);
    text +=
        tr("%1 measured on %2, the predictions are %3 in the median.").arg(tiles, sweep.title, off);
  }
  if (clickable) text += tr("Click a cell to use its tile.");
  // Each device has its own line if there are enough lines.
  const double lines = layout.foot.height() / QFontMetricsF(m_fonts.small).height();
  const bool apart = best.size() > 1 && lines > static_cast<double>(best.size()) + 0.5;
  best += text.join(u' ');
  return best.join(apart ? u'\n' : u' ');
}

void TileMapView::paint(QPainter& p, const QSizeF& size, bool clickable) const {
  const Layout layout = layoutFor(size);
  const SpeedScale scale = this->scale();
  for (std::size_t i = 0; i < m_maps.size(); ++i) paintMap(p, i, layout, scale);
  charts::paintLegend(p, layout.legendPlaces, m_theme, m_fonts);
  p.setFont(m_fonts.small);
  p.setPen(m_theme.soft);
  drawWrapped(p, layout.foot, Qt::AlignLeft | Qt::AlignTop, footText(layout, clickable));
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
      QToolTip::showText(help->globalPos(), sentenceOf(*spot), this);
    } else if (m_layout.legendPlaces.room.contains(help->pos())) {
      QToolTip::showText(help->globalPos(),
                         tr("Colour shows the speed, from the slowest tile shown (or a quarter of "
                            "the fastest) to the fastest. Texture shows whether it was measured or "
                            "predicted. Percent of cuBLAS: beside the colours it is relative to "
                            "the speed of %1 at this size on the same device, the median of all "
                            "runs; for a tile it is relative to cuBLAS in the tile's own run.")
                             .arg(m_maps.empty() ? QString() : m_maps.front().library),
                         this);
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
  const TileCell& cell = m_maps[spot->map].map.at(spot->column, spot->row);
  if (cell.kind != TileCell::Kind::Illegal)
    emit picked(cell.tile, cell.kind == TileCell::Kind::Known);
}

void TileMapView::keyPressEvent(QKeyEvent* event) {
  if (m_maps.empty() || m_maps.front().map.cells.empty()) return QWidget::keyPressEvent(event);
  const tuning::TileMap& map = m_maps[m_cursor ? m_cursor->map : 0].map;
  if (!m_cursor) {
    const auto place = [](const std::vector<int>& values, int value) {
      return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
    };
    m_cursor = Spot{0, std::min(place(map.valuesX, m_present[map.x]), map.columns() - 1),
                    std::min(place(map.valuesY, m_present[map.y]), map.rows() - 1)};
  }
  Spot spot = *m_cursor;
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
  if (const auto spot = focus()) text = sentenceOf(*spot);
  if (text == accessibleName()) return;
  setAccessibleName(text);
  QAccessibleEvent changed(this, QAccessible::NameChanged);
  QAccessible::updateAccessibility(&changed);
}

}  // namespace tileloom
