// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_trail.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include "kernels/analysis/recording.h"
#include "kernels/tile/mma.h"
#include "kernels/tile/residency.h"
#include "viz/base/text/clauses.h"

namespace tileloom {
namespace {

using analysis::Region;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LoomTrail)
};

QString regionText(const Region& r) {
  const QString rows = r.rows == 1 ? Words::tr("row %1").arg(r.row)
                                   : Words::tr("rows %1–%2").arg(r.row).arg(r.row + r.rows - 1);
  const QString columns =
      r.columns == 1 ? Words::tr("column %1").arg(r.column)
                     : Words::tr("columns %1–%2").arg(r.column).arg(r.column + r.columns - 1);
  return Words::tr("%1, %2 of C").arg(rows, columns);
}

QFont fontOf(LoomLevel level, LoomLevel current, const Fonts& fonts) {
  QFont font = fonts.body;
  if (level == current) font.setWeight(QFont::Bold);
  return font;
}

// A persistent block computes several tiles: the tile is named by its place.
QString blockText(const emulator::Trace& trace) {
  if (!trace.features().persistent)
    return Words::tr("Block x %1, y %2").arg(trace.block.x).arg(trace.block.y);
  const BlockPlace place =
      placeOf(*trace.rung(), trace.tile, launchOf(*trace.rung(), trace.tile, trace.problem).grid,
              trace.block);
  return Words::tr("Tile row %1, column %2").arg(place.row).arg(place.column);
}

QString blockIndexText(const emulator::Trace& trace) {
  if (!trace.features().persistent)
    return Words::tr("blockIdx.x = %1, blockIdx.y = %2").arg(trace.block.x).arg(trace.block.y);
  const Resident at = residentOf(*trace.rung(), trace.tile, trace.problem, trace.block);
  return Words::tr("blockIdx.x = %1 of %2 blocks, one per SM, its tile %3")
      .arg(at.block.x)
      .arg(residentLaunch(*trace.rung(), trace.tile, trace.problem).grid.x)
      .arg(at.walk + 1);
}

}  // namespace

std::vector<Crumb> loomTrail(const Scene& scene, const QRectF& room, LoomLevel level,
                             const Fonts& fonts) {
  const auto& trace = scene.recording->trace;
  const Extent grid = launchOf(*trace.rung(), trace.tile, trace.problem).grid;
  const std::uint32_t productColumns =
      trace.products.empty() || trace.products[0].empty() ? 0 : trace.products[0][0].columns;
  const MmaRow* mma = trace.rung()->mma();
  const std::uint32_t columns = trace.features().warpMma ? mma->columns : productColumns;
  std::vector<Crumb> all = {
      {LoomLevel::Grid, Words::tr("Grid %1 × %2").arg(grid.x).arg(grid.y), {}},
      {LoomLevel::Block, blockText(trace), {}},
      {LoomLevel::Warp, Words::tr("Warp %1").arg(scene.moment.warp), {}},
      {LoomLevel::Thread,
       columns > 0
           ? Words::tr("Instruction %1 × %2 × %3").arg(mma->rows).arg(columns).arg(mma->depth)
           : Words::tr("Lane %1").arg(scene.shownThread() % emulator::kWarpSize),
       {}}};
  const double gap = QFontMetricsF(fonts.body).horizontalAdvance(QStringLiteral(" › "));
  const auto widthOf = [&](const Crumb& c) {
    return QFontMetricsF(fontOf(c.level, level, fonts)).horizontalAdvance(c.text) + 2;
  };
  for (;;) {
    double width = 0;
    for (const Crumb& c : all) width += widthOf(c) + gap;
    if (width - gap <= room.width() || all.size() == 1) break;
    // The nearest crumb stays; the farthest is removed first.
    all.erase(all.front().level == level ? all.end() - 1 : all.begin());
  }
  if (all.size() == 1)
    all.front().text = fitted(
        all.front().text, QFontMetricsF(fontOf(all.front().level, level, fonts)), room.width() - 2);
  double x = room.left();
  for (Crumb& c : all) {
    c.rect = QRectF(x, room.top(), widthOf(c), room.height());
    x = c.rect.right() + gap;
  }
  return all;
}

std::optional<LoomLevel> crumbAt(const std::vector<Crumb>& trail, const QPointF& pixel) {
  for (const Crumb& c : trail) {
    if (c.rect.contains(pixel)) return c.level;
  }
  return std::nullopt;
}

QString describeLevel(const Scene& scene, LoomLevel level) {
  const auto& map = scene.recording->map;
  switch (level) {
    case LoomLevel::Grid:
      return {};
    case LoomLevel::Block:
      return Words::tr("%1 · %2").arg(blockIndexText(scene.recording->trace), regionText(map.c));
    case LoomLevel::Warp:
      return map.warps[scene.moment.warp].empty() ? QString()
                                                  : regionText(map.warps[scene.moment.warp]);
    case LoomLevel::Thread:
      break;
  }
  if (scene.recording->trace.features().warpMma)
    return Words::tr("lane %1 of the warp is shown").arg(scene.shownThread() % emulator::kWarpSize);
  if (scene.recording->trace.features().warpgroupMma)
    return Words::tr("of the warpgroup of warp %1").arg(scene.moment.warp);
  return Words::tr("thread %1 of the block").arg(scene.shownThread());
}

}  // namespace tileloom
