// SPDX-License-Identifier: GPL-3.0-or-later
// The trace report as JSON. Keys are stable: see "schema".
#include <nlohmann/json.hpp>

#include "app/commands/common/stage_text.h"
#include "app/commands/report/faults_json.h"
#include "app/commands/report/trace_report.h"

namespace tileloom::app {
namespace {

Json linesJson(const TraceReport& r) {
  Json list = Json::array();
  for (const analysis::LineCost& line : r.lines) {
    list.push_back({{"line", line.line},
                    {"kind", emulator::kindRow(line.kind).key},
                    {"array", line.array},
                    {"width_bytes", line.width},
                    {"executions", line.executions + line.executionsOff},
                    {"executions_predicated_off", line.executionsOff},
                    {"wavefronts", line.wavefronts},
                    {"conflicts", line.conflicts},
                    {"sectors", line.sectors},
                    {"text", sourceLine(*r.query.rung(), line.line)}});
  }
  return list;
}

}  // namespace

Json traceJson(const TraceReport& r) {
  const Stage& stage = *r.query.rung();
  Json block = extentJson(r.lineBlock);
  block["threads"] = r.threads;
  block["warps"] = r.warps;
  block["shared_bytes"] = r.sharedBytes;
  return {{"schema", "tileloom.trace/1"},
          {"stage", stage.id},
          {"ladder", keyOf(stage.ladder)},
          {"arithmetic", rowOf(r.query.format).name},
          {"rung", stage.rung},
          {"literature", stage.literature},
          {"tile", tileJson(stage, r.query.tile)},
          {"size", problemJson(r.query.size)},
          {"padded", problemJson(r.padding.buffers)},
          {"multiplied", problemJson(r.padding.multiplied)},
          {"padding", paddingJson(r.padding)},
          {"grid", extentJson(r.launch.grid)},
          {"block", std::move(block)},  // x and y: the one that "lines" is of
          {"launch",
           {{"sms", r.sms},
            {"blocks", r.blocks},
            {"tiles_cut_along_k", r.cut.tiles},
            {"parts_of_these", r.cut.parts},
            {"blocks_that_share_the_tile", r.partsOfLineTile}}},
          {"scope", r.query.block ? "block" : "grid"},
          {"totals", toJson(r.totals)},
          {"reuse",
           {{"fmas_per_shared_load", r.reuse.fmasPerSharedLoad},
            {"shared_floats_per_result", r.reuse.sharedFloatsPerResult},
            {"global_floats_per_result", r.reuse.globalFloatsPerResult},
            {"useful_fraction", r.reuse.usefulFraction}}},
          {"lines_k_tiles", {{"traced", r.kTilesTraced}, {"total", r.kTilesInAll}}},
          {"lines", linesJson(r)},
          {"fault_count", r.faults.total},
          {"faults", faultsJson(r.faults)}};
}

}  // namespace tileloom::app
