// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/block_painter.h"

#include <QFontMetricsF>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/cloth.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using analysis::Region;
using analysis::Touch;
using emulator::Kind;

constexpr std::uint32_t kWarp = emulator::kWarpSize;

// The products of the sum that has the fewest, and the total of each sum.
std::uint32_t leastProducts(const LoomPaint& loom) {
  return loom.contents.progress->fewestProducts() + loom.scene.productsPassedOver();
}

std::uint32_t products(const LoomPaint& loom) {
  return static_cast<std::uint32_t>(loom.recording().trace.problem.k);
}

void laneNumber(const LoomPaint& loom, std::uint32_t thread, const QRectF& r, double solid) {
  const std::uint32_t lane = thread % kWarp;
  // Half a number would be a wrong number, and close up the thread's panel has its own.
  if (loom.g.nearness() > 0.5) return;
  const QFontMetricsF metrics(loom.f.small);
  QRectF ink(0, 0, metrics.horizontalAdvance(QString::number(lane)), metrics.capHeight());
  ink.moveCenter(r.center());
  if (!loom.frame.viewport.contains(ink)) return;
  loom.p.save();
  loom.p.setFont(loom.f.small);
  loom.p.setPen(Theme::ink(sumColour(loom.t, loom.t.evenLane(thread / kWarp, lane), solid)));
  loom.p.drawText(r, Qt::AlignCenter, QString::number(lane));
  loom.p.restore();
}

void threadLines(const LoomPaint& loom) {
  const auto& subtiles = loom.recording().map.subtiles;
  loom.p.setBrush(Qt::NoBrush);
  const double solid = solidity(leastProducts(loom), products(loom));
  for (std::uint32_t thread = 0; thread < subtiles.size(); ++thread) {
    const bool current = thread / kWarp == loom.scene.moment.warp;
    const QColor shade = loom.t.evenLane(thread / kWarp, thread % kWarp);
    loom.p.setPen(hairline(Theme::faded(seamColour(loom.t, shade, solid), current ? 0.8 : 0.45)));
    for (const Region& subtile : subtiles[thread]) {
      const QRectF r = loom.g.ofC(subtile);
      if (std::min(r.width(), r.height()) < (current ? 5.0 : 9.0))
        break;  // all subtiles are equally small: none is legible
      if (!r.intersects(loom.frame.viewport)) continue;
      loom.p.drawRect(r);
      if (current && loom.namesLanes(r)) laneNumber(loom, thread, r, solid);
    }
  }
}

void warpFrame(const LoomPaint& loom, std::uint32_t w) {
  const Region& region = loom.recording().map.warps[w];
  if (region.empty()) return;
  const bool current = w == loom.scene.moment.warp;
  const QRectF r = loom.g.ofC(region);
  // Frames of warps that are a column or two wide would hide what they frame.
  if (std::min(r.width(), r.height()) < (current ? 3.0 : 8.0)) return;
  loom.p.setPen(hairline(loom.t.warp(w), current ? 2.5 : 1.0,
                         loom.recording().map.warpSolid[w] ? Qt::SolidLine : Qt::DashLine));
  loom.p.setBrush(Qt::NoBrush);
  loom.p.drawRect(r.adjusted(1, 1, -1, -1));
}

}  // namespace

void paintBlockTile(const LoomPaint& loom) {
  const QRectF block = loom.g.block();
  loom.p.setRenderHint(QPainter::SmoothPixmapTransform, false);
  paintCloth(loom.p, loom.scene, *loom.contents.progress, loom.t, block, loom.frame.viewport,
             loom.density());
  threadLines(loom);
  for (std::uint32_t w = 0; w < loom.recording().trace.warps; ++w) warpFrame(loom, w);
  loom.p.setPen(hairline(loom.t.matrix(Matrix::C), 2.0));
  loom.p.setBrush(Qt::NoBrush);
  loom.p.drawRect(block);
}

void paintTouchesInC(const LoomPaint& loom) {
  const Kind kind = loom.scene.moment.instruction.kind;
  if (loom.passingOver() || !emulator::isGlobal(kind)) return;
  for (const Touch& touch : loom.scene.moment.touches) {
    if (touch.element.matrix != Matrix::C) continue;
    loom.p.fillRect(loom.g.of(touch.element), Theme::faded(loom.t.accent, 0.88));
  }
}

}  // namespace tileloom
