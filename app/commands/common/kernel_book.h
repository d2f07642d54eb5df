// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what is known about the kernels of tiles: compiled on this machine, or from recorded runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/model/prediction/costs.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/tile_map.h"

namespace tileloom::app {

// Says that not even one block of the tile fits on an SM with these registers per thread, and what
// would make one fit; a sentence without a full stop.
std::string noBlockText(const Stage& stage, const TileShape& tile, int registers,
                        const Architecture& arch);

class KernelBook {
 public:
  // Also reads the user's own runs. A file of them that cannot be read counts as empty.
  KernelBook(const Architecture& arch, bool useCache);

  // From a recorded run of the present source if this compiler made it or there is no compiler,
  // else compiled, which takes 100 to 500 ms unless it is cached. The error is the sentence that
  // `tileloom predict` prints.
  Result<model::KernelFacts> facts(const Subject& subject) const;

  // The latest run of exactly this launch with the present source: a shipped one on `device`, or
  // the user's own on any device of the architecture. A run with counters is preferred. nullptr:
  // there is none.
  const runs::RunRecord* run(const Subject& subject, const Problem& problem,
                             std::string_view device) const;

  // The fastest tile of the stage at this size on `device` among the shipped runs and the user's
  // own. std::nullopt: there is none.
  std::optional<tuning::Fastest> fastest(const Stage& stage, const Problem& problem,
                                         std::string_view device, Format format) const;

 private:
  const runs::RunRecord* recordedKernel(const Subject& subject) const;

  Architecture arch_;
  Result<std::shared_ptr<const gpu::Nvrtc>> nvrtc_;
  std::optional<gpu::BuildCache> cache_;
  std::vector<runs::RunRecord> own_;
};

}  // namespace tileloom::app
