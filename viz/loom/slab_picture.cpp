// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/slab_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/loom/cloth.h"

namespace tileloom {
namespace {

using analysis::DataState;
using analysis::Matrix;
using analysis::Region;

constexpr double kGapFrom = 5.0;  // pixels of a cell from which cells are told apart by a gap

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
    constexpr int kHatch = 6, kDots = 5;
    if (state == DataState::InFlight) return (x + y) % kHatch < 2;
    if (state == DataState::Consumed) return x % kDots == 2 && y % kDots == 2;
    return false;
  }

 private:
  std::array<StateLook, 5> looks_;
};

}  // namespace

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

  // What is passed over looks like the last K tile that was recorded.
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
  // K is the thin direction: only its cells are told apart in a slab of many rows or columns.
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
        if (light > 0 && now != DataState::Consumed) {
          const double share = 0.2 + 0.5 * light;
          const QColor bright =
              theme.dark ? theme.text : Theme::mix(theme.matrix(matrix), theme.text, 0.3);
          look = lookOf(Theme::mix(look.plain, bright, share), Theme::mix(look.mark, bright, share),
                        theme);
        }
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
