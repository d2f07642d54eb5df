// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom why` for a rung without a prediction: its lower bounds from the trace alone, and how
// far a measured run is above them.
#pragma once

#include <optional>
#include <string>

#include "app/commands/common/json.h"
#include "app/commands/common/kernel_book.h"
#include "app/commands/common/shared_options.h"
#include "kernels/model/why/limit.h"

namespace tileloom::app {

class FloorReport {
 public:
  // `book` outlives the report. An empty device means the reference device.
  FloorReport(const Stage& stage, Format format, const Problem& problem, const Target& target,
              const KernelBook& book);

  // For a legal tile that can be traced, and another one to compare it with.
  std::string text(const TileShape& tile, const std::optional<TileShape>& other) const;
  Json json(const TileShape& tile, const std::optional<TileShape>& other) const;

 private:
  struct Bounds {
    TileShape tile;
    model::Floors floors;
    std::optional<model::Limit> limit;
    std::string device;                    // whose rates are taken; empty: none are known
    const runs::RunRecord* run = nullptr;  // of this launch
    std::optional<double> cycles;          // that it took per K tile of a block on an SM
    double mmaGflops = 0;                  // that mma.sync alone reaches on its device; 0: unknown
  };
  Bounds boundsOf(const TileShape& tile) const;
  std::string subjectText(const Bounds& subject) const;
  Json subjectJson(const Bounds& subject) const;

  const Stage& stage_;
  Format format_;
  Problem problem_;
  Architecture arch_;
  std::string device_;
  const KernelBook& book_;
  std::vector<model::Ceilings> kept_;
};

}  // namespace tileloom::app
