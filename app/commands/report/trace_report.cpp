// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/trace_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/residency.h"

namespace tileloom::app {
namespace {

// A recording is held in memory as a whole, so that its size is limited.
constexpr std::size_t kMostTraceBytes = std::size_t{200} << 20;

emulator::TraceRequest requestFor(const TraceQuery& query) {
  emulator::TraceRequest request;
  request.subject() = query;
  request.problem = query.size;
  request.block = query.block.value_or(Extent{0, 0});
  request.operands = false;  // counts need no factors
  return request;
}

// The most K tiles whose recording stays within kMostTraceBytes, estimated from the second one.
std::uint32_t mostKTiles(emulator::Workspace& workspace, emulator::TraceRequest request) {
  request.kTiles = 1;
  const std::size_t one = emulator::traceBlock(workspace, request).memory();
  request.kTiles = 2;
  const std::size_t two = emulator::traceBlock(workspace, request).memory();
  const std::size_t each = two > one ? two - one : std::max<std::size_t>(one, 1);
  return static_cast<std::uint32_t>(std::max<std::size_t>(kMostTraceBytes / each, 2));
}

}  // namespace

tl::expected<TraceReport, std::string> traceReport(const TraceQuery& query) {
  emulator::TraceRequest request = requestFor(query);
  if (const std::string reason = whyNotTraceable(request); !reason.empty()) {
    return tl::unexpected(fmt::format("{} cannot be traced: {}", query.rung()->id, reason));
  }
  emulator::Workspace workspace;
  const auto wanted = static_cast<std::uint32_t>(query.kTiles);
  if (wanted > 2) {
    const std::uint32_t most = mostKTiles(workspace, request);
    const Problem padded = paddedProblem(*query.rung(), query.tile, query.size);
    const std::uint32_t step =
        static_cast<std::uint32_t>(std::max(1, derive(*query.rung(), query.tile).stepK));
    const std::uint32_t inAll = (static_cast<std::uint32_t>(padded.k) + step - 1) / step;
    if (std::min(wanted, inAll) > most) {
      return tl::unexpected(fmt::format(
          "{} K tiles of {} would need too much memory for the table by lines: choose at most {}",
          std::min(wanted, inAll), query.rung()->id, most));
    }
  }

  TraceReport report;
  report.query = query;
  report.padding = paddingOf(*query.rung(), query.tile, query.size);
  report.launch = launchOf(*query.rung(), query.tile, report.padding.buffers);
  const Extent resident =
      residentLaunch(*query.rung(), query.tile, report.padding.buffers, report.sms).grid;
  report.blocks = std::int64_t{resident.x} * resident.y;
  report.cut = analysis::cutTilesOf(*query.rung(), query.tile, report.padding.buffers, report.sms);
  report.lineBlock = request.block;
  report.partsOfLineTile = analysis::partsOfTile(*query.rung(), query.tile, report.padding.buffers,
                                                 request.block, report.sms);
  request.kTiles = wanted;
  {
    const emulator::Trace trace = emulator::traceBlock(workspace, request);
    report.threads = trace.threads;
    report.warps = trace.warps;
    report.sharedBytes = trace.sharedBytes;
    report.kTilesTraced = trace.kTilesTraced;
    report.kTilesInAll = trace.kTiles;
    report.lines = analysis::lineCosts(trace);
    for (analysis::LineCost& line : analysis::asyncLineCosts(trace))
      report.lines.push_back(std::move(line));
    std::ranges::stable_sort(report.lines, {}, &analysis::LineCost::line);
    report.faults = trace.faults;
  }
  const Extent last{report.launch.grid.x - 1, report.launch.grid.y - 1};
  if (!query.block && last != request.block) {
    // Wrong accesses are most likely at the edges of the problem.
    request.block = last;
    const emulator::FaultLog more = emulator::traceBlock(workspace, request).faults;
    for (const emulator::Fault& fault : more.kept) report.faults.add(fault);
    report.faults.total += more.total - more.kept.size();
    request.block = report.lineBlock;
  }
  request.kTiles = 0;
  report.totals = query.block ? analysis::wholeBlockTotals(workspace, request)
                              : analysis::gridTotals(workspace, request);
  if (!query.block) report.offIfRewritten = analysis::predicatedOffByRewriting(workspace, request);
  report.reuse = analysis::reuse(
      report.totals, analysis::resultsOf(*query.rung(), query.tile, query.size, query.block));
  return report;
}

std::vector<std::string> faultLines(const emulator::FaultLog& faults) {
  std::vector<std::string> lines;
  for (const emulator::Fault& fault : faults.kept) lines.push_back(describe(fault));
  if (faults.total > faults.kept.size()) {
    lines.push_back(fmt::format("{} more faults like these", faults.total - faults.kept.size()));
  }
  return lines;
}

}  // namespace tileloom::app
