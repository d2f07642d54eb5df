// SPDX-License-Identifier: GPL-3.0-or-later
// What the loom shows of one instant besides its geometry: read from the recording once, not at
// every repaint.
#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "kernels/analysis/order/progress.h"
#include "kernels/analysis/tensor/fragments.h"
#include "kernels/analysis/tensor/group_product.h"
#include "kernels/analysis/tensor/warp_product.h"
#include "viz/base/scene.h"

namespace tileloom {

struct LoomContents {
  // Where the data are and what the sums hold, at this instant. Shared with the contents of the
  // next instant, which advance it: only the latest contents may be painted.
  std::shared_ptr<analysis::Progress> progress;
  int slabs = 1;     // K tiles in flight or in use, see tilesUnderWay()
  QString operands;  // what the warp reads at this k, in words
  std::optional<analysis::OuterProduct> product;  // of the shown thread
  // Of the watched warp, on mma rungs.
  std::optional<analysis::WarpProduct> warpProduct;
  // Of its warpgroup, on wgmma rungs.
  std::shared_ptr<const analysis::GroupProduct> groupProduct;
};

// `before`, if given, is of `old`: what is still true is reused.
LoomContents loomContents(const Scene& scene, const LoomContents* before = nullptr,
                          const Scene* old = nullptr);

}  // namespace tileloom
