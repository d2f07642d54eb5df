// SPDX-License-Identifier: GPL-3.0-or-later
// The boxes of TMA loads over A and B: their places in the loom, the part of each that is outside
// the matrices and arrives as zeros, and which boxes are in flight.
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "kernels/analysis/order/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_geometry.h"

class QPainter;

namespace tileloom {

struct LoomBox {
  analysis::Matrix matrix = analysis::Matrix::A;
  QRectF whole;
  QRectF inside;          // the part in the matrix; empty: none
  bool onItsWay = false;  // issued, and no warp has waited for it
  bool now = false;       // issued at this instant
  QString to;             // "stage 1", or the array where there is one stage
  // For a multicast: ranks of the blocks that it goes to, and the block that issued it if that is
  // not the shown one.
  std::vector<std::uint32_t> ranks;
  std::optional<std::uint32_t> from;
};

// Boxes of the K tiles that have slabs, if issued; none while whole matrices are shown or K tiles
// are skipped.
std::vector<LoomBox> loomBoxes(const Scene& scene, const analysis::Progress& progress,
                               const LoomGeometry& geometry);

// The part of a slab that is in the matrix.
QRectF slabInside(const LoomGeometry& geometry, const Scene& scene, analysis::Matrix matrix,
                  int ahead);
// Enlarges the input's K tile and block tile to what boxes fill.
void roomForZeros(const Scene& scene, LoomInput& input);

// What TMA fills with zeros, hatched.
void paintZeros(QPainter& painter, const std::vector<LoomBox>& boxes, analysis::Matrix matrix,
                const Theme& theme, const Fonts& fonts);
// The outlines of boxes in flight: corners, to differ from frames of tiles. `rank`: of the shown
// block in its cluster.
void paintBoxes(QPainter& painter, const std::vector<LoomBox>& boxes, std::uint32_t rank,
                const Theme& theme, const Fonts& fonts);

// "TMA load of B, 64 × 64 from B[64][128], to stage 1: 8,192 bytes, 1,024 of them zeros from
// outside B"; empty if no box is issued at this instant.
QString describeLoomBox(const Scene& scene);

}  // namespace tileloom
