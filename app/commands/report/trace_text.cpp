// SPDX-License-Identifier: GPL-3.0-or-later
// The trace report as text: one page of a terminal, to fit on a slide.
#include <fmt/format.h>

#include "app/commands/common/parse.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "app/commands/report/trace_report.h"
#include "kernels/analysis/memory/copy_cost.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/k_tile_words.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using analysis::LineCost;
using analysis::Totals;
using emulator::Kind;

std::string number(std::int64_t value) {
  return grouped(static_cast<std::uint64_t>(value));
}

// 6150.25 -> "6,150.25"
std::string hundredths(double value) {
  const auto all = static_cast<std::uint64_t>(100 * value + 0.5);
  return fmt::format("{}.{:02}", grouped(all / 100), all % 100);
}

std::string ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? "-" : hundredths(static_cast<double>(a) / static_cast<double>(b));
}

std::string sizeText(const Problem& p) {
  return fmt::format("{} x {} x {}", number(p.m), number(p.n), number(p.k));
}

std::string heading(const TraceReport& r) {
  const Stage& stage = *r.query.rung();
  Table table({{"", Align::Left}, {"", Align::Left}});
  table.add({"tile", tileText(stage, r.query.tile)});
  if (stage.ladder != Ladder::Fp32)
    table.add({"elements", std::string(rowOf(r.query.format).words)});
  table.add({"size", sizeText(r.query.size) + "  (M x N x K)"});
  const Padding& padding = r.padding;
  if (!padding.whyBuffers.empty())
    table.add({"padded", fmt::format("{}: {}", sizeText(padding.buffers), padding.whyBuffers)});
  if (!padding.whyMultiplied.empty()) {
    table.add(
        {"multiplied", fmt::format("{}: {}", sizeText(padding.multiplied), padding.whyMultiplied)});
  }
  const Extent& grid = r.launch.grid;
  table.add(
      {"grid", fmt::format("{} x {} = {}, blockIdx.x along {} of C", number(grid.x), number(grid.y),
                           counted(std::int64_t{grid.x} * grid.y, r.blockWord()),
                           stage.rowsAlongX ? "the rows" : "the columns") +
                   (stage.has(Parameter::GROUP)
                        ? fmt::format(", rasterised down {}",
                                      counted(r.query.tile[Parameter::GROUP], "row"))
                        : "")});
  if (r.cut.tiles > 0) {
    table.add({"launch",
               fmt::format("{} on {}: {} of the last wave {} split along K into {} parts (split-K)",
                           counted(r.blocks, "block"), usualSmsText(r.query.arch),
                           counted(r.cut.tiles, "tile"), r.cut.tiles == 1 ? "is" : "are",
                           grouped(r.cut.parts))});
  } else if (r.blocks != std::int64_t{grid.x} * grid.y) {
    table.add({"launch", fmt::format("{} on {}, persistent: each computes several block tiles",
                                     counted(r.blocks, "block"), usualSmsText(r.query.arch))});
  }
  table.add({"block", fmt::format("{} in {}, {} of shared memory", counted(r.threads, "thread"),
                                  counted(r.warps, "warp"), counted(r.sharedBytes, "byte"))});
  return fmt::format("{}\n{}\n\n{}", stageHeading(stage), stage.idea, table.text());
}

std::string sharedTable(const Totals& t) {
  Table table({{"shared memory", Align::Left},
               {"instructions"},
               {"wavefronts"},
               {"conflicts"},
               {"wavefronts/access"},
               {"conflicts/access"}});
  // Instructions whose lanes are all predicated off access nothing.
  const auto add = [&](const char* label, std::uint64_t n, std::uint64_t w, std::uint64_t c,
                       std::uint64_t off = 0) {
    table.add({label, grouped(n), grouped(w), grouped(c), ratio(w, n - off), ratio(c, n - off)});
  };
  if (t.sharedLoadInstructions + t.sharedStoreInstructions > 0) {
    add("loads", t.sharedLoadInstructions, t.sharedLoadWavefronts, t.sharedLoadConflicts);
    add("stores", t.sharedStoreInstructions, t.sharedStoreWavefronts, t.sharedStoreConflicts);
  }
  if (t.asyncInstructions > 0)
    add("async copies", t.asyncInstructions, t.asyncWavefronts, t.asyncConflicts,
        t.asyncInstructionsOff);
  if (t.productInstructions > 0)
    add("operands", t.productInstructions, t.productWavefronts, t.productConflicts);
  if (t.matrixLoadInstructions > 0)
    add("matrix loads", t.matrixLoadInstructions, t.matrixLoadWavefronts, t.matrixLoadConflicts);
  if (t.matrixStoreInstructions > 0)
    add("matrix stores", t.matrixStoreInstructions, t.matrixStoreWavefronts,
        t.matrixStoreConflicts);
  std::string text = table.text();
  if (t.asyncConflicts > 0) text += fmt::format("{}\n", analysis::kCopyConflicts);
  return fmt::format("{}{}\n", text, runs::kArbitration);
}

// Counts of instructions that are issued with all lanes predicated off; empty if there are none.
std::string predicatedOffText(const TraceReport& r) {
  std::string text;
  if (r.totals.asyncInstructionsOff > 0) {
    text += fmt::format(
        "{} of the async copies are issued with all lanes predicated off, beyond the end of K:\n"
        "an instruction each, and no request.\n",
        grouped(r.totals.asyncInstructionsOff));
  }
  if (const Totals& off = r.offIfRewritten;
      off.asyncInstructions + off.sharedStoreInstructions > 0) {
    text += fmt::format(
        "A rewritten main loop also issues {} async copies and {} shared stores with all lanes\n"
        "predicated off: those for a K tile beyond each block's last one.\n",
        grouped(off.asyncInstructions), grouped(off.sharedStoreInstructions));
  }
  return text.empty() ? text : text + "\n";
}

std::string globalTable(const Totals& t) {
  Table table({{"global memory", Align::Left}, {"requests"}, {"sectors"}, {"sectors/request"}});
  const auto add = [&](const char* label, std::uint64_t n, std::uint64_t s) {
    table.add({label, grouped(n), grouped(s), ratio(s, n)});
  };
  add("loads", t.globalLoadRequests, t.globalLoadSectors);
  if (t.asyncInstructions > 0) add("async copies", t.asyncRequests(), t.asyncSectors);
  if (t.boxInstructions > 0) add("TMA loads", t.boxInstructions, t.boxSectors);
  if (t.boxStoreInstructions > 0) add("TMA stores", t.boxStoreInstructions, t.boxStoreSectors);
  add("stores", t.globalStoreRequests, t.globalStoreSectors);
  std::string text = table.text();
  if (t.boxInstructions > 0)
    text += fmt::format(
        "The sectors of TMA loads are those that they touch. The hardware counts what they read "
        "from L2:\n"
        "{} bytes in packets (rules 64 and 71 of docs/hardware.md).\n",
        grouped(t.boxBytes));
  return text;
}

// What an element of A, B or C is called.
const char* elementWord(const TraceReport& r) {
  return r.query.rung()->ladder == Ladder::Fp32 ? "floats" : "elements";
}

std::string reuseTable(const TraceReport& r) {
  Table table({{"", Align::Right}, {"", Align::Left}});
  if (r.totals.productInstructions > 0) {
    table.add({grouped(r.totals.productInstructions),
               fmt::format("wgmma instructions, counted per warp, {} multiply-adds each",
                           grouped(r.totals.productMultiplyAdds / r.totals.productInstructions))});
  } else if (r.totals.tensorInstructions > 0) {
    table.add({grouped(r.totals.tensorInstructions),
               fmt::format("mma instructions, {} multiply-adds each",
                           grouped(r.totals.warpMultiplyAdds / r.totals.tensorInstructions))});
  } else {
    table.add(
        {grouped(r.totals.ffmaThreadInstructions), "multiply-adds (FFMA, thread instructions)"});
  }
  if (r.reuse.fmasPerSharedLoad > 0) {
    table.add(
        {hundredths(r.reuse.fmasPerSharedLoad), "multiply-adds of a thread per shared load of it"});
  }
  if (r.reuse.sharedFloatsPerResult > 0) {
    table.add({hundredths(r.reuse.sharedFloatsPerResult),
               fmt::format("{} read from shared memory per element of C", elementWord(r))});
  }
  table.add({hundredths(r.reuse.globalFloatsPerResult),
             fmt::format("{} read from global memory per element of C", elementWord(r))});
  table.add(
      {percentText(r.reuse.usefulFraction), "of the bytes in the sectors moved were requested"});
  return table.text();
}

std::string lineTable(const TraceReport& r) {
  Table table({{"line"},
               {"access", Align::Left},
               {"of", Align::Left},
               {"bits"},
               {"executed"},
               {"wavefronts"},
               {"conflicts"},
               {"sectors"},
               {"source", Align::Left}});
  int shownLine = 0;  // several accesses of one line share its text
  for (const LineCost& line : r.lines) {
    const bool shared = emulator::isShared(line.kind) || line.kind == Kind::Product;
    table.add({std::to_string(line.line), emulator::kindRow(line.kind).report, line.array,
               line.width == 0 ? "-" : std::to_string(8 * line.width),
               grouped(line.executions + line.executionsOff),
               shared ? grouped(line.wavefronts) : "-", shared ? grouped(line.conflicts) : "-",
               shared && line.kind != Kind::AsyncCopy ? "-" : grouped(line.sectors),
               line.line == shownLine ? "" : shortSourceLine(*r.query.rung(), line.line)});
    shownLine = line.line;
  }
  std::string text = table.text();
  if (r.totals.boxInstructions > 0)
    text +=
        "\nTMA also writes shared memory, and reads it to store C. In how many wavefronts is not "
        "known, so none are counted.\n";
  return text;
}

// For a tile that several blocks share; empty: one block computes it.
std::string cutText(const TraceReport& r) {
  if (r.partsOfLineTile < 2) return {};
  return fmt::format(
      "These counts are of a block that computes the whole tile. In this launch {} blocks share it "
      "along K:\n"
      "each has a part of the K tiles, and they pass on partial sums, which the totals of the "
      "whole launch count.\n\n",
      r.partsOfLineTile);
}

}  // namespace

std::string traceText(const TraceReport& r) {
  const std::string scope = r.query.block ? fmt::format("{} {},{} over all of K", r.blockWord(),
                                                        r.query.block->x, r.query.block->y)
                                          : "the whole launch";
  std::string text = heading(r);
  text += fmt::format("\nTotals of {}, as the hardware counts them\n\n", scope);
  if (r.query.block) text += cutText(r);
  if (r.totals.sharedWavefronts() > 0) {
    text += sharedTable(r.totals) + "\n";
  }
  text += globalTable(r.totals) + "\n" + predicatedOffText(r) + reuseTable(r);
  const std::string part = r.kTilesTraced == r.kTilesInAll
                               ? r.kTilesInAll == 1 ? std::string("its only K tile")
                                                    : fmt::format("all {} K tiles", r.kTilesInAll)
                               : fmt::format("its first {} of {} K tiles and its epilogue",
                                             r.kTilesTraced, r.kTilesInAll);
  text += fmt::format("\nBy line of {}, {} {},{}: {}\n\n", r.query.rung()->file, r.blockWord(),
                      r.lineBlock.x, r.lineBlock.y, part);
  if (!r.query.block) text += cutText(r);
  text += lineTable(r);
  if (const std::string remark = kTileRemark(*r.query.rung(), r.query.tile); !remark.empty())
    text += "\n" + remark + "\n";
  if (!r.faults.empty()) {
    text += fmt::format("\n{} found while tracing: see standard error.\n",
                        counted(r.faults.total, "fault"));
  }
  return text;
}

}  // namespace tileloom::app
