// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/warp_names.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom {
namespace {

using analysis::Region;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loom)
};

constexpr std::uint32_t kWarp = emulator::kWarpSize;

double warpNameWidth(const LoomPaint& loom) {
  const QString last = Words::tr("warp %1").arg(loom.recording().trace.warps - 1);
  return QFontMetricsF(loom.f.small).horizontalAdvance(last) + 8;
}

}  // namespace

double warpNamesBeside(const LoomPaint& loom) {
  if (loom.g.detail() < 0.6 || loom.g.nearness() > 0.1) return 0;
  const auto& map = loom.recording().map;
  const bool across = std::ranges::all_of(map.warps, [&](const Region& warp) {
    return warp.empty() || (warp.column == map.c.column && warp.columns == map.c.columns);
  });
  const auto& tiles = map.subtiles[std::size_t{loom.scene.moment.warp} * kWarp];
  if (!across || tiles.empty() || !loom.namesLanes(loom.g.ofC(tiles.front()))) return 0;
  const double width = warpNameWidth(loom);
  return loom.g.block().right() + width + 8 < loom.frame.viewport.right() ? width : 0;
}

void nameWarps(const LoomPaint& loom) {
  if (loom.g.nearness() > 0.1) return;
  loom.p.setFont(loom.f.small);
  const QFontMetricsF metrics(loom.f.small);
  const auto& warps = loom.recording().map.warps;
  const auto widthOf = [&](const QString& label) { return metrics.horizontalAdvance(label); };
  // Hues repeat from the ninth warp on: bare numbers distinguish narrow warps, all or none.
  const double digits = widthOf(QString::number(loom.recording().trace.warps - 1)) + 2;
  const bool bare = std::ranges::all_of(warps, [&](const analysis::Region& warp) {
    return warp.empty() || static_cast<double>(warp.columns) * loom.g.cell() >= digits + 2;
  });
  const double beside = warpNamesBeside(loom);
  std::vector<QRectF> placed;
  const auto free = [&](const QRectF& tag) {
    return std::ranges::none_of(placed, [&](const QRectF& other) { return other.intersects(tag); });
  };
  for (std::uint32_t w = 0; w < loom.recording().trace.warps; ++w) {
    const QRectF r = loom.g.ofC(warps[w]) & loom.frame.viewport;
    const bool current = w == loom.scene.moment.warp;
    QString label = Words::tr("warp %1").arg(w);
    double width = widthOf(label) + 8, edge = 3;
    const double height = metrics.height() + 2;
    if (r.width() < width + 4) {
      // The watched warp's lanes may have numbers of their own there.
      if (!bare || r.width() < digits + 2 || (current && r.width() > 26)) continue;
      label = QString::number(w);
      width = digits;
      edge = (r.width() - width) / 2;
    }
    if (r.height() < height + 2) continue;
    // Lane 0, which most users look at first, has its tile at the top left.
    QRectF tag(r.right() - width - edge, r.bottom() - height - 3, width, height);
    if (beside > 0) tag.moveTopLeft({r.right() + 4, r.center().y() - height / 2});
    // Close up, the names of its subtiles are there.
    if (current && beside == 0 && loom.g.level() == LoomLevel::Warp) continue;
    // No name covers a lane's: the breadcrumb says which warp is watched.
    if (current && beside == 0 && coversALane(loom, tag)) continue;
    if (!free(tag)) continue;
    placed.push_back(tag);
    loom.p.fillRect(tag, current ? loom.t.warp(w) : Theme::faded(loom.t.ground, 0.72));
    loom.p.setPen(current ? Theme::ink(loom.t.warp(w))
                          : Theme::mix(loom.t.warp(w), loom.t.text, 0.6));
    loom.p.drawText(tag, Qt::AlignCenter, label);
  }
}

bool coversALane(const LoomPaint& loom, const QRectF& tag) {
  const auto& subtiles = loom.recording().map.subtiles;
  const std::size_t first = std::size_t{loom.scene.moment.warp} * kWarp;
  const double reach = QFontMetricsF(loom.f.small).height() / 2;
  for (std::size_t thread = first; thread < first + kWarp && thread < subtiles.size(); ++thread) {
    for (const Region& subtile : subtiles[thread]) {
      const QRectF r = loom.g.ofC(subtile);
      const QRectF number(r.center() - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
      if (loom.namesLanes(r) && number.intersects(tag)) return true;
    }
  }
  return false;
}

}  // namespace tileloom
