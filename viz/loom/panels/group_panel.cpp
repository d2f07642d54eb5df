// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/panels/group_panel.h"

#include <QCoreApplication>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/tile/placement.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using analysis::Element;
using analysis::GroupProduct;
using analysis::Matrix;
using analysis::WarpProduct;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::InstructionPanel)
};

}  // namespace

ThreadPanel groupPanel(const Scene& scene, const LoomGeometry& g,
                       const std::shared_ptr<const GroupProduct>& product, double label) {
  ThreadPanel panel;
  panel.thread = scene.shownThread();
  panel.gathered = g.nearness();
  if (panel.gathered <= 0.01) return panel;
  // Right of the slab of A and below that of B, like the panels of other rungs.
  const QRectF view = g.viewport();
  panel.area = QRectF(QPointF(std::min(g.slabA().right(), view.center().x()) + label,
                              std::min(g.slabB().bottom(), view.center().y()) + 0.6 * label),
                      view.bottomRight() - QPointF(label, 1.2 * label));
  panel.worded = panel.area.height() > 9 * label;
  const double above = panel.worded ? 2.2 * label : 0, below = panel.worded ? 2.4 * label : 0;
  QRectF room = panel.area.adjusted(0, above, 0, -below);
  GroupLayout layout(room, product->columns);
  // In the middle.
  room.translate((room.width() - layout.whole().width()) / 2, 0);
  layout = GroupLayout(QRectF(room.topLeft(), layout.whole().size()), product->columns);
  panel.edge = std::min(layout.cellSize().width(), layout.cellSize().height());
  panel.hasProduct = true;
  panel.all = product->step.count;
  panel.done = product->when == WarpProduct::When::Now ? product->step.number : 0;
  panel.group = ThreadPanel::Group{product, layout};
  return panel;
}

std::optional<Element> moveInGroupPanel(const ThreadPanel& panel, const Element& from,
                                        CursorMove move, int count) {
  const auto& [product, layout] = *panel.group;
  const auto at = product->placeOf(from);
  if (!at) return panel.front();
  // Only a single step crosses the edge of a matrix. Zeros from outside are not elements.
  const auto to = product->elementAt(layout.moved(*at, move, count));
  return to ? to : from;
}

QString groupText(const GroupProduct& product, std::uint32_t stepK) {
  const std::int64_t k = std::int64_t{product.kTile} * stepK + product.dot;
  QString which =
      product.step.count > 1
          ? Words::tr("wgmma %1 of %2 · ").arg(product.step.number).arg(product.step.count)
          : Words::tr("wgmma · ");
  which += Words::tr("k = %1–%2 of K tile %3 · m64n%4k16")
               .arg(k)
               .arg(k + GroupProduct::kDepth - 1)
               .arg(product.kTile + 1)
               .arg(product.columns);
  switch (product.when) {
    case WarpProduct::When::Now:
      return which;
    case WarpProduct::When::Before:
      return Words::tr("last issued: %1").arg(which);
    case WarpProduct::When::Later:
      break;
  }
  return Words::tr("next: %1").arg(which);
}

QString descriptorText(const analysis::Recording& recording, const GroupProduct& p, Matrix matrix) {
  const bool isA = matrix == Matrix::A;
  const auto& descriptor = isA ? p.first : p.with;
  const auto& origin = isA ? p.originA : p.originB;
  const QString array = toQString(recording.trace.arrays[origin.array].name);
  const QString where =
      p.stages > 1 ? Words::tr("%1, stage %2").arg(array).arg(origin.stage) : array;
  return Words::tr(
             "%1: start at byte %2 (%3), leading offset %4, stride offset %5, swizzle %6 bytes")
      .arg(QChar(isA ? u'A' : u'B'))
      .arg(figures::grouped(descriptor.start), where, figures::grouped(descriptor.lead),
           figures::grouped(descriptor.stride))
      .arg(descriptor.swizzle);
}

QStringList groupRegisters(const GroupProduct& product, std::uint32_t thread, int most) {
  const std::uint32_t values = product.columns / 2;
  std::vector<std::optional<Element>> held(values);
  for (const auto& sum : product.sums) {
    if (sum && sum->thread == thread) held[sum->value] = sum->element;
  }
  QStringList lines;
  for (std::uint32_t first = 0; first < values && lines.size() < most; first += 4) {
    QStringList parts;
    for (std::uint32_t i = first; i < first + 4; ++i)
      parts += held[i] ? describeElement(*held[i]) : QStringLiteral("–");
    lines += QStringLiteral("d%1–d%2: %3").arg(first).arg(first + 3).arg(parts.join(u' '));
  }
  return lines;
}

std::uint32_t brightThread(const Scene& scene, const GroupProduct& product) {
  const std::uint32_t first = product.firstWarp * emulator::kWarpSize;
  const auto& chosen = scene.selection.thread;
  const bool ofGroup =
      chosen && *chosen >= first &&
      *chosen < first + emulator::kWarpsPerGroup * std::uint32_t{emulator::kWarpSize};
  return ofGroup ? *chosen : scene.shownThread();
}

}  // namespace tileloom
