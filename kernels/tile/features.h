// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel does with the hardware. A rung's family says it of the rung (Stage::features()); a
// recording says it of itself (Trace::features()).
#pragma once

namespace tileloom {

struct Features {
  bool sharedTiles = false;   // it keeps tiles in shared memory
  bool warpMma = false;       // mma.sync
  bool warpgroupMma = false;  // wgmma
  bool tma = false;           // TMA loads
  bool tmaStores = false;
  bool asyncCopies = false;  // cp.async
  bool roles = false;        // its warps have names: it is warp-specialised
  bool cluster = false;      // its blocks run in clusters
  bool persistent = false;   // its blocks compute several block tiles

  bool tensorCores() const { return warpMma || warpgroupMma; }
  bool operator==(const Features&) const = default;
};

}  // namespace tileloom
