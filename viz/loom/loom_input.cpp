// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_input.h"

#include <QFontMetricsF>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/group_product.h"
#include "viz/loom/loom_boxes.h"

namespace tileloom {

using analysis::Matrix;
using analysis::Region;

double loomAspect(const Scene& scene) {
  if (!scene.ready()) return 1.0;
  const Region& c = scene.recording->map.c;
  const auto rows = static_cast<double>(c.rows), columns = static_cast<double>(c.columns);
  const double slabs = 0.3 * std::max(rows, columns);
  return (columns + slabs) / (rows + slabs);
}

LoomInput loomInput(const Scene& scene, int slabs, const QRectF& viewport, const Fonts& fonts) {
  const auto& map = scene.recording->map;
  LoomInput input;
  input.problem = scene.recording->trace.problem;
  input.block = map.c;
  input.tileA = scene.tileOf(Matrix::A, scene.shownTile());
  input.tileB = scene.tileOf(Matrix::B, scene.shownTile());
  if (scene.recording->trace.features().tma) roomForZeros(scene, input);
  input.slabs = slabs;
  input.viewport = viewport;
  if (scene.moment.warp < map.warps.size()) input.warp = map.warps[scene.moment.warp];
  if (const auto& subtiles = map.subtiles[scene.shownThread()]; !subtiles.empty()) {
    Region near = subtiles.front();
    if (scene.recording->trace.features().warpMma)
      near = {input.warp.row, input.warp.column, scene.recording->trace.mma()->rows,
              scene.recording->trace.mma()->columns};
    if (scene.recording->trace.features().warpgroupMma)
      near = {input.warp.row, input.warp.column, analysis::GroupProduct::kWarpRows,
              std::min<std::int64_t>(input.warp.columns, 32)};
    near.row -= 1;
    near.rows += 2;
    near.column -= 1;
    near.columns += 2;
    input.near = near;
  }
  // Large labels in a small view leave it to the matrices.
  input.label = std::min(QFontMetricsF(fonts.title).height(),
                         0.12 * std::min(viewport.width(), viewport.height()));
  return input;
}

}  // namespace tileloom
