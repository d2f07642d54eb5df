// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_contents.h"

#include <QCoreApplication>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/operands.h"

namespace tileloom {
namespace {

using analysis::Matrix;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loom)
};

bool isOne(const std::vector<analysis::Stretch>& stretches) {
  return stretches.size() == 1 && stretches.front().first == stretches.front().last;
}

// "warp 3 multiplies rows 64–127 of A by columns 64–127 of B at k = 5 · "; of one row, "row 64".
// The warp may read these operands earlier, or operands of a later k at this time.
QString operandText(const Scene& scene) {
  const auto& r = *scene.recording;
  const auto& at = scene.moment;
  const auto a = analysis::factorsOfDot(r, at.warp, at.index, Matrix::A);
  const auto b = analysis::factorsOfDot(r, at.warp, at.index, Matrix::B);
  if (a.empty() || b.empty()) return {};
  constexpr std::size_t kStretches = 4;
  const QString rows = (isOne(a.rows) ? Words::tr("row %1") : Words::tr("rows %1"))
                           .arg(QString::fromStdString(stretchText(a.rows, kStretches)));
  const QString columns = (isOne(b.columns) ? Words::tr("column %1") : Words::tr("columns %1"))
                              .arg(QString::fromStdString(stretchText(b.columns, kStretches)));
  return Words::tr("warp %1 multiplies %2 of A by %3 of B at k = %4 · ")
      .arg(at.warp)
      .arg(rows, columns, QString::fromStdString(stretchText(a.columns, 1)));
}

}  // namespace

LoomContents loomContents(const Scene& scene, const LoomContents* before, const Scene* old) {
  if (!scene.ready()) return {};
  const bool same = before != nullptr && old != nullptr && old->recording == scene.recording;
  const bool sameInstant =
      same && old->moment.warp == scene.moment.warp && old->moment.index == scene.moment.index;
  if (sameInstant && old->shownThread() == scene.shownThread()) return *before;
  LoomContents c;
  if (same) {
    c.progress = before->progress;
    c.slabs = before->slabs;
  } else {
    c.progress = std::make_shared<analysis::Progress>(scene.recording);
    c.slabs = static_cast<int>(analysis::tilesUnderWay(scene.recording->trace));
  }
  if (sameInstant) {
    c.operands = before->operands;
  } else {
    c.progress->goTo(scene.moment.warp, scene.moment.index);
    const auto& now = scene.moment.instruction;
    const bool sameDot = same && old->moment.warp == scene.moment.warp &&
                         old->moment.instruction.kTile == now.kTile &&
                         old->moment.instruction.dot == now.dot;
    c.operands = sameDot ? before->operands : operandText(scene);
  }
  const Features& features = scene.recording->trace.features();
  if (features.warpgroupMma) {
    if (sameInstant) {
      c.groupProduct = before->groupProduct;
    } else if (auto p = analysis::groupProduct(*scene.recording, scene.moment.warp,
                                               scene.moment.index)) {
      c.groupProduct = std::make_shared<const analysis::GroupProduct>(std::move(*p));
    }
  } else if (!features.warpMma) {
    c.product = analysis::outerProduct(*scene.recording, scene.shownThread(), scene.moment.index);
  } else if (sameInstant) {
    c.warpProduct = before->warpProduct;
  } else {
    c.warpProduct = analysis::warpProduct(*scene.recording, scene.moment.warp, scene.moment.index);
  }
  return c;
}

}  // namespace tileloom
