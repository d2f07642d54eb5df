// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/slab_picture.h"

#include <QLineF>
#include <QList>
#include <QPainter>
#include <QPen>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/paint/cell_rects.h"
#include "viz/loom/cloth.h"

namespace tileloom {
namespace {

using analysis::DataState;
using analysis::Matrix;
using analysis::Region;

constexpr double kGapFrom = 5.0;            // pixels of a cell from which cells have gaps
constexpr int kHatch = 6, kHatchWidth = 2;  // of what is in flight
constexpr int kDots = 5, kDot = 2;          // of what is consumed: how far apart, and the first one

// A state's colour, that of its pattern, and that of the gap between its cells.
struct StateLook {
  QColor plain, mark;
  QRgb plainRgb = 0, markRgb = 0, gapRgb = 0;
};

StateLook lookOf(const QColor& plain, const QColor& mark, const Theme& theme) {
  return {plain, mark, plain.rgb(), mark.rgb(), Theme::mix(plain, theme.ground, 0.45).rgb()};
}

class StateLooks {
 public:
  StateLooks(const Theme& theme, Matrix matrix) {
    const QColor hue = theme.matrix(matrix);
    const auto mixed = [&](double share) { return Theme::mix(theme.ground, hue, share); };
    const auto set = [&](DataState state, const QColor& plain, const QColor& mark) {
      looks_[static_cast<std::size_t>(state)] = lookOf(plain, mark, theme);
    };
    set(DataState::NotAsked, mixed(0.05), mixed(0.05));
    set(DataState::InFlight, mixed(0.10), mixed(0.75));
    set(DataState::InShared, mixed(0.42), mixed(0.42));
    set(DataState::InRegisters, Theme::mix(hue, theme.text, 0.18), hue);
    set(DataState::Consumed, mixed(0.14), mixed(0.48));
  }

  const StateLook& of(DataState state) const { return looks_[static_cast<std::size_t>(state)]; }

  // The pattern belongs to the canvas, not to the cell: neighbouring cells share their hatching.
  static bool marked(DataState state, int x, int y) {
    if (state == DataState::InFlight) return (x + y) % kHatch < kHatchWidth;
    if (state == DataState::Consumed) return x % kDots == kDot && y % kDots == kDot;
    return false;
  }

 private:
  std::array<StateLook, 5> looks_;
};

// The look with a glow of `light`, from 0 to 1, for what has just happened.
StateLook lit(const StateLook& look, const Theme& theme, Matrix matrix, double light) {
  const double share = 0.2 + 0.5 * light;
  const QColor bright = theme.dark ? theme.text : Theme::mix(theme.matrix(matrix), theme.text, 0.3);
  return lookOf(Theme::mix(look.plain, bright, share), Theme::mix(look.mark, bright, share), theme);
}

PatternLook inVectors(DataState state, const StateLook& look) {
  PatternLook made{look.plain, look.mark};
  if (state == DataState::InFlight) {
    made.marks = PatternLook::Marks::Rising;
    made.pitch = kHatch;
    made.width = kHatchWidth;
    made.first = (kHatchWidth + 1) / 2.0;
  } else if (state == DataState::Consumed) {
    made.marks = PatternLook::Marks::Dots;
    made.pitch = kDots;
    made.width = 1;
    made.first = kDot + 0.5;
  }
  return made;
}

// The gaps above and to the left of cells, as thin areas.
void drawGaps(QPainter& p, const std::vector<QRectF>& rects, const QRectF& whole, double edgeX,
              double edgeY, const QColor& colour) {
  QList<QLineF> lines;
  for (const QRectF& r : rects) {
    if (edgeX > 0) {
      for (double n = std::ceil((r.left() - whole.left()) / edgeX - 1e-6);; ++n) {
        const double x = whole.left() + n * edgeX + 0.5;
        if (x > r.right()) break;
        lines.push_back({x, r.top(), x, r.bottom()});
      }
    }
    if (edgeY > 0) {
      for (double n = std::ceil((r.top() - whole.top()) / edgeY - 1e-6);; ++n) {
        const double y = whole.top() + n * edgeY + 0.5;
        if (y > r.bottom()) break;
        lines.push_back({r.left(), y, r.right(), y});
      }
    }
  }
  if (lines.isEmpty()) return;
  QPen pen(colour, 1);
  pen.setCapStyle(Qt::FlatCap);
  p.setPen(pen);
  p.drawLines(lines);
}

void drawSlab(QPainter& p, const Scene& scene, const analysis::Progress& progress,
              const Theme& theme, Matrix matrix, int ahead, const QRectF& whole,
              const QRectF& visible) {
  const std::uint32_t number = scene.kTile() + static_cast<std::uint32_t>(ahead);
  const Region tile = scene.tileOf(matrix, number);
  const CellGrid grid(whole, visible, tile.columns, tile.rows);
  if (tile.empty() || grid.columns() == 0 || grid.rows() == 0) return;
  const auto* state = progress.tile(matrix, number);
  const std::int64_t stride =
      matrix == Matrix::A ? std::int64_t{scene.recording->trace.stepK} : tile.columns;
  constexpr std::uint32_t kGlows = 8;
  const auto value = [&](int column, int row) -> std::uint32_t {
    if (state == nullptr) return static_cast<std::uint32_t>(DataState::NotAsked) * (kGlows + 1);
    const auto at = static_cast<std::size_t>(grid.row(row) * stride + grid.column(column));
    const DataState now = state->states[at];
    const double light = now == DataState::Consumed ? 0 : glow(scene, state->stamps[at]);
    return static_cast<std::uint32_t>(now) * (kGlows + 1) +
           static_cast<std::uint32_t>(std::ceil(light * kGlows));
  };
  const StateLooks looks(theme, matrix);
  const double edgeX = whole.width() / static_cast<double>(tile.columns);
  const double edgeY = whole.height() / static_cast<double>(tile.rows);
  const bool gapsAcross = edgeX >= kGapFrom * (matrix == Matrix::A ? 1 : 2);
  const bool gapsDown = edgeY >= kGapFrom * (matrix == Matrix::B ? 1 : 2);
  p.save();
  for (const auto& [key, cells] : cellRects(grid.columns(), grid.rows(), value)) {
    const auto now = static_cast<DataState>(key / (kGlows + 1));
    StateLook look = looks.of(now);
    if (const std::uint32_t glows = key % (kGlows + 1); glows > 0)
      look = lit(look, theme, matrix, static_cast<double>(glows) / kGlows);
    const std::vector<QRectF> rects = grid.rects(cells);
    fillLook(p, rects, inVectors(now, look));
    drawGaps(p, rects, whole, gapsAcross ? edgeX : 0, gapsDown ? edgeY : 0,
             QColor::fromRgb(look.gapRgb));
  }
  p.restore();
}

}  // namespace

void paintSlab(QPainter& painter, const Scene& scene, const analysis::Progress& progress,
               const Theme& theme, Matrix matrix, int ahead, const QRectF& whole,
               const QRectF& visible, double density) {
  if (!paintsPixels(painter))
    return drawSlab(painter, scene, progress, theme, matrix, ahead, whole, visible);
  const SlabPicture picture =
      slabPicture(scene, progress, theme, matrix, ahead, whole, visible, density);
  if (!picture.image.isNull()) painter.drawImage(picture.where, picture.image);
}

PatternLook lookOfState(const Theme& theme, Matrix matrix, DataState state) {
  return inVectors(state, StateLooks(theme, matrix).of(state));
}

void paintLook(QPainter& painter, const QRectF& rect, const Theme& theme, Matrix matrix,
               DataState state) {
  if (!paintsPixels(painter))
    return fillLook(painter, std::span(&rect, 1), lookOfState(theme, matrix, state),
                    rect.topLeft());
  QImage image(std::max(1, static_cast<int>(rect.width())),
               std::max(1, static_cast<int>(rect.height())), QImage::Format_RGB32);
  fillWithLook(image, theme, matrix, state, 1.0);
  painter.drawImage(rect, image);
}

SlabPicture slabPicture(const Scene& scene, const analysis::Progress& progress, const Theme& theme,
                        Matrix matrix, int ahead, const QRectF& whole, const QRectF& visible,
                        double density) {
  SlabPicture picture;
  const QRectF part = whole & visible;
  const Region tile = scene.tileOf(matrix, scene.kTile() + static_cast<std::uint32_t>(ahead));
  if (part.isEmpty() || tile.empty()) return picture;
  const double left = std::floor(part.left() * density) / density;
  const double top = std::floor(part.top() * density) / density;
  const int width = std::max(1, static_cast<int>(std::ceil((part.right() - left) * density)));
  const int height = std::max(1, static_cast<int>(std::ceil((part.bottom() - top) * density)));
  picture.where = QRectF(left, top, width / density, height / density);
  picture.image = QImage(width, height, QImage::Format_RGB32);

  // A skipped K tile looks like the last recorded one.
  const auto* state = progress.tile(matrix, scene.kTile() + static_cast<std::uint32_t>(ahead));
  // The last K tile may be shallower than the others.
  const std::int64_t stride =
      matrix == Matrix::A ? std::int64_t{scene.recording->trace.stepK} : tile.columns;
  const StateLooks looks(theme, matrix);
  const double edgeX = whole.width() / static_cast<double>(tile.columns);
  const double edgeY = whole.height() / static_cast<double>(tile.rows);
  struct Line {
    std::int64_t cell;
    bool gap;
  };
  const auto linesOf = [density](double from, double edge, std::int64_t cells, double start,
                                 int pixels) {
    std::vector<Line> lines;
    for (int i = 0; i < pixels; ++i) {
      const double at = (start + (i + 0.5) / density - from) / edge;
      const double cell = std::clamp(std::floor(at), 0.0, static_cast<double>(cells - 1));
      const bool gap = edge >= kGapFrom && (at - cell) * edge < 1.0;
      lines.push_back({static_cast<std::int64_t>(cell), gap});
    }
    return lines;
  };
  const auto columns = linesOf(whole.left(), edgeX, tile.columns, left, width);
  const auto rows = linesOf(whole.top(), edgeY, tile.rows, top, height);
  // K is the thin direction: only its cells have gaps in a slab of many rows or columns.
  const bool gapsDown = matrix == Matrix::B || edgeY >= 2 * kGapFrom;
  const bool gapsAcross = matrix == Matrix::A || edgeX >= 2 * kGapFrom;
  for (int y = 0; y < height; ++y) {
    const Line& row = rows[static_cast<std::size_t>(y)];
    auto* line = reinterpret_cast<QRgb*>(picture.image.scanLine(y));
    std::int64_t cell = -1;
    DataState now = DataState::NotAsked;
    StateLook look;
    const bool rowGap = gapsDown && row.gap;
    const int py = static_cast<int>(top + y / density);
    for (int x = 0; x < width; ++x) {
      const Line& column = columns[static_cast<std::size_t>(x)];
      if (column.cell != cell) {
        cell = column.cell;
        const auto at = static_cast<std::size_t>(row.cell * stride + cell);
        now = state == nullptr ? DataState::NotAsked : state->states[at];
        look = looks.of(now);
        const double light = state == nullptr ? 0 : glow(scene, state->stamps[at]);
        if (light > 0 && now != DataState::Consumed) look = lit(look, theme, matrix, light);
      }
      const bool gap = rowGap || (gapsAcross && column.gap);
      const int px = static_cast<int>(left + x / density);
      line[x] = gap ? look.gapRgb : StateLooks::marked(now, px, py) ? look.markRgb : look.plainRgb;
    }
  }
  return picture;
}

void fillWithLook(QImage& image, const Theme& theme, Matrix matrix, DataState state,
                  double density) {
  const StateLooks looks(theme, matrix);
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const bool mark =
          StateLooks::marked(state, static_cast<int>(x / density), static_cast<int>(y / density));
      line[x] = mark ? looks.of(state).markRgb : looks.of(state).plainRgb;
    }
  }
}

}  // namespace tileloom
