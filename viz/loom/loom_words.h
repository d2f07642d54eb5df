// SPDX-License-Identifier: GPL-3.0-or-later
// The words around the loom: the breadcrumb and the place above it, a caption below.
#pragma once

#include <QPainter>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_contents.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_trail.h"

namespace tileloom {

void paintLoomWords(QPainter& painter, const LoomFrame& frame, const Scene& scene,
                    const LoomContents& contents, LoomLevel level, const Theme& theme,
                    const Fonts& fonts);

// The room of the breadcrumb in the header.
QRectF trailRoom(const LoomFrame& frame, const Scene& scene, LoomLevel level, const Fonts& fonts);

}  // namespace tileloom
