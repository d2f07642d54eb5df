// SPDX-License-Identifier: GPL-3.0-or-later
// Three short notes for the first start that say what the loom shows, of the whole grid or of one
// block tile. They are in empty places, so that they cover nothing that they describe, and are true
// at every moment of the recording.
#pragma once

#include <QPainter>
#include <QString>
#include <vector>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

struct LoomHint {
  QString title, words;
  std::vector<QPointF> targets;  // what it describes; a line leads to each
  QRectF box;
  // Where the line to a target begins.
  QPointF lineFrom(const QPointF& target) const;
};

// All three without overlap, or none if they have no room.
std::vector<LoomHint> loomHints(const Scene& scene, const LoomGeometry& geometry,
                                const LoomFrame& frame, const Fonts& fonts);

// The same without boxes.
std::vector<LoomHint> unplacedLoomHints(const Scene& scene, const LoomGeometry& geometry);

void paintLoomHints(QPainter& painter, const std::vector<LoomHint>& hints, const Theme& theme,
                    const Fonts& fonts);

}  // namespace tileloom
