// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/touch_painter.h"

#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using analysis::Region;
using analysis::Touch;
using emulator::Kind;

constexpr std::uint32_t kWarp = emulator::kWarpSize;

// Columns of A, and rows of B, that are multiplied together.
std::int64_t depth(const LoomPaint& loom) {
  return analysis::dotDepth(loom.recording().trace);
}

// The column of A, or the row of B, that is multiplied at this k.
void dotLine(const LoomPaint& loom, Matrix m) {
  const auto& now = loom.scene.moment.instruction;
  if (now.dot == emulator::kNoDot || now.kTile == emulator::kNoTile || loom.g.detail() < 0.5)
    return;
  const Region tile = loom.scene.tileOf(m, loom.scene.kTile());
  const QRectF line =
      m == Matrix::A ? loom.g.inSlabA({tile.row, tile.column + now.dot, tile.rows, depth(loom)})
                     : loom.g.inSlabB({tile.row + now.dot, tile.column, depth(loom), tile.columns});
  if (line.isEmpty()) return;
  loom.p.setPen(hairline(loom.t.text, 1.6));
  loom.p.setBrush(Qt::NoBrush);
  loom.p.drawRect(line);
}

// The operands of the mma that the warp executes.
void operandFrame(const LoomPaint& loom, Matrix m) {
  if (!loom.multiplies()) return;
  Region tile;
  if (const auto& group = loom.contents.groupProduct) {
    tile = m == Matrix::A ? group->tileA : group->tileB;
  } else if (const auto& product = loom.contents.warpProduct) {
    tile = m == Matrix::A ? product->tileA : product->tileB;
  }
  const QRectF r = m == Matrix::A ? loom.g.inSlabA(tile) : loom.g.inSlabB(tile);
  if (tile.empty() || r.isEmpty()) return;
  loom.p.setPen(hairline(loom.t.text, 2.0));
  loom.p.setBrush(Theme::faded(loom.t.text, 0.25));
  loom.p.drawRect(r);
  loom.p.setBrush(Qt::NoBrush);
}

void fragments(const LoomPaint& loom, Matrix m) {
  if (loom.contents.groupProduct) return operandFrame(loom, m);  // no lane holds an operand
  if (loom.contents.warpProduct) {
    // What the shown lane holds, within the instruction's operand.
    const std::uint32_t shown = loom.scene.shownThread();
    operandFrame(loom, m);
    for (const auto& part :
         m == Matrix::A ? loom.contents.warpProduct->a : loom.contents.warpProduct->b) {
      const QRectF cell = loom.g.of(part.element);
      if (part.lane == shown % kWarp && !cell.isEmpty())
        loom.p.fillRect(cell, loom.t.lane(shown / kWarp, part.lane));
    }
    return;
  }
  if (!loom.contents.product) return;
  const std::uint32_t thread = loom.scene.shownThread();
  const QColor shade = loom.t.lane(thread / kWarp, thread % kWarp);
  for (const auto& f : m == Matrix::A ? loom.contents.product->a : loom.contents.product->b) {
    const QRectF cell = loom.g.of(f.element);
    if (cell.isEmpty()) continue;
    const auto& now = loom.contents.product->now;
    const bool multiplied = now && (m == Matrix::A ? now->a : now->b) == f.element;
    if (f.loaded)
      loom.p.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), multiplied ? loom.t.text : shade);
    loom.p.setPen(hairline(f.loaded ? loom.t.text : loom.t.soft, 1.0,
                           f.loaded ? Qt::SolidLine : Qt::DashLine));
    loom.p.setBrush(Qt::NoBrush);
    loom.p.drawRect(cell);
  }
}

}  // namespace

void paintTouches(const LoomPaint& loom, Matrix m) {
  if (loom.passingOver()) return;
  if (loom.g.level() == LoomLevel::Thread) return fragments(loom, m);
  dotLine(loom, m);
  operandFrame(loom, m);
  // A TMA box has its own outline.
  if (loom.multiplies() || loom.scene.moment.instruction.kind == Kind::BoxLoad) return;
  for (const Touch& touch : loom.scene.moment.touches) {
    if (touch.element.matrix != m) continue;
    QRectF cell = loom.g.of(touch.element);
    if (cell.isEmpty()) continue;
    if (cell.height() > 4 && cell.width() > 4) cell.adjust(0.5, 0.5, -0.5, -0.5);
    loom.p.fillRect(cell, loom.t.lane(loom.scene.moment.warp, touch.lane));
  }
}

}  // namespace tileloom
