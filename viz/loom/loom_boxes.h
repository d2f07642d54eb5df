// SPDX-License-Identifier: GPL-3.0-or-later
// The copy engine's boxes over A and B: where they stand in the loom, which part of them lies
// outside of the matrices and arrives as zeros, and which are on their way.
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "kernels/analysis/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_geometry.h"

class QPainter;

namespace tileloom {

struct LoomBox {
  analysis::Matrix matrix = analysis::Matrix::A;
  QRectF whole;
  QRectF inside;          // of the matrix; empty: nothing is
  bool onItsWay = false;  // asked for, and nobody has waited for it
  bool now = false;       // asked for at this very instant
  QString to;             // "stage 1", or the array where there is one stage
  // Blocks of the cluster that it comes to, by rank, where there are several; and the one that
  // asked for it, where that is not the shown one.
  std::vector<std::uint32_t> ranks;
  std::optional<std::uint32_t> from;
};

// Those of the K tiles that have slabs, as far as they have been asked for; none where whole
// matrices are shown or K tiles are passed over.
std::vector<LoomBox> loomBoxes(const Scene& scene, const analysis::Progress& progress,
                               const LoomGeometry& geometry);

// The part of a slab that lies in the matrix.
QRectF slabInside(const LoomGeometry& geometry, const Scene& scene, analysis::Matrix matrix,
                  int ahead);
// Makes the input's K tile and block tile as large as boxes fill them.
void roomForZeros(const Scene& scene, LoomInput& input);

// What the copy engine fills with zeros, hatched.
void paintZeros(QPainter& painter, const std::vector<LoomBox>& boxes, analysis::Matrix matrix,
                const Theme& theme, const Fonts& fonts);
// The outlines of boxes on their way: corners, so that they differ from frames of tiles. `rank`: of
// the shown block in its cluster.
void paintBoxes(QPainter& painter, const std::vector<LoomBox>& boxes, std::uint32_t rank,
                const Theme& theme, const Fonts& fonts);

// "box of B, 64 × 64 from B[64][128], to stage 1: 8,192 bytes, 1,024 of them zeros from outside";
// empty where no box is asked for at this instant.
QString describeLoomBox(const Scene& scene);

}  // namespace tileloom
