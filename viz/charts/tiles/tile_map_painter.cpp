// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "kernels/tile/parameters.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/charts/tiles/tile_map_looks.h"
#include "viz/charts/tiles/tile_map_words.h"

namespace tileloom::charts {
namespace {

using tuning::TileFigure;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TileMapView)
};

class Painter {
 public:
  Painter(QPainter& painter, const TileMaps& maps, const TileMapLayout& layout, const Theme& theme,
          const Fonts& fonts)
      : p_(painter), maps_(maps), layout_(layout), scale_(maps.scale()), t_(theme), f_(fonts) {}

  void paint(const QString& foot) {
    for (std::size_t i = 0; i < maps_.sweeps.size(); ++i) {
      labels(i);
      cells(i);
    }
    paintLegend(p_, layout_.legendPlaces, t_, f_);
    p_.setFont(f_.small);
    p_.setPen(t_.soft);
    drawWrapped(p_, layout_.foot, Qt::AlignLeft | Qt::AlignTop, foot);
  }

 private:
  // The title of a map, and the names and values of its two axes.
  void labels(std::size_t index) {
    const TileMapData& sweep = maps_.sweeps[index];
    const TileMapGeometry& g = layout_.maps[index];
    const QFontMetricsF small(f_.small);
    const tuning::TileMap& map = sweep.map;
    p_.setFont(f_.body);
    p_.setPen(t_.text);
    p_.drawText(g.title, Qt::AlignLeft | Qt::AlignVCenter,
                fitted(sweep.title, QFontMetricsF(f_.body), g.title.width()));
    p_.setFont(f_.small);
    p_.setPen(t_.soft);
    // If cells are smaller than their labels, only each second or third one has a label.
    const auto each = [](double needed, double step) {
      return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / std::max(1.0, step))));
    };
    const double high = small.height();
    for (std::size_t row = 0; row < g.rows; row += each(0.9 * high, g.cell.height())) {
      const QRectF r = g.cellRect(0, row);
      p_.drawText(QRectF(r.left() - g.left, r.center().y() - high / 2, g.left - 5, high),
                  Qt::AlignRight | Qt::AlignVCenter, QString::number(map.valuesY[row]));
    }
    double widest = 0;
    for (const int value : map.valuesX)
      widest = std::max(widest, small.horizontalAdvance(QString::number(value)));
    for (std::size_t column = 0; column < g.columns; column += each(widest + 4, g.cell.width())) {
      const double middle = g.cellRect(column, 0).center().x();
      p_.drawText(QRectF(middle - widest, g.cells.bottom() + 2, 2 * widest, high), Qt::AlignCenter,
                  QString::number(map.valuesX[column]));
    }
    p_.setPen(t_.text);
    const QString across = Words::tr("%1 →").arg(toQString(name(map.x)));
    const double wide = std::max(g.cells.width(), small.horizontalAdvance(across) + 2);
    p_.drawText(QRectF(g.cells.center().x() - wide / 2, g.cells.bottom() + high + 2, wide, high),
                Qt::AlignCenter, across);
    p_.drawText(QRectF(g.cells.left() - g.left, g.cells.top() - 2, g.left, small.height()),
                Qt::AlignLeft | Qt::AlignTop, Words::tr("%1 ↑").arg(toQString(name(map.y))));
  }

  void cells(std::size_t index) {
    const TileMapGeometry& g = layout_.maps[index];
    for (std::size_t row = 0; row < g.rows; ++row) {
      for (std::size_t column = 0; column < g.columns; ++column)
        cell({index, column, row}, g.cellRect(column, row));
    }
    // The present tile is last, so that no neighbour covers its frame.
    for (std::size_t row = 0; row < g.rows; ++row) {
      for (std::size_t column = 0; column < g.columns; ++column) {
        if (maps_.isPresent({index, column, row}))
          paintCellLook(p_, g.cellRect(column, row), CellLook::Present, {}, t_);
      }
    }
  }

  void cell(const TileMapSpot& spot, const QRectF& rect) {
    const TileFigure* figure = maps_.figureOf(spot);
    if (figure == nullptr) return paintCellLook(p_, rect, lookOf(maps_, spot), {}, t_);
    const QColor fill = *colourOf(maps_, spot, scale_, t_);
    const bool predicted = figure->kind == TileFigure::Kind::Predicted;
    paintCellLook(p_, rect, lookOf(maps_, spot), fill, t_);
    if (maps_.isFastest(spot)) paintCellLook(p_, rect, CellLook::Fastest, fill, t_);
    if (!layout_.numbered) return;
    // The texture stops before the text.
    const auto write = [&](const QFont& font, double top, const QString& text) {
      const QFontMetricsF metrics(font);
      const double width = metrics.horizontalAdvance(text);
      const QRectF at(rect.center().x() - width / 2, top, width, metrics.height());
      if (predicted) p_.fillRect(at.adjusted(-2, 1, 2, -1), fill);
      p_.setPen(Theme::ink(fill));
      p_.setFont(font);
      p_.drawText(at.adjusted(-2, 0, 2, 0), Qt::AlignCenter, text);
      return at.bottom();
    };
    QFont font = layout_.number;
    if (maps_.isFastest(spot)) font.setBold(true);
    const QStringList words =
        layout_.worded ? cellWords(maps_, spot, layout_.legend.unit) : QStringList();
    const double line = QFontMetricsF(f_.small).height();
    double top = rect.center().y() -
                 (QFontMetricsF(font).height() + line * static_cast<double>(words.size())) / 2;
    top = write(font, top, cellText(*figure, layout_.legend.unit));
    for (const QString& text : words) top = write(f_.small, top, text);
  }

  QPainter& p_;
  const TileMaps& maps_;
  const TileMapLayout& layout_;
  const SpeedScale scale_;
  const Theme& t_;
  const Fonts& f_;
};

}  // namespace

void paintTileMaps(QPainter& painter, const TileMaps& maps, const TileMapLayout& layout,
                   const QString& foot, const Theme& theme, const Fonts& fonts) {
  Painter(painter, maps, layout, theme, fonts).paint(foot);
}

}  // namespace tileloom::charts
