// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/compare/pair_sketch.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/telling_difference.h"
#include "kernels/tile/derived.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::PairSketch)
};

// The unit in which an access is counted.
enum class Unit { Wavefronts, Sectors, Lines };

SideSketch ofAccess(const analysis::Moment& m, Unit unit) {
  constexpr std::uint32_t kSectorsInLine = 4;
  const analysis::Coalescing& global = m.cost.global;
  if (unit == Unit::Wavefronts)
    return {.passes = m.cost.wavefronts(), .wasted = m.cost.conflicts()};
  const bool lines = unit == Unit::Lines;
  const std::uint32_t all = lines ? global.lines : global.sectors;
  const std::uint32_t ideal =
      lines ? (global.idealSectors() + kSectorsInLine - 1) / kSectorsInLine : global.idealSectors();
  return {.passes = all, .wasted = all - std::min(all, ideal)};
}

Unit ownUnit(const analysis::Moment& m) {
  return emulator::isShared(m.instruction.kind) ? Unit::Wavefronts : Unit::Sectors;
}

constexpr int kProducts = 4096;  // multiply-adds of lanes

// The cost of all accesses like this one, for equal work.
SideSketch ofUse(const analysis::Recording& recording, std::uint32_t warp, std::uint32_t index) {
  const double passes = kProducts * analysis::passesPerProduct(recording, warp, index);
  return {.passes = static_cast<std::uint32_t>(std::lround(passes))};
}

SideSketch ofTile(const emulator::Trace& trace) {
  const Derived d = derive(*trace.rung(), trace.tile);
  return {.rows = d.blockM,
          .columns = d.blockN,
          .depth = d.stepK,
          .buffers = trace.features().sharedTiles ? std::max(1, d.buffers) : 0};
}

QString passesText(const SideSketch& side, Unit unit) {
  const QString all =
      unit == Unit::Wavefronts
          ? counted(side.passes, Words::tr("1 wavefront"), Words::tr("%1 wavefronts"))
      : unit == Unit::Sectors ? counted(side.passes, Words::tr("1 sector"), Words::tr("%1 sectors"))
                              : counted(side.passes, Words::tr("1 line"), Words::tr("%1 lines"));
  return side.wasted == 0 ? all : Words::tr("%1, %2 wasted").arg(all).arg(side.wasted);
}

QString tileText(const SideSketch& side) {
  QString text = QStringLiteral("%1 × %2").arg(side.rows).arg(side.columns);
  if (side.buffers > 1) text += Words::tr(", %1 K tiles at once").arg(side.buffers);
  return text;
}

// Empty: both have the same tile.
QString tilesText(const SideSketch& baseline, const SideSketch& now) {
  return baseline == now
             ? QString()
             : Words::tr("block tile %1; then %2").arg(tileText(baseline), tileText(now));
}

// The passes as cells, `across` per row: wasted ones are hatched and last.
void paintPasses(QPainter& p, const SideSketch& side, const QRectF& area, std::uint32_t most,
                 const Theme& theme) {
  const auto across = static_cast<std::uint32_t>(std::ceil(std::sqrt(2.0 * most)));
  const std::uint32_t down = (most + across - 1) / across;
  const double cell = std::min({area.width() / across, area.height() / down, 14.0});
  const QPointF start(area.center().x() - cell * across / 2, area.center().y() - cell * down / 2);
  for (std::uint32_t i = 0; i < side.passes; ++i) {
    const QRectF r(start.x() + cell * (i % across), start.y() + cell * (i / across), cell, cell);
    const QRectF inner = r.adjusted(0.5, 0.5, -0.5, -0.5);
    const bool wasted = i >= side.passes - side.wasted;
    p.fillRect(inner, wasted ? Theme::faded(theme.trouble, 0.35) : theme.good);
    if (wasted) figures::drawHatch(p, inner, theme.trouble);
  }
}

// The block tile of C, with the K tiles of A at its left and those of B above it.
void paintTile(QPainter& p, const SideSketch& side, const QRectF& area, double most,
               const Theme& theme) {
  const double scale = std::min(area.width(), area.height()) / most;
  const int held = std::max(1, side.buffers) * side.depth;
  const double width = scale * (side.columns + held), height = scale * (side.rows + held);
  const QPointF corner(area.center().x() - width / 2 + scale * held,
                       area.center().y() - height / 2 + scale * held);
  const auto box = [&](analysis::Matrix matrix, const QRectF& r) {
    const QColor ink = theme.matrix(matrix);
    p.fillRect(r, Theme::faded(ink, 0.25));
    p.setPen(hairline(ink, 1.0));
    p.setBrush(Qt::NoBrush);
    p.drawRect(r);
  };
  box(analysis::Matrix::C, QRectF(corner, QSizeF(scale * side.columns, scale * side.rows)));
  for (int i = 0; i < std::max(1, side.buffers); ++i) {
    const double from = scale * side.depth * (i + 1), thick = scale * side.depth;
    box(analysis::Matrix::A, QRectF(corner.x() - from, corner.y(), thick, scale * side.rows));
    box(analysis::Matrix::B, QRectF(corner.x(), corner.y() - from, scale * side.columns, thick));
  }
}

double extent(const SideSketch& side) {
  const int held = std::max(1, side.buffers) * side.depth;
  return std::max(side.rows, side.columns) + held;
}

}  // namespace

PairSketch pairSketch(const analysis::Recording& baseline, const analysis::Recording& now) {
  const std::uint32_t index = analysis::tellingDifference(baseline, now, 0);
  const analysis::Counterpart met = analysis::counterpart(now, 0, index, baseline);
  const analysis::Moment here = now.moment(0, index);
  const analysis::Moment there = baseline.moment(met.warp, met.index);
  const SideSketch a = ofTile(baseline.trace), b = ofTile(now.trace);
  if (!emulator::isMemory(here.instruction.kind) || !emulator::isMemory(there.instruction.kind)) {
    return {a, b, tilesText(a, b)};
  }
  Unit before = ownUnit(there), after = ownUnit(here);
  // A copy fetches sectors like a load.
  if (before == Unit::Sectors && here.cost.global.sectors > 0) after = Unit::Sectors;
  if (after == Unit::Sectors && there.cost.global.sectors > 0) before = Unit::Sectors;
  SideSketch x = ofAccess(there, before), y = ofAccess(here, after);
  if (before == Unit::Sectors && after == Unit::Sectors && x == y &&
      here.cost.global.lines != there.cost.global.lines) {
    before = after = Unit::Lines;
    x = ofAccess(there, before);
    y = ofAccess(here, after);
  }
  const QString first = describeAccess(there), second = describeAccess(here);
  if (first == second && x == y) {
    const SideSketch uses[] = {ofUse(baseline, met.warp, met.index), ofUse(now, 0, index)};
    if (uses[0] == uses[1]) return {a, b, tilesText(a, b)};
    return {uses[0], uses[1],
            Words::tr("%1, for %2 multiply-adds: %3; then %4")
                .arg(second, figures::grouped(kProducts), passesText(uses[0], before),
                     passesText(uses[1], after))};
  }
  const QString caption =
      first == second
          ? Words::tr("%1: %2; then %3").arg(second, passesText(x, before), passesText(y, after))
          : Words::tr("%1: %2; then %3: %4")
                .arg(first, passesText(x, before), second, passesText(y, after));
  return {x, y, caption};
}

void paintPairSketch(QPainter& painter, const PairSketch& sketch, const QRectF& canvas,
                     const Theme& theme) {
  const double gap = canvas.width() * 0.06, half = (canvas.width() - gap) / 2;
  const QRectF left(canvas.left(), canvas.top(), half, canvas.height());
  const QRectF right = left.translated(half + gap, 0);
  for (const QRectF& side : {left, right}) painter.fillRect(side, theme.well);
  const auto inner = [](const QRectF& side) { return side.adjusted(3, 3, -3, -3); };
  painter.save();
  if (sketch.now.passes > 0 || sketch.baseline.passes > 0) {
    const std::uint32_t most = std::max(sketch.baseline.passes, sketch.now.passes);
    paintPasses(painter, sketch.baseline, inner(left), most, theme);
    paintPasses(painter, sketch.now, inner(right), most, theme);
  } else {
    const double most = std::max(extent(sketch.baseline), extent(sketch.now));
    paintTile(painter, sketch.baseline, inner(left), most, theme);
    paintTile(painter, sketch.now, inner(right), most, theme);
  }
  painter.restore();
}

}  // namespace tileloom
