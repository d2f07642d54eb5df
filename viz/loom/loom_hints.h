// SPDX-License-Identifier: GPL-3.0-or-later
// Three short labels that say what the loom shows, each beside what it speaks of. They are for the
// first sight, and go away.
#pragma once

#include <QPainter>
#include <QString>
#include <vector>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

struct LoomHint {
  QString title, words;
  QRectF box;
  QPointF target;  // what it speaks of; within the box: nothing in particular
};

// In the column beside the matrices if it has room for them, so that they cover nothing that they
// speak of, else within the viewport. None over another. Fewer where there is no room.
std::vector<LoomHint> loomHints(const Scene& scene, const LoomGeometry& geometry,
                                const QRectF& side, const Fonts& fonts);

void paintLoomHints(QPainter& painter, const std::vector<LoomHint>& hints, const Theme& theme,
                    const Fonts& fonts);

}  // namespace tileloom
