// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/subtile_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/parts/warp_names.h"

namespace tileloom {
namespace {

using analysis::Region;
using emulator::Kind;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loom)
};

constexpr std::uint32_t kWarp = emulator::kWarpSize;

// The sums of the warp's current mma, and how the warp tile consists of such tiles.
void instructionTile(const LoomPaint& loom) {
  const auto& product = *loom.contents.warpProduct;
  const Region& tile = product.tileC;
  const Region& warp = loom.recording().map.warps[loom.scene.moment.warp];
  if (warp.empty() || tile.empty()) return;
  loom.p.setBrush(Qt::NoBrush);
  const QRectF first = loom.g.ofC(tile);
  if (loom.g.level() == LoomLevel::Warp && std::min(first.width(), first.height()) > 8) {
    loom.p.setPen(hairline(Theme::faded(loom.t.text, 0.55), 1.2));
    for (std::int64_t row = warp.row + tile.rows; row < warp.row + warp.rows; row += tile.rows) {
      const QRectF r = loom.g.ofC({row, warp.column, 1, warp.columns});
      loom.p.drawLine(r.topLeft(), r.topRight());
    }
    for (std::int64_t column = warp.column + tile.columns; column < warp.column + warp.columns;
         column += tile.columns) {
      const QRectF r = loom.g.ofC({warp.row, column, warp.rows, 1});
      loom.p.drawLine(r.topLeft(), r.bottomLeft());
    }
  }
  if (loom.passingOver() || loom.scene.afterTiles()) return;
  // Dashed: no mma is being executed; this one was the last or will be the first.
  const bool now = loom.scene.moment.instruction.kind == Kind::Mma;
  loom.p.setPen(hairline(loom.t.text, 2.4, now ? Qt::SolidLine : Qt::DashLine));
  loom.p.drawRect(first);
}

// What all lanes of the warp cover with their first subtiles, their second ones, …
void allLanes(const LoomPaint& loom) {
  if (loom.g.level() != LoomLevel::Warp) return;
  const std::size_t first = std::size_t{loom.scene.moment.warp} * kWarp;
  const auto& subtiles = loom.recording().map.subtiles;
  const std::size_t count = subtiles[first].size();
  if (count < 2 || count > 64) return;
  loom.p.setFont(loom.f.small);
  const QFontMetricsF metrics(loom.f.small);
  for (std::size_t n = 0; n < count; ++n) {
    Region whole;
    for (std::size_t lane = first; lane < first + kWarp && lane < subtiles.size(); ++lane) {
      if (n >= subtiles[lane].size()) return;
      const Region& s = subtiles[lane][n];
      whole.add(s.row, s.column);
      whole.add(s.row + s.rows - 1, s.column + s.columns - 1);
    }
    const QRectF r = loom.g.ofC(whole);
    loom.p.setPen(hairline(loom.t.text, 1.4, Qt::DashLine));
    loom.p.setBrush(Qt::NoBrush);
    loom.p.drawRect(r);
    const QString name = Words::tr("subtile %1").arg(n + 1);
    const QRectF tag(r.left() + 3, r.bottom() - metrics.height() - 4,
                     metrics.horizontalAdvance(name) + 8, metrics.height() + 1);
    if (tag.width() + 6 > r.width() || tag.height() + 6 > r.height()) continue;
    if (coversALane(loom, tag)) continue;
    loom.p.fillRect(tag, Theme::faded(loom.t.ground, 0.75));
    loom.p.setPen(loom.t.text);
    loom.p.drawText(tag, Qt::AlignCenter, name);
  }
}

void subtilesOf(const LoomPaint& loom, std::uint32_t thread, const QColor& ink) {
  const auto& subtiles = loom.recording().map.subtiles[thread];
  const bool busy = loom.multiplies();
  int number = 0;
  for (const Region& s : subtiles) {
    ++number;
    const QRectF r = loom.g.ofC(s);
    if (!r.intersects(loom.frame.viewport) || number > 64) continue;
    loom.p.setPen(hairline(ink, 2.0));
    const bool large = std::min(r.width(), r.height()) >= 60;
    // A numbered subtile is opaque so that it can be seen from the back row, except where cells
    // of the tile light up one by one or have become large.
    const bool solid = subtiles.size() > 1 && !busy && !large;
    loom.p.setBrush(solid ? QBrush(ink) : Qt::NoBrush);
    loom.p.drawRect(r);
    if (subtiles.size() > 1 && r.width() > 8 && r.height() > 8) {
      QFont font = loom.f.small;
      font.setBold(true);
      loom.p.setFont(font);
      loom.p.setPen(solid ? Theme::ink(ink) : ink);
      // A bare number in C is always a lane's; the middle of a large tile belongs to it.
      const QFontMetricsF metrics(font);
      const QString word =
          large ? Words::tr("subtile %1").arg(number) : QString::number(thread % kWarp);
      const QRectF room = large ? r.adjusted(6, 4, -6, -4) : r;
      if (metrics.horizontalAdvance(word) > room.width() || metrics.capHeight() > room.height())
        continue;
      // Half a number would be a wrong number, and close up the thread's panel has its own.
      if (loom.g.nearness() > 0.5 || (!large && !loom.frame.viewport.contains(room))) continue;
      loom.p.drawText(
          room, (large ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignCenter) | Qt::TextDontClip, word);
    }
  }
}

}  // namespace

void paintSubtiles(const LoomPaint& loom) {
  if (loom.g.detail() < 0.3 || loom.g.nearness() > 0.1) return;
  if (loom.contents.warpProduct) {
    instructionTile(loom);
    return;
  }
  allLanes(loom);
  subtilesOf(loom, loom.scene.shownThread(), loom.t.text);
  // A hovered or held thread of another warp.
  const auto& chosen = loom.scene.selection.thread;
  if (chosen && *chosen != loom.scene.shownThread() &&
      *chosen < loom.recording().map.subtiles.size()) {
    subtilesOf(loom, *chosen, loom.t.warp(*chosen / kWarp));
  }
}

}  // namespace tileloom
