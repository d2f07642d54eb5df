// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/slab_image.h"

#include "kernels/analysis/recording.h"

namespace tileloom {

QImage missingImage(const Scene& scene, analysis::Matrix matrix, const QColor& colour) {
  const auto& recording = *scene.recording;
  const auto& trace = recording.trace;
  // From its first dot index on, all of a tile is there; after the loop nothing is of interest.
  const bool atWork =
      scene.moment.instruction.dot != emulator::kNoDot && scene.slabTile() == scene.kTile();
  if (atWork || scene.afterTiles() || !trace.stage->is(Trait::SharedTiles)) return {};
  const analysis::Region tile = scene.slab(matrix);
  if (tile.empty()) return {};
  QImage image(static_cast<int>(tile.columns), static_cast<int>(tile.rows),
               QImage::Format_ARGB32_Premultiplied);
  image.fill(colour);
  std::int64_t missing = tile.rows * tile.columns;
  for (std::uint32_t array = emulator::kFirstShared; array < trace.arrays.size(); ++array) {
    for (const auto provenance : recording.contents(array, scene.moment.warp, scene.moment.index)) {
      const auto element = recording.elementOf(provenance);
      if (!element || element->matrix != matrix) continue;
      if (!tile.contains(element->row, element->column)) continue;
      const int x = static_cast<int>(element->column - tile.column);
      const int y = static_cast<int>(element->row - tile.row);
      image.setPixel(x, y, 0);
      --missing;
    }
  }
  // After the last store only barriers and the loop's end follow.
  return missing > 0 ? image : QImage();
}

}  // namespace tileloom
