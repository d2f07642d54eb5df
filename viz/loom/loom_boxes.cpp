// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_boxes.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "kernels/analysis/boxes.h"
#include "kernels/tile/derived.h"
#include "viz/base/figure_text.h"
#include "viz/base/marks.h"
#include "viz/base/painted_view.h"
#include "viz/base/text.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using analysis::Region;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loom)
};

Matrix matrixOf(const emulator::BoxRecord& box) {
  return box.matrix == emulator::kArrayA ? Matrix::A : Matrix::B;
}

// Where it goes: shared memory is divided into equal stages.
QString target(const emulator::Trace& trace, const emulator::BoxRecord& box) {
  const int stages = derive(*trace.stage, trace.tile).buffers;
  const emulator::Array& array = trace.arrays[box.array];
  if (stages < 2) return toQString(array.name);
  const std::uint32_t each = std::max(1u, array.elements / static_cast<std::uint32_t>(stages));
  return Words::tr("stage %1").arg(box.index / each);
}

// What of `whole` is not in `inside`: a strip at the right, and one below.
std::vector<QRectF> outsideOf(const LoomBox& box) {
  if (box.inside.isEmpty()) return {box.whole};
  std::vector<QRectF> strips;
  const QRectF &all = box.whole, &in = box.inside;
  if (all.right() > in.right() + 0.5)
    strips.emplace_back(in.right(), all.top(), all.right() - in.right(), all.height());
  if (all.bottom() > in.bottom() + 0.5)
    strips.emplace_back(all.left(), in.bottom(), in.right() - all.left(),
                        all.bottom() - in.bottom());
  return strips;
}

void drawCorners(QPainter& p, const QRectF& r, const QPen& pen) {
  const double arm = std::min({10.0, r.width() / 3, r.height() / 3});
  p.setPen(pen);
  for (const auto& [corner, x, y] :
       {std::tuple(r.topLeft(), 1, 1), std::tuple(r.topRight(), -1, 1),
        std::tuple(r.bottomLeft(), 1, -1), std::tuple(r.bottomRight(), -1, -1)}) {
    p.drawLine(corner, corner + QPointF(x * arm, 0));
    p.drawLine(corner, corner + QPointF(0, y * arm));
  }
}

}  // namespace

std::vector<LoomBox> loomBoxes(const Scene& scene, const analysis::Progress& progress,
                               const LoomGeometry& g) {
  const emulator::Trace& trace = scene.recording->trace;
  std::vector<LoomBox> boxes;
  if (g.detail() < 0.6 || scene.repeated > 0 || trace.boxes.empty()) return boxes;
  const auto& now = scene.moment.box;
  for (std::uint32_t number = 0; number < trace.boxes.size(); ++number) {
    const emulator::BoxRecord& record = trace.boxes[number];
    LoomBox box;
    box.matrix = matrixOf(record);
    const bool isA = box.matrix == Matrix::A;
    const auto tile =
        static_cast<std::uint32_t>(std::max(0, isA ? record.x : record.y)) / trace.stepK;
    if (tile < scene.kTile()) continue;
    const int ahead = static_cast<int>(tile - scene.kTile());
    if (ahead >= g.slabs() || !progress.barriers().asked(number)) continue;
    box.onItsWay = progress.barriers().underWay(number);
    box.now = now && now->matrix == record.matrix && now->x == record.x && now->y == record.y;
    const Region inside = analysis::insideOf(trace, record);
    box.whole = g.around(box.matrix, ahead, {record.y, record.x, record.rows, record.columns});
    if (!inside.empty()) box.inside = g.around(box.matrix, ahead, inside);
    box.to = target(trace, record);
    boxes.push_back(std::move(box));
  }
  return boxes;
}

QRectF slabInside(const LoomGeometry& g, const Scene& scene, Matrix matrix, int ahead) {
  return g.around(matrix, ahead,
                  scene.tileOf(matrix, scene.shownTile() + static_cast<std::uint32_t>(ahead)));
}

void roomForZeros(const Scene& scene, LoomInput& input) {
  const emulator::Trace& trace = scene.recording->trace;
  const Derived derived = derive(*trace.stage, trace.tile);
  input.tileA.columns = input.tileB.rows = trace.stepK;
  input.tileA.rows = derived.blockM;
  input.tileB.columns = derived.blockN;
  input.filled = {input.block.row, input.block.column, derived.blockM, derived.blockN};
}

void paintZeros(QPainter& p, const std::vector<LoomBox>& boxes, Matrix matrix, const Theme& t,
                const Fonts& f) {
  p.save();
  QRectF largest;
  for (const LoomBox& box : boxes) {
    if (box.matrix != matrix) continue;
    for (const QRectF& strip : outsideOf(box)) {
      p.fillRect(strip, Theme::mix(t.ground, t.text, 0.06));
      // The other way round than what is in flight, and grey: no element of a matrix.
      p.save();
      p.translate(strip.center());
      p.scale(-1, 1);
      p.translate(-strip.center());
      figures::drawHatch(p, strip, Theme::mix(t.ground, t.text, 0.45));
      p.restore();
      p.setPen(hairline(Theme::mix(t.ground, t.text, 0.5), 1.0));
      p.setBrush(Qt::NoBrush);
      p.drawRect(strip);
      if (strip.width() * strip.height() > largest.width() * largest.height()) largest = strip;
    }
  }
  const QString name = Words::tr("zeros");
  const QFontMetricsF metrics(f.small);
  const QSizeF size(metrics.horizontalAdvance(name) + 8, metrics.height());
  const bool lies = size.width() < largest.width() && size.height() < largest.height();
  const bool stands = size.height() < largest.width() && size.width() < largest.height();
  if (lies || stands) {
    p.translate(largest.center());
    if (!lies) p.rotate(-90);
    const QRectF plate(QPointF(-size.width() / 2, -size.height() / 2), size);
    p.fillRect(plate, Theme::faded(t.ground, 0.85));
    p.setFont(f.small);
    p.setPen(t.soft);
    p.drawText(plate, Qt::AlignCenter, name);
  }
  p.restore();
}

void paintBoxes(QPainter& p, const std::vector<LoomBox>& boxes, const Theme& t, const Fonts& f) {
  p.save();
  p.setBrush(Qt::NoBrush);
  for (const bool now : {false, true}) {
    for (const LoomBox& box : boxes) {
      if (box.now != now || (!box.onItsWay && !box.now)) continue;
      const QRectF r = box.whole.adjusted(2, 2, -2, -2);
      if (r.width() < 4 || r.height() < 4) continue;
      p.setPen(hairline(Theme::faded(t.text, now ? 1.0 : 0.55), 1.0, Qt::DotLine));
      p.drawRect(r);
      drawCorners(p, r, hairline(t.ground, now ? 6.0 : 4.0));
      drawCorners(p, r, hairline(t.text, now ? 3.0 : 1.6));
      if (!now) continue;
      const QString to = QStringLiteral("→ ") + box.to;
      const QFontMetricsF metrics(f.small);
      const QRectF plate(
          r.center() - QPointF(metrics.horizontalAdvance(to) / 2 + 5, metrics.height() / 2 + 1),
          QSizeF(metrics.horizontalAdvance(to) + 10, metrics.height() + 2));
      const bool lies = plate.width() < r.width() && plate.height() < r.height();
      const bool stands = plate.height() < r.width() && plate.width() < r.height();
      if (!lies && !stands) continue;
      p.save();
      p.translate(r.center());
      if (!lies) p.rotate(-90);
      p.translate(-r.center());
      p.fillRect(plate, Theme::faded(t.ground, 0.88));
      p.setFont(f.small);
      p.setPen(t.text);
      p.drawText(plate, Qt::AlignCenter, to);
      p.restore();
    }
  }
  p.restore();
}

QString describeLoomBox(const Scene& scene) {
  if (!scene.moment.box || scene.repeated > 0) return {};
  const emulator::BoxRecord& box = *scene.moment.box;
  const QString matrix = matrixOf(box) == Matrix::A ? QStringLiteral("A") : QStringLiteral("B");
  const std::uint32_t each = box.bytes / std::max(1u, box.rows * box.columns);
  QString text = Words::tr("box of %1, %2 × %3 from %1[%4][%5], to %6: %7 bytes")
                     .arg(matrix)
                     .arg(box.rows)
                     .arg(box.columns)
                     .arg(box.y)
                     .arg(box.x)
                     .arg(target(scene.recording->trace, box), figures::grouped(box.bytes));
  if (box.outside > 0) {
    text += Words::tr(", %1 of them zeros from outside of %2")
                .arg(figures::grouped(box.outside * each), matrix);
  }
  return text;
}

}  // namespace tileloom
