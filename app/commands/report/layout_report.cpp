// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/layout_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/common/parse.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/analysis/memory/copy_cost.h"

namespace tileloom::app {
namespace {

using analysis::ArrayLayout;
using analysis::LayoutCost;
using analysis::LayoutForm;
using analysis::LayoutLine;
using analysis::SharedCount;
using emulator::Kind;
using Part = LayoutCost::Part;

std::string blocksText(const LayoutReport& r, std::uint32_t bytes) {
  return fmt::format("{}{}", r.registers ? "" : "<= ", r.blocks(bytes));
}

std::string explained(const ArrayLayout& layout, const LayoutReport::Array& a) {
  if (layout.form != LayoutForm::Swizzled) return layoutText(layout);
  const std::uint32_t chunk = 1u << layout.swizzle.base;
  return fmt::format("{} (chunks of {}, their number XORed with {}{})", layoutText(layout),
                     counted(chunk, "word"), swizzleSource(layout.swizzle, a.shape),
                     a.parts > 1 ? fmt::format("; CuTe's {}, which counts elements",
                                               cuteText(layout.swizzle, a.parts))
                                 : "");
}

std::string bestText(const LayoutReport::Array& a) {
  const auto sentence = [&](const char* what, const std::optional<ArrayLayout>& best) {
    if (!best) return fmt::format("No {} takes fewer wavefronts than plain rows.\n", what);
    for (const LayoutCost& cost : a.layouts) {
      if (!(cost.layout == *best)) continue;
      const SharedCount sum = cost.sum(true);
      return fmt::format("The best {} is {}: {} wavefronts, {} of them by bank conflicts.\n", what,
                         explained(*best, a), grouped(sum.wavefronts), grouped(sum.conflicts));
    }
    return std::string();
  };
  return sentence("padding", a.best.padding) + sentence("swizzle", a.best.swizzle);
}

std::string layoutTable(const LayoutReport& r, const LayoutReport::Array& a) {
  Table table({{a.name, Align::Left},
               {"stores"},
               {"loads"},
               {"all arrays"},
               {"by conflicts"},
               {"shared bytes"},
               {"blocks per SM"},
               {"", Align::Left}});
  for (const LayoutCost& cost : a.layouts) {
    const std::string name = layoutText(cost.layout);
    if (!cost.possible()) {
      table.add({name, "-", "-", "-", "-", grouped(cost.bytes), "-",
                 cost.whyNot.substr(cost.whyNot.find(' ') + 1)});
      continue;
    }
    const auto of = [&](Part part) { return grouped(cost.sum(true, part, a.index).wavefronts); };
    const SharedCount sum = cost.sum(true);
    const bool best = cost.layout == a.best.padding || cost.layout == a.best.swizzle;
    table.add({name, of(Part::Stores), of(Part::Loads), grouped(sum.wavefronts),
               grouped(sum.conflicts), grouped(cost.bytes), blocksText(r, cost.bytes),
               best ? cost.layout.form == LayoutForm::Padded ? "<- best padding" : "<- best swizzle"
                    : ""});
  }
  return table.text();
}

std::string lineTable(const LayoutReport& r, const LayoutReport::Array& a, const LayoutCost& cost) {
  Table table({{"line"},
               {"access", Align::Left},
               {"of", Align::Left},
               {"bits"},
               {"executed"},
               {"wavefronts"},
               {"by conflicts"},
               {"then"},
               {"by conflicts"},
               {"source", Align::Left}});
  for (const LayoutLine& l : cost.linesAbout(a.index)) {
    table.add({std::to_string(l.line), emulator::kindRow(l.kind).ofShared, r.names[l.array],
               std::to_string(32 * l.width), grouped(l.before.accesses),
               grouped(l.before.wavefronts), grouped(l.before.conflicts),
               l.possible ? grouped(l.after.wavefronts) : "split",
               l.possible ? grouped(l.after.conflicts) : "-", shortSourceLine(*r.rung(), l.line)});
  }
  return table.text();
}

Json countJson(const SharedCount& c) {
  return {{"accesses", c.accesses}, {"wavefronts", c.wavefronts}, {"conflicts", c.conflicts}};
}

Json costJson(const LayoutReport& r, const LayoutReport::Array& a, const LayoutCost& cost) {
  const bool possible = cost.possible();
  Json lines = Json::array();
  for (const LayoutLine& l : cost.lines) {
    lines.push_back({{"line", l.line},
                     {"access", emulator::kindRow(l.kind).ofShared},
                     {"array", r.names[l.array]},
                     {"bits", 32 * l.width},
                     {"before", countJson(l.before)},
                     {"after", l.possible ? countJson(l.after) : Json(nullptr)}});
  }
  const auto sum = [&](Part part, std::optional<std::uint32_t> array) {
    return possible ? countJson(cost.sum(true, part, array)) : Json(nullptr);
  };
  return {{"layout", layoutText(cost.layout)},
          {"cute", cost.layout.form == LayoutForm::Swizzled
                       ? Json(cuteText(cost.layout.swizzle, a.parts))
                       : Json(nullptr)},
          {"possible", possible},
          {"why_not", possible ? Json(nullptr) : Json(cost.whyNot)},
          {"stores", sum(Part::Stores, a.index)},
          {"loads", sum(Part::Loads, a.index)},
          {"all_arrays", sum(Part::All, std::nullopt)},
          {"shared_bytes", cost.bytes},
          {"blocks_per_sm", possible ? Json(r.blocks(cost.bytes)) : Json(nullptr)},
          {"lines", std::move(lines)}};
}

}  // namespace

int LayoutReport::blocks(std::uint32_t sharedBytes) const {
  return analysis::occupancy(
             arch, {threads, registers.value_or(leastRegisters), static_cast<int>(sharedBytes)})
      .blocks;
}

std::string layoutReportText(const LayoutReport& r) {
  std::string text = fmt::format(
      "{}\n\n"
      "  {}\n\n"
      "Cost of one K tile of block 0,0 in shared memory: wavefronts of the recorded accesses\n"
      "with other addresses. Calculated, without the index arithmetic of a swizzle.\n",
      stageHeading(*r.rung()), tileText(*r.rung(), r.tile));
  for (const LayoutReport::Array& a : r.arrays) {
    if (!a.whyNot.empty()) {
      text += fmt::format("\n{}: other layouts cannot be computed: {}.\n", a.name, a.whyNot);
      continue;
    }
    const std::string recorded = a.shape.inRows() ? fmt::format("{} from one row to the next",
                                                                counted(a.shape.pitch, "word"))
                                                  : "recorded in another order than plain rows";
    text += fmt::format("\n{}: {} of {}{}, {}\n\n{}\n{}", a.name, counted(a.shape.rows, "row"),
                        counted(a.shape.length, "word"),
                        a.parts > 2   ? fmt::format(" of {} elements", a.parts)
                        : a.parts > 1 ? std::string(" of two elements")
                                      : std::string(),
                        recorded, layoutTable(r, a), bestText(a));
    if (!a.layouts.empty() &&
        std::ranges::any_of(a.layouts.front().linesAbout(a.index), [](const LayoutLine& l) {
          return l.kind == emulator::Kind::AsyncCopy && l.before.conflicts > 0;
        }))
      text += fmt::format("{}\n", analysis::kCopyConflicts);
    if (!a.chosen) continue;
    text += fmt::format("\n{} as {}\n\n{}", a.name, explained(a.chosen->layout, a),
                        lineTable(r, a, *a.chosen));
    if (!a.chosen->possible()) text += fmt::format("\nNot possible: {}.\n", a.chosen->whyNot);
  }
  return text;
}

Json layoutReportJson(const LayoutReport& r) {
  Json arrays = Json::array();
  for (const LayoutReport::Array& a : r.arrays) {
    const auto name = [](const std::optional<ArrayLayout>& layout) {
      return layout ? Json(layoutText(*layout)) : Json(nullptr);
    };
    Json layouts = Json::array();
    for (const LayoutCost& cost : a.layouts) layouts.push_back(costJson(r, a, cost));
    const bool known = a.whyNot.empty();
    arrays.push_back({{"name", a.name},
                      {"why_not", known ? Json(nullptr) : Json(a.whyNot)},
                      {"rows", a.shape.rows},
                      {"row_words", a.shape.length},
                      {"pitch_words", a.shape.pitch},
                      {"elements_per_word", a.parts},
                      {"recorded_in_rows", a.shape.inRows()},
                      {"best_padding", name(a.best.padding)},
                      {"best_swizzle", name(a.best.swizzle)},
                      {"layouts", std::move(layouts)},
                      {"chosen", a.chosen ? costJson(r, a, *a.chosen) : Json(nullptr)}});
  }
  return {{"schema", "tileloom.layout/1"},
          {"stage", r.rung()->id},
          {"rung", r.rung()->rung},
          {"tile", tileJson(*r.rung(), r.tile)},
          {"size", problemJson(r.size)},
          {"arch", r.arch.name},
          {"block", extentJson({0, 0})},
          {"k_tile", 0},
          {"calculated", true},
          {"registers", r.registers ? Json(*r.registers) : Json(nullptr)},
          {"arrays", std::move(arrays)}};
}

}  // namespace tileloom::app
