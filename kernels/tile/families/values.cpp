// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of derived.h, by family.
#include <algorithm>

#include "kernels/tile/architecture.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/families/family.h"

namespace tileloom {

Derived derive(const Stage& stage, const TileShape& tile) {
  return familyOf(stage).derive(stage, tile);
}

int launchedRegisters(const Stage& stage, const TileShape& tile) {
  int warps = std::max(1, derive(stage, tile).warps);
  const auto plannedWarps = familyOf(stage).plannedWarps;
  if (plannedWarps != nullptr) warps = plannedWarps(stage, warps);
  return std::min(Architecture::kRegistersPerThread,
                  Architecture::kRegistersPerBlock / (32 * warps) / 8 * 8);
}

int expectedRegisters(const Stage& stage, const TileShape& tile) {
  const auto reallocates = familyOf(stage).reallocates;
  return reallocates != nullptr && reallocates(stage) ? launchedRegisters(stage, tile)
                                                      : derive(stage, tile).estimatedRegisters;
}

std::vector<NamedValue> shownValues(const Stage& stage, const TileShape& tile) {
  const Derived d = derive(stage, tile);
  const Features does = stage.features();
  std::vector<NamedValue> shown = {{"threads", d.threads, "per block"},
                                   {"warps", d.warps, "per block"}};
  if (const auto show = familyOf(stage).show; show != nullptr) show(stage, d, shown);
  shown.push_back({"results", d.results, "per thread"});
  if (!does.sharedTiles) return shown;
  shown.push_back({"shared", d.sharedBytes, "bytes"});
  if (d.buffers > 1) shown.push_back({"K tiles", d.buffers, "in shared memory"});
  if (does.tma) {
    shown.push_back({"boxes of A", d.loadsA, "per K tile"});
    shown.push_back({"boxes of B", d.loadsB, "per K tile"});
    return shown;
  }
  shown.push_back({"loads of A", d.loadsA, "per thread"});
  shown.push_back({"loads of B", d.loadsB, "per thread"});
  if (d.loadWidthA == d.loadWidthB) {
    shown.push_back({"load width", d.loadWidthB, "bytes"});
  } else {
    shown.push_back({"load width of A", d.loadWidthA, "bytes"});
    shown.push_back({"load width of B", d.loadWidthB, "bytes"});
  }
  return shown;
}

}  // namespace tileloom
