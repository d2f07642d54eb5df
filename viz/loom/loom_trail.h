// SPDX-License-Identifier: GPL-3.0-or-later
// The loom's breadcrumb: grid › block › warp › lane; a click zooms to each.
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_level.h"

namespace tileloom {

struct Crumb {
  LoomLevel level = LoomLevel::Grid;
  QString text;  // "Warp 2"
  QRectF rect;   // of the text, as high as the header
};

// Within `room`, from the left; crumbs without room are omitted from the front, but never the one
// of `level`.
std::vector<Crumb> loomTrail(const Scene& scene, const QRectF& room, LoomLevel level,
                             const Fonts& fonts);

// The crumb's level under a pixel.
std::optional<LoomLevel> crumbAt(const std::vector<Crumb>& trail, const QPointF& pixel);

// What the level shows: "blockIdx.x = 0, blockIdx.y = 0 · rows 0–127, columns 0–127 of C".
QString describeLevel(const Scene& scene, LoomLevel level);

}  // namespace tileloom
