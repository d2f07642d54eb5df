// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_boxes.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <bit>

#include "kernels/analysis/memory/boxes.h"
#include "kernels/tile/derived.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/painted_view.h"

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

// Its destination: shared memory is divided into equal stages.
QString target(const emulator::Trace& trace, const emulator::BoxRecord& box) {
  const int stages = derive(*trace.rung(), trace.tile).buffers;
  const emulator::Array& array = trace.arrays[box.array];
  if (stages < 2) return toQString(array.name);
  const std::uint32_t each = std::max(1u, array.elements / static_cast<std::uint32_t>(stages));
  return Words::tr("stage %1").arg(box.index / each);
}

// The blocks of a cluster that a multicast box goes to; empty: one block.
std::vector<std::uint32_t> ranksOf(const emulator::BoxRecord& box) {
  std::vector<std::uint32_t> ranks;
  if (std::popcount(box.ranks) < 2) return ranks;
  for (std::uint32_t rank = 0; rank < 32; ++rank) {
    if ((box.ranks >> rank & 1u) != 0) ranks.push_back(rank);
  }
  return ranks;
}

// One arrow that forks to several blocks, each labelled with its rank; the shown block is filled.
double forkWidth(const QFontMetricsF& metrics) {
  return 26 + metrics.height() + 2;
}
double forkHeight(const QFontMetricsF& metrics, std::size_t blocks) {
  return static_cast<double>(blocks) * (metrics.height() + 3) + 1;
}
void drawFork(QPainter& p, const QRectF& room, const std::vector<std::uint32_t>& ranks,
              std::uint32_t own, const Theme& t, const Fonts& f) {
  const QFontMetricsF metrics(f.small);
  const double side = metrics.height();
  const QPointF from(room.left(), room.center().y());
  p.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const double y = room.top() + (static_cast<double>(i) + 0.5) * room.height() /
                                      static_cast<double>(ranks.size());
    const QRectF block(room.right() - side, y - side / 2, side, side);
    const QPointF to(block.left() - 1, y);
    QPainterPath path(from);
    path.lineTo(from + QPointF(6, 0));
    path.cubicTo(from + QPointF(14, 0), to - QPointF(14, 0), to - QPointF(4, 0));
    p.setPen(QPen(t.text, 1.4));
    p.setBrush(Qt::NoBrush);
    p.drawPath(path);
    p.setBrush(t.text);
    p.setPen(Qt::NoPen);
    p.drawPolygon(QPolygonF({to, to + QPointF(-6, -3), to + QPointF(-6, 3)}));
    p.setPen(hairline(t.text, 1.2));
    p.setBrush(ranks[i] == own ? Theme::mix(t.ground, t.accent, 0.5) : t.ground);
    p.drawRect(block);
    p.setFont(f.small);
    p.drawText(block, Qt::AlignCenter, QString::number(ranks[i]));
  }
  p.setBrush(Qt::NoBrush);
}

// The part of `whole` that is not in `inside`: a strip at the right, and one below.
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
    box.ranks = ranksOf(record);
    if (record.rank != trace.rank) box.from = record.rank;
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
  const Derived derived = derive(*trace.rung(), trace.tile);
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
      // Hatched the other way than data in flight, and grey: not an element of a matrix.
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

void paintBoxes(QPainter& p, const std::vector<LoomBox>& boxes, std::uint32_t rank, const Theme& t,
                const Fonts& f) {
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
      if (!now && !box.from) continue;
      const QString to = !now                ? Words::tr("from block %1").arg(*box.from)
                         : box.ranks.empty() ? QStringLiteral("→ ") + box.to
                                             : box.to;
      const QFontMetricsF metrics(f.small);
      const double words = metrics.horizontalAdvance(to) + 10;
      QSizeF size(words, metrics.height() + 2);
      if (now && !box.ranks.empty()) {
        size.rwidth() += forkWidth(metrics) + 3;
        size.setHeight(std::max(size.height(), forkHeight(metrics, box.ranks.size())));
      }
      // An arrow to several blocks matters more than what its plate covers.
      const double over = !now || box.ranks.empty() ? 1 : 3;
      const QRectF plate(r.center() - QPointF(size.width() / 2, size.height() / 2), size);
      const bool lies = plate.width() < over * r.width() && plate.height() < over * r.height();
      const bool stands = plate.height() < r.width() && plate.width() < r.height();
      if (!lies && !stands) continue;
      p.save();
      p.translate(r.center());
      if (!lies) p.rotate(-90);
      p.translate(-r.center());
      p.fillRect(plate, Theme::faded(t.ground, 0.88));
      p.setFont(f.small);
      p.setPen(t.text);
      p.drawText(QRectF(plate.topLeft(), QSizeF(words, plate.height())), Qt::AlignCenter, to);
      if (now && !box.ranks.empty())
        drawFork(p, plate.adjusted(words, 1, -3, -1), box.ranks, rank, t, f);
      p.restore();
    }
  }
  p.restore();
}

QString describeLoomBox(const Scene& scene) {
  if (!scene.moment.box || scene.repeated > 0) return {};
  const emulator::BoxRecord& box = *scene.moment.box;
  const QString matrix = matrixOf(box) == Matrix::A ? QStringLiteral("A") : QStringLiteral("B");
  QString text = Words::tr("TMA load of %1, %2 × %3 from %1[%4][%5], to %6: %7 bytes")
                     .arg(matrix)
                     .arg(box.rows)
                     .arg(box.columns)
                     .arg(box.y)
                     .arg(box.x)
                     .arg(target(scene.recording->trace, box), figures::grouped(box.bytes));
  if (const auto ranks = ranksOf(box); !ranks.empty()) {
    QStringList names;
    for (const std::uint32_t rank : ranks) names += QString::number(rank);
    text +=
        Words::tr(", multicast to blocks %1 of the cluster").arg(names.join(Words::tr(" and ")));
  }
  if (box.outside > 0) {
    text += Words::tr(", %1 of them zeros from outside %2")
                .arg(figures::grouped(box.outsideBytes()), matrix);
  }
  return text;
}

}  // namespace tileloom
