// SPDX-License-Identifier: GPL-3.0-or-later
// The report of `tileloom trace` on one launch, as a value, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/common/json.h"
#include "kernels/analysis/counts/line_costs.h"
#include "kernels/analysis/counts/partial_sums.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom::app {

struct TraceQuery : Subject {
  Problem size;
  std::optional<Extent> block;                // blockIdx; std::nullopt: the whole grid counts
  int kTiles = 2;                             // that the table by lines covers, at least 1
  Architecture arch = defaultArchitecture();  // of the GPU that the report is about
};

struct TraceReport {
  TraceQuery query;
  Padding padding;
  Launch launch;
  Extent lineBlock{0, 0};     // the block that the table by lines is of
  std::uint32_t threads = 0;  // per block
  std::uint32_t warps = 0;
  std::uint32_t sharedBytes = 0;
  std::uint32_t kTilesTraced = 0;
  std::uint32_t kTilesInAll = 0;
  std::int64_t blocks = 0;  // that are launched: persistent ones compute several tiles; a part of a
                            // split tile is a block
  int sms = kUsualSms;      // of the GPU that the report is about
  analysis::CutTiles cut;   // tiles of the last wave that are split along K
  int partsOfLineTile = 1;  // blocks that share the tile of lineBlock
  analysis::Totals totals;  // of the whole launch, or of query.block over all of K
  // Issued in addition if the main loop is rewritten, for a stage with a rewriter.
  analysis::Totals offIfRewritten;
  analysis::Reuse reuse;
  std::vector<analysis::LineCost> lines;
  emulator::FaultLog faults;  // of the traced K tiles of the first and the last block that count

  // What its grid consists of: "block", or "block tile" if a tile is not a block of its own.
  std::string_view blockWord() const {
    return query.rung()->features().persistent || cut.tiles > 0 ? "block tile" : "block";
  }
};

// The error is one sentence: an illegal tile, an impossible size or block, or more K tiles than fit
// into memory.
tl::expected<TraceReport, std::string> traceReport(const TraceQuery& query);

std::string traceText(const TraceReport& report);
Json traceJson(const TraceReport& report);  // "tileloom.trace/1"

// A line for each fault that was kept, and one that counts the rest.
std::vector<std::string> faultLines(const emulator::FaultLog& faults);

}  // namespace tileloom::app
