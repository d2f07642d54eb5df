// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_contents.h"

#include <QCoreApplication>

#include "kernels/analysis/operands.h"
#include "kernels/analysis/recording.h"
#include "viz/loom/slab_image.h"

namespace tileloom {
namespace {

using analysis::Matrix;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loom)
};

bool isOne(const std::vector<analysis::Stretch>& stretches) {
  return stretches.size() == 1 && stretches.front().first == stretches.front().last;
}

// "warp 3 reads rows 64–127 of A and columns 64–127 of B at k = 5 · "; of one row, "row 64".
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
  return Words::tr("warp %1 reads %2 of A and %3 of B at k = %4 · ")
      .arg(at.warp)
      .arg(rows, columns, QString::fromStdString(stretchText(a.columns, 1)));
}

}  // namespace

QImage ownershipImage(const Scene& scene, const Theme& theme) {
  const analysis::BlockMap& map = scene.recording->map;
  QImage image(static_cast<int>(map.c.columns), static_cast<int>(map.c.rows), QImage::Format_RGB32);
  std::vector<QRgb> colours(scene.recording->trace.warps * emulator::kWarpSize);
  for (std::uint32_t thread = 0; thread < colours.size(); ++thread) {
    const std::uint32_t warp = thread / emulator::kWarpSize;
    const QColor shade = theme.lane(warp, thread % emulator::kWarpSize);
    colours[thread] =
        Theme::mix(shade, theme.ground, warp == scene.moment.warp ? 0.15 : 0.72).rgb();
  }
  const QRgb nobody = theme.ground.rgb();
  std::size_t i = 0;
  for (int row = 0; row < image.height(); ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < image.width(); ++column, ++i) {
      line[column] = map.owner[i] == analysis::BlockMap::kNobody ? nobody : colours[map.owner[i]];
    }
  }
  return image;
}

LoomContents loomContents(const Scene& scene, const Theme& theme, const LoomContents* before,
                          const Scene* old) {
  if (!scene.ready()) return {};
  const bool same = before != nullptr && old != nullptr && old->recording == scene.recording &&
                    old->moment.warp == scene.moment.warp;
  const bool sameInstant = same && old->moment.index == scene.moment.index;
  if (sameInstant && old->shownThread() == scene.shownThread()) return *before;
  LoomContents c;
  c.ownership = same ? before->ownership : ownershipImage(scene, theme);
  if (sameInstant) {
    c.missingA = before->missingA;
    c.missingB = before->missingB;
    c.operands = before->operands;
  } else {
    const auto faint = [&](Matrix m) { return Theme::mix(theme.matrix(m), theme.ground, 0.90); };
    c.missingA = missingImage(scene, Matrix::A, faint(Matrix::A));
    c.missingB = missingImage(scene, Matrix::B, faint(Matrix::B));
    const auto& now = scene.moment.instruction;
    const bool sameDot = same && old->moment.instruction.kTile == now.kTile &&
                         old->moment.instruction.dot == now.dot;
    c.operands = sameDot ? before->operands : operandText(scene);
  }
  c.product = analysis::outerProduct(*scene.recording, scene.shownThread(), scene.moment.index);
  return c;
}

}  // namespace tileloom
