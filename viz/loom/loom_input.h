// SPDX-License-Identifier: GPL-3.0-or-later
// What the loom's geometry needs of a scene: the regions of the block, of its K tiles, of the warp
// and of the shown thread.
#pragma once

#include <QRectF>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

// Width over height of the block tile with its slabs; 1 while there is no scene.
double loomAspect(const Scene& scene);

// Input for LoomGeometry from a scene; `slabs` as in LoomContents.
LoomInput loomInput(const Scene& scene, int slabs, const QRectF& viewport, const Fonts& fonts);

}  // namespace tileloom
