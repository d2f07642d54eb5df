// SPDX-License-Identifier: GPL-3.0-or-later
// What the loom shows of one instant beside its geometry: read off the recording once, not at every
// repaint.
#pragma once

#include <QImage>
#include <QString>
#include <optional>

#include "kernels/analysis/fragments.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

struct LoomContents {
  QImage ownership;                               // see ownershipImage()
  QImage missingA, missingB;                      // see missingImage()
  QString operands;                               // what the warp reads at this dot index, in words
  std::optional<analysis::OuterProduct> product;  // of the shown thread
};

// One pixel an element of the block's tile of C: warp as hue, lane as shade, other warps held back.
QImage ownershipImage(const Scene& scene, const Theme& theme);

// `before`, if given, is of `old`, with the same theme: what is still true of it is kept.
LoomContents loomContents(const Scene& scene, const Theme& theme,
                          const LoomContents* before = nullptr, const Scene* old = nullptr);

}  // namespace tileloom
