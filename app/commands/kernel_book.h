// SPDX-License-Identifier: GPL-3.0-or-later
// What is known about the kernels of tiles on this machine: compiled here, or as a recorded run had
// them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/build_cache.h"
#include "kernels/gpu/nvrtc.h"
#include "kernels/model/costs.h"
#include "kernels/runs/run_record.h"
#include "kernels/tuning/tile_map.h"

namespace tileloom::app {

// That not even one block of the tile, with so many registers per thread, fits on an SM, and what
// would make one fit; a sentence without a full stop.
std::string noBlockText(const Stage& stage, const TileShape& tile, int registers,
                        const Architecture& arch);

class KernelBook {
 public:
  // Reads the person's own runs, too. A file of them that cannot be read counts as empty.
  KernelBook(const Architecture& arch, bool useCache);

  // From a recorded run of the present source if this compiler made it or there is no compiler,
  // else compiled: 100 to 500 ms, or none from the cache. The error is a sentence as `tileloom
  // predict` says it. Here and below an arithmetic is one of the stage's, std::nullopt its usual
  // one.
  Result<model::KernelFacts> facts(const Stage& stage, const TileShape& tile,
                                   std::optional<Arithmetic> arithmetic = {}) const;

  // The latest run of the present source of this very launch: a shipped one on `device`, or the
  // person's own on any device of the architecture. One with counters comes before one without.
  // nullptr: there is none.
  const runs::RunRecord* run(const Stage& stage, const TileShape& tile, const Problem& problem,
                             std::string_view device,
                             std::optional<Arithmetic> arithmetic = {}) const;

  // The fastest tile of the stage at this size on `device` among the shipped runs and the person's
  // own. std::nullopt: there is none.
  std::optional<tuning::Fastest> fastest(const Stage& stage, const Problem& problem,
                                         std::string_view device,
                                         std::optional<Arithmetic> arithmetic = {}) const;

 private:
  const runs::RunRecord* recordedKernel(const Stage& stage, const TileShape& tile,
                                        Arithmetic arithmetic) const;

  Architecture arch_;
  Result<std::shared_ptr<const gpu::Nvrtc>> nvrtc_;
  std::optional<gpu::BuildCache> cache_;
  std::vector<runs::RunRecord> own_;
};

}  // namespace tileloom::app
