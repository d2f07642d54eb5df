// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/cloth.h"

#include <QLineF>
#include <QList>
#include <QPen>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/paint/cell_rects.h"
#include "viz/base/paint/vector_fill.h"

namespace tileloom {
namespace {

constexpr double kWoven = 6.0;       // pixels of a cell from which its threads can be seen
constexpr double kBareShare = 0.13;  // share of its hue that a sum without products shows
// Share of the theme's ink in a glow. More of it would make warps look alike: a wgmma lights all
// sums of its warpgroup at once.
constexpr double kGlowInk = 0.3;

// The gap and the three tones of a thread across its width: its sides are lower than its middle.
struct Tones {
  std::array<QRgb, 4> tone;  // gap, side, flank, middle
};

// The cell of a row or column of pixels, and the tone of a thread there.
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

// The tones of each sum of the block tile.
class SumTones {
 public:
  SumTones(const Scene& scene, const analysis::Progress& progress, const Theme& theme)
      : scene_(scene),
        theme_(theme),
        owners_(scene.recording->map.owner),
        sums_(progress.sums()),
        sumStamps_(progress.sumStamps()),
        storeStamps_(progress.storeStamps()),
        all_(static_cast<std::uint32_t>(scene.recording->trace.problem.k)),
        passed_(scene.productsPassedOver()),
        fewest_(progress.fewestProducts()) {
    for (std::uint32_t thread = 0; thread < scene.recording->trace.threads; ++thread)
      lanes_.push_back(theme.evenLane(thread / emulator::kWarpSize, thread % emulator::kWarpSize));
    made_.resize(lanes_.size() * 4 * (kGlows + 1));
    nobody_.tone.fill(theme.ground.rgb());
  }

  Tones of(std::size_t element) {
    const std::uint16_t owner = owners_[element];
    if (owner == analysis::BlockMap::kNobody) return nobody_;
    const std::uint32_t sum = sums_[element];
    const bool stored = storeStamps_[element] > 0;
    const double light =
        std::max(glow(scene_, sumStamps_[element]), glow(scene_, storeStamps_[element]));
    const auto glows = static_cast<unsigned>(std::ceil(light * kGlows));
    if (sum > fewest_ + 1) return make(owner, sum, stored, light);
    auto& known =
        made_[(owner * 4u + (sum > fewest_ ? 2u : 0u) + (stored ? 1u : 0u)) * (kGlows + 1) + glows];
    if (!known) known = make(owner, sum, stored, static_cast<double>(glows) / kGlows);
    return *known;
  }

  // How far a thread's sides are below its middle, for the sums with the fewest products.
  double relief() const { return relief(solidity(fewest_ + passed_, all_)); }
  static constexpr double kFlank = 0.35;  // of the relief
  static constexpr double kGap = 0.55;    // of the ground between threads

 private:
  static double relief(double full) { return 0.10 + 0.22 * full; }

  Tones make(std::uint16_t owner, std::uint32_t sum, bool stored, double light) const {
    // A sum that already has the product of this k is a step ahead of the others.
    const double ahead = sum > fewest_ ? kStepAhead : 0.0;
    const double full = solidity(sum + passed_, all_);
    QColor colour = sumColour(theme_, lanes_[owner], full, ahead);
    if (stored) colour = Theme::mix(colour, theme_.matrix(analysis::Matrix::C), 0.55);
    colour = glowing(theme_, colour, owner / emulator::kWarpSize, light);
    const QColor& ground = theme_.ground;
    return Tones{{Theme::mix(colour, ground, kGap).rgb(),
                  Theme::mix(colour, ground, relief(full)).rgb(),
                  Theme::mix(colour, ground, relief(full) * kFlank).rgb(), colour.rgb()}};
  }

  // All cells of a lane that hold as many products and glow as much look alike.
  static constexpr unsigned kGlows = 8;

  const Scene& scene_;
  const Theme& theme_;
  std::span<const std::uint16_t> owners_;
  std::span<const std::uint32_t> sums_, sumStamps_, storeStamps_;
  std::uint32_t all_, passed_, fewest_;
  std::vector<QColor> lanes_;
  std::vector<std::optional<Tones>> made_;
  Tones nobody_{};
};

// A thread of the cloth over another one, across its width: the sides and the flanks.
constexpr double kSide = 0.24, kFlankEnd = 0.38;

// The relief of the cloth as dashed lines of the ground's colour: a dash is as long as a cell.
class Relief {
 public:
  Relief(QPainter& painter, const QRectF& whole, const QRectF& visible, std::int64_t columns,
         std::int64_t rows, const QColor& ground)
      : p_(painter),
        whole_(whole),
        visible_(visible & whole),
        edgeX_(whole.width() / static_cast<double>(columns)),
        edgeY_(whole.height() / static_cast<double>(rows)),
        ground_(ground) {}

  void draw(double relief) {
    if (std::min(edgeX_, edgeY_) >= kWoven) {
      bands(0, kSide, relief);
      bands(1 - kSide, 1, relief);
      bands(kSide, kFlankEnd, relief * SumTones::kFlank);
      bands(1 - kFlankEnd, 1 - kSide, relief * SumTones::kFlank);
      seams();
    } else if (std::min(edgeX_, edgeY_) >= kTold) {
      across(0, 1, 1, relief * SumTones::kFlank);
    }
  }

 private:
  static constexpr double kTold = 2;  // pixels of a cell that is distinguishable

  // The same band of every thread: those of A's rows are above in every other cell, those of B's
  // columns in the others.
  void bands(double from, double to, double alpha) {
    across(from, to, 0, alpha);
    down(from, to, alpha);
  }

  void across(double from, double to, int parity, double alpha) {
    lines(visible_.top() - whole_.top(), visible_.bottom() - whole_.top(), edgeY_, edgeX_,
          (to - from) * edgeY_, alpha, [&](int row, QList<QLineF>& into) {
            const double y = whole_.top() + (row + (from + to) / 2) * edgeY_;
            into.push_back({start(whole_.left(), visible_.left(), edgeX_, row + parity), y,
                            visible_.right(), y});
          });
  }
  void down(double from, double to, double alpha) {
    lines(visible_.left() - whole_.left(), visible_.right() - whole_.left(), edgeX_, edgeY_,
          (to - from) * edgeX_, alpha, [&](int column, QList<QLineF>& into) {
            const double x = whole_.left() + (column + (from + to) / 2) * edgeX_;
            into.push_back(
                {x, start(whole_.top(), visible_.top(), edgeY_, column + 1), x, visible_.bottom()});
          });
  }

  // Where the first cell of that parity begins, at the edge of what is visible or before it.
  static double start(double whole, double visible, double edge, int parity) {
    int first = static_cast<int>(std::floor((visible - whole) / edge + 1e-9));
    if ((first + parity) % 2 != 0) ++first;
    return whole + first * edge;
  }

  template <class Line>
  void lines(double from, double to, double edge, double dash, double width, double alpha,
             Line&& line) {
    QList<QLineF> drawn;
    for (int n = static_cast<int>(std::floor(from / edge + 1e-9)); n * edge < to - 1e-9; ++n)
      line(n, drawn);
    QPen pen(Theme::faded(ground_, alpha), width);
    pen.setCapStyle(Qt::FlatCap);
    pen.setDashPattern({dash / width, dash / width});
    p_.setPen(pen);
    p_.drawLines(drawn);
  }

  // The gaps between threads, a pixel wide.
  void seams() {
    QList<QLineF> drawn;
    const auto first = [](double from, double edge) { return std::ceil(from / edge - 1e-9); };
    for (double n = first(visible_.left() - whole_.left(), edgeX_);; ++n) {
      const double x = whole_.left() + n * edgeX_;
      if (x > visible_.right()) break;
      drawn.push_back({x, visible_.top(), x, visible_.bottom()});
    }
    for (double n = first(visible_.top() - whole_.top(), edgeY_);; ++n) {
      const double y = whole_.top() + n * edgeY_;
      if (y > visible_.bottom()) break;
      drawn.push_back({visible_.left(), y, visible_.right(), y});
    }
    QPen pen(Theme::faded(ground_, SumTones::kGap), 1);
    pen.setCapStyle(Qt::FlatCap);
    p_.setPen(pen);
    p_.drawLines(drawn);
  }

  QPainter& p_;
  QRectF whole_, visible_;
  double edgeX_, edgeY_;
  QColor ground_;
};

void drawCloth(QPainter& p, const Scene& scene, const analysis::Progress& progress,
               const Theme& theme, const QRectF& whole, const QRectF& visible) {
  const analysis::BlockMap& map = scene.recording->map;
  const CellGrid grid(whole, visible, map.c.columns, map.c.rows);
  if (grid.columns() == 0 || grid.rows() == 0) return;
  SumTones tones(scene, progress, theme);
  const auto value = [&](int column, int row) {
    return std::uint32_t{
        tones.of(static_cast<std::size_t>(grid.row(row) * map.c.columns + grid.column(column)))
            .tone[3]};
  };
  const QRectF shown = whole & visible;
  p.save();
  for (const auto& [rgb, cells] : cellRects(grid.columns(), grid.rows(), value))
    fillCells(p, grid.rects(cells), QColor::fromRgb(rgb), shown);
  Relief(p, whole, visible, map.c.columns, map.c.rows, theme.ground).draw(tones.relief());
  p.restore();
}

}  // namespace

void paintCloth(QPainter& painter, const Scene& scene, const analysis::Progress& progress,
                const Theme& theme, const QRectF& whole, const QRectF& visible, double density) {
  if (!paintsPixels(painter)) return drawCloth(painter, scene, progress, theme, whole, visible);
  const ClothPicture cloth = clothPicture(scene, progress, theme, whole, visible, density);
  if (!cloth.image.isNull()) painter.drawImage(cloth.where, cloth.image);
}

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

  SumTones sumTones(scene, progress, theme);

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
            sumTones.of(static_cast<std::size_t>(row * map.c.columns + c));
    }
    auto* line = reinterpret_cast<QRgb*>(picture.image.scanLine(y));
    for (int x = 0; x < width; ++x) {
      const Line& down = columns[static_cast<std::size_t>(x)];
      const Tones& t = tones[static_cast<std::size_t>(down.cell - firstColumn)];
      const bool over = (down.cell + row) % 2 == 0;  // the thread of A's row is above B's column
      std::uint8_t tone = over ? across.tone : down.tone;
      if (woven && (across.tone == 0 || down.tone == 0)) tone = 0;
      if (!woven) tone = over ? 3 : 2;
      line[x] = t.tone[tone];
    }
  }
  return picture;
}

}  // namespace tileloom
