// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/cloth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom {
namespace {

constexpr double kWoven = 6.0;       // pixels of a cell from which its threads can be seen
constexpr double kBareShare = 0.13;  // of its hue that a sum without products shows
// Of the theme's ink in what glows. With more of it all warps would become one: a wgmma lights the
// sums of its whole warpgroup up at once.
constexpr double kGlowInk = 0.3;

// The three tones of a thread across its width: its sides lie lower than its middle. And the gap.
struct Tones {
  std::array<QRgb, 4> tone;  // gap, side, flank, middle
};

// Where a row or column of pixels lies: in which cell, and in which tone of a thread there.
struct Line {
  int cell = 0;
  std::uint8_t tone = 2;
};

std::vector<Line> linesOf(double from, double length, std::int64_t cells, double start, int pixels,
                          double density) {
  std::vector<Line> lines(static_cast<std::size_t>(pixels));
  const double edge = length / static_cast<double>(cells);
  for (int i = 0; i < pixels; ++i) {
    const double at = (start + (i + 0.5) / density - from) / edge;
    const double cell = std::clamp(std::floor(at), 0.0, static_cast<double>(cells - 1));
    const double inside = at - cell;
    Line& line = lines[static_cast<std::size_t>(i)];
    line.cell = static_cast<int>(cell);
    if (edge < kWoven) continue;
    const double side = std::min(inside, 1.0 - inside) * edge;  // pixels from the nearer side
    line.tone = side < 0.5                       ? 0
                : inside < 0.24 || inside > 0.76 ? 1
                : inside < 0.38 || inside > 0.62 ? 2
                                                 : 3;
  }
  return lines;
}

}  // namespace

double solidity(std::uint32_t products, std::uint32_t all) {
  if (all == 0) return 0;
  return std::min(1.0, std::log2(1.0 + products) / std::log2(1.0 + all));
}

QColor sumColour(const Theme& theme, const QColor& lane, double solidity, double ahead) {
  const double share = std::min(1.0, kBareShare + (0.95 - kBareShare) * solidity + ahead);
  return Theme::mix(theme.ground, lane, share);
}

QColor glowing(const Theme& theme, const QColor& colour, std::uint32_t warp, double light) {
  if (light <= 0) return colour;
  const QColor bright = Theme::mix(theme.warp(warp), theme.text, kGlowInk);
  return Theme::mix(colour, bright, 0.25 + 0.65 * light);
}

QColor seamColour(const Theme& theme, const QColor& lane, double solidity) {
  return Theme::mix(sumColour(theme, lane, solidity), theme.text, 0.28);
}

double glow(const Scene& scene, std::uint32_t stamp) {
  const std::uint32_t now = scene.moment.index + 1;
  if (stamp == 0 || scene.repeated > 0 || stamp > now || now - stamp >= scene.recent) return 0;
  return 1.0 - static_cast<double>(now - stamp) / scene.recent;
}

ClothPicture clothPicture(const Scene& scene, const analysis::Progress& progress,
                          const Theme& theme, const QRectF& whole, const QRectF& visible,
                          double density) {
  const auto& recording = *scene.recording;
  const analysis::BlockMap& map = recording.map;
  ClothPicture picture;
  // Whole pixels, so that neighbouring frames do not shimmer.
  const QRectF part = whole & visible;
  if (part.isEmpty() || map.c.empty()) return picture;
  const double left = std::floor(part.left() * density) / density;
  const double top = std::floor(part.top() * density) / density;
  const int width = std::max(1, static_cast<int>(std::ceil((part.right() - left) * density)));
  const int height = std::max(1, static_cast<int>(std::ceil((part.bottom() - top) * density)));
  picture.where = QRectF(left, top, width / density, height / density);
  picture.image = QImage(width, height, QImage::Format_RGB32);

  const auto columns = linesOf(whole.left(), whole.width(), map.c.columns, left, width, density);
  const auto rows = linesOf(whole.top(), whole.height(), map.c.rows, top, height, density);
  const bool woven = whole.width() / static_cast<double>(map.c.columns) >= kWoven &&
                     whole.height() / static_cast<double>(map.c.rows) >= kWoven;

  const auto all = static_cast<std::uint32_t>(recording.trace.problem.k);
  const std::uint32_t passed = scene.productsPassedOver();
  const std::uint32_t fewest = progress.fewestProducts();
  const auto sums = progress.sums();
  const auto sumStamps = progress.sumStamps();
  const auto storeStamps = progress.storeStamps();
  std::vector<QColor> lanes;
  for (std::uint32_t thread = 0; thread < recording.trace.threads; ++thread)
    lanes.push_back(theme.evenLane(thread / emulator::kWarpSize, thread % emulator::kWarpSize));
  const auto make = [&](std::uint16_t owner, std::uint32_t sum, bool stored, double light) {
    // A sum that has this dot index's product already is a step ahead of those that wait for it.
    const double ahead = sum > fewest ? kStepAhead : 0.0;
    const double full = solidity(sum + passed, all);
    QColor colour = sumColour(theme, lanes[owner], full, ahead);
    if (stored) colour = Theme::mix(colour, theme.matrix(analysis::Matrix::C), 0.55);
    colour = glowing(theme, colour, owner / emulator::kWarpSize, light);
    const double relief = 0.10 + 0.22 * full;
    return Tones{{Theme::mix(colour, theme.ground, 0.55).rgb(),
                  Theme::mix(colour, theme.ground, relief).rgb(),
                  Theme::mix(colour, theme.ground, relief * 0.35).rgb(), colour.rgb()}};
  };
  // All cells of a lane that hold as many products and glow as much look alike.
  constexpr unsigned kGlows = 8;
  std::vector<std::optional<Tones>> made(lanes.size() * 4 * (kGlows + 1));
  Tones nobody;
  nobody.tone.fill(theme.ground.rgb());
  const auto tonesOf = [&](std::size_t element) {
    const std::uint16_t owner = map.owner[element];
    if (owner == analysis::BlockMap::kNobody) return nobody;
    const std::uint32_t sum = sums[element];
    const bool stored = storeStamps[element] > 0;
    const double light =
        std::max(glow(scene, sumStamps[element]), glow(scene, storeStamps[element]));
    const auto glows = static_cast<unsigned>(std::ceil(light * kGlows));
    if (sum > fewest + 1) return make(owner, sum, stored, light);
    auto& known =
        made[(owner * 4u + (sum > fewest ? 2u : 0u) + (stored ? 1u : 0u)) * (kGlows + 1) + glows];
    if (!known) known = make(owner, sum, stored, static_cast<double>(glows) / kGlows);
    return *known;
  };

  // A row of cells at a time: its tones are made once, and pixels look them up.
  const std::int64_t firstColumn = columns.front().cell, lastColumn = columns.back().cell;
  std::vector<Tones> tones(static_cast<std::size_t>(lastColumn - firstColumn + 1));
  int row = -1;
  for (int y = 0; y < height; ++y) {
    const Line& across = rows[static_cast<std::size_t>(y)];
    if (across.cell != row) {
      row = across.cell;
      for (std::int64_t c = firstColumn; c <= lastColumn; ++c)
        tones[static_cast<std::size_t>(c - firstColumn)] =
            tonesOf(static_cast<std::size_t>(row * map.c.columns + c));
    }
    auto* line = reinterpret_cast<QRgb*>(picture.image.scanLine(y));
    for (int x = 0; x < width; ++x) {
      const Line& down = columns[static_cast<std::size_t>(x)];
      const Tones& t = tones[static_cast<std::size_t>(down.cell - firstColumn)];
      const bool over = (down.cell + row) % 2 == 0;  // the thread of A's row lies above B's column
      std::uint8_t tone = over ? across.tone : down.tone;
      if (woven && (across.tone == 0 || down.tone == 0)) tone = 0;
      if (!woven) tone = over ? 3 : 2;
      line[x] = t.tone[tone];
    }
  }
  return picture;
}

}  // namespace tileloom
