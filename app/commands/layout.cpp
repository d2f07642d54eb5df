// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/kernel_book.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/report/layout_report.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/format.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {
namespace {

struct Options {
  StageOptions stage;
  std::string size = "1024";
  std::optional<std::string> array;
  std::optional<std::string> to;
  std::string arch{defaultArchitecture().name};
  bool noCache = false;
  bool json = false;
};

// The indices of the chosen arrays; the error names those that exist.
tl::expected<std::vector<std::uint32_t>, std::string> arraysOf(
    const emulator::Trace& trace, const std::optional<std::string>& name) {
  std::vector<std::uint32_t> all;
  std::vector<std::string> names;
  for (std::uint32_t i = emulator::kFirstShared; i < trace.arrays.size(); ++i) {
    all.push_back(i);
    names.push_back(trace.arrays[i].name);
    if (name == trace.arrays[i].name) return std::vector{i};
  }
  if (all.empty()) {
    return tl::unexpected(
        fmt::format("{} keeps nothing in shared memory: choose a rung from 3 on, such as padded",
                    trace.rung()->id));
  }
  if (!name) return all;
  return tl::unexpected(fmt::format("--array: {} has no shared array \"{}\": choose one of {}",
                                    trace.rung()->id, quotable(*name), fmt::join(names, ", ")));
}

// For a swizzle without a unit, if words and elements differ.
std::string unitRemark(const analysis::ArrayLayout& layout, std::uint32_t perWord) {
  const analysis::Swizzle& s = layout.swizzle;
  std::string text = fmt::format("{} counts words of 32 bits, which is {} to CuTe",
                                 layoutText(layout), cuteText(s, perWord));
  const auto elements =
      analysis::parseLayoutInUnits(fmt::format("{}:elements", layoutText(layout)), perWord);
  if (elements) {
    text += fmt::format("; for CuTe's {} write {}:elements, which is {} in words", cuteText(s, 1),
                        layoutText(layout), layoutText(elements->layout));
  }
  return text;
}

void run(const Options& options, Outcome& outcome) {
  const auto choice = chosenStage(options.stage, "layout");
  if (!choice) return outcome.fail(choice.error());
  const auto arch = architectureNamed(quotable(options.arch));
  if (!arch) return outcome.fail(arch.error());
  const auto size = parseSize(options.size);
  if (!size) return outcome.fail(size.error());
  std::optional<analysis::ArrayLayout> to;
  if (options.to) {
    const std::uint32_t perWord = rowOf(choice->format).elementsPerWord();
    const auto layout = analysis::parseLayoutInUnits(*options.to, perWord);
    if (!layout) return outcome.fail(fmt::format("--to: {}", layout.error()));
    to = layout->layout;
    if (to->form == analysis::LayoutForm::Swizzled && perWord > 1 && !layout->unitGiven)
      outcome.remarks.push_back(unitRemark(*to, perWord));
  }
  emulator::TraceRequest request{{*choice, *size}, {0, 0}, 2};
  request.operands = false;
  if (const std::string why = emulator::whyNotTraceable(request); !why.empty())
    return outcome.fail(why);

  emulator::Workspace workspace;
  const auto recording = analysis::record(workspace, request);
  const auto arrays = arraysOf(recording->trace, options.array);
  if (!arrays) return outcome.fail(arrays.error());
  const Derived d = derive(*choice->rung(), choice->tile);
  LayoutReport report{*choice,      *size,
                      *arch,        d.threads,
                      std::nullopt, expectedRegisters(*choice->rung(), choice->tile),
                      {},           {}};
  const KernelBook book(*arch, !options.noCache);
  if (const auto facts = book.facts(*choice)) report.registers = facts->registers;
  for (const auto& a : recording->trace.arrays) report.names.push_back(a.name);
  const analysis::SharedUse use = analysis::sharedUse(*recording, 0);
  for (const std::uint32_t index : *arrays) {
    LayoutReport::Array& a = report.arrays.emplace_back();
    a.index = index;
    a.name = recording->trace.arrays[index].name;
    a.parts = recording->trace.arrays[index].parts;
    const auto shape = analysis::arrayShape(recording->trace, index);
    if (!shape) {
      a.whyNot = shape.error();
      continue;
    }
    a.shape = *shape;
    a.best = analysis::bestLayouts(use, index, a.shape, *arch);
    for (const auto& layout : analysis::layoutsToShow(a.shape, a.best))
      a.layouts.push_back(analysis::layoutCost(use, index, a.shape, layout, *arch));
    if (to) a.chosen = analysis::layoutCost(use, index, a.shape, *to, *arch);
  }
  outcome.output = options.json ? jsonText(layoutReportJson(report)) : layoutReportText(report);
}

}  // namespace

void addLayoutCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "layout", "Count what shared arrays would cost with padded or swizzled rows; needs no GPU");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addSizeOption(command, options->size);
  command.addOption("--array", options->array, "One shared array only (all by default)")
      .typeName("As");
  command
      .addOption("--to", options->to,
                 "Show this layout line by line: recorded, plain, pad:P (words per row), "
                 "swizzle:B,M,S (in words) or swizzle:B,M,S:elements (as CuTe's Swizzle counts)")
      .typeName("LAYOUT");
  addArchOption(command, options->arch);
  addCacheOption(command, options->noCache);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
