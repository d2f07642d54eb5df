// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the loom's picture are painted on, from and with. Private to viz/loom.
#pragma once

#include <QPainter>
#include <QSizeF>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_contents.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

// A larger tile of a thread has room for the number of its lane, and some between it and its
// neighbour's.
QSizeF laneRoom(const Fonts& fonts);

struct LoomPaint {
  QPainter& p;
  const LoomFrame& frame;
  const LoomGeometry& g;
  const Scene& scene;
  const LoomContents& contents;
  const Theme& t;
  const Fonts& f;
  QSizeF laneRoom;  // see laneRoom()

  const analysis::Recording& recording() const { return *scene.recording; }
  // Playback skips K tiles.
  bool passingOver() const { return scene.repeated > 0; }
  // The instruction multiplies: one element of A with one of B in each lane, or a tile of each.
  bool multiplies() const { return emulator::isMultiplyAdd(scene.moment.instruction.kind); }
  // Pixels of the device for one of the canvas.
  double density() const { return std::clamp(p.combinedTransform().m11(), 1.0, 4.0); }
  // Whether a thread's tile of this size has room for the number of its lane.
  bool namesLanes(const QRectF& tile) const {
    return tile.width() > laneRoom.width() && tile.height() > laneRoom.height();
  }
};

}  // namespace tileloom
