// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/predict.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/kernel_book.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "app/commands/report/limit_json.h"
#include "app/commands/report/predict_sizes.h"
#include "kernels/analysis/counts/loop_cost.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/partial_sums.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/k_tile_words.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using model::KernelShape;
using model::Pipe;
using model::Prediction;
using model::Rates;

struct Options {
  StageOptions stage;
  std::string size = "4096";
  std::string sizes;  // "256:8192:128"; empty: one size
  TargetOptions target;
  bool noCache = false;
  bool json = false;
};

constexpr Pipe kPipeOrder[] = {Pipe::Issue, Pipe::Shared, Pipe::L2, Pipe::Dram};

// What is predicted, and for which chip.
struct Asked {
  Subject choice;
  Problem problem;
  Architecture arch;
};

// Compiled here if there is a compiler, else from a recorded run.
Result<KernelShape> kernelOf(const Asked& s, bool useCache) {
  const auto nvrtc = gpu::Nvrtc::load();
  if (nvrtc) {
    std::optional<gpu::BuildCache> cache;
    if (useCache) cache.emplace();
    const auto build = gpu::buildStage(**nvrtc, cache ? &*cache : nullptr, s.choice, s.arch,
                                       gpu::SourceLines::Left);
    if (!build) return tl::unexpected(build.error());
    const KernelShape shape =
        model::shapeOf(*build->rung(), build->tile, build->resources.registers, build->loop, s.arch,
                       build->leftAsCompiled());
    if (shape.blocksPerSm > 0) return shape;
    return fail(Trouble::BadRequest,
                noBlockText(*s.choice.rung(), s.choice.tile, build->resources.registers, s.arch));
  }
  const auto recorded = model::shapeFrom(runs::recordings(), s.choice, s.arch.name);
  if (recorded) return *recorded;
  return fail(
      Trouble::Missing,
      fmt::format(
          "a prediction needs the kernel's registers, and none are recorded for this tile: {}",
          nvrtc.error().text));
}

// ", 9 tiles split along K into 36 parts"; empty: none is split.
std::string cutText(const Asked& s, int sms) {
  const auto cut =
      analysis::cutTilesOf(*s.choice.rung(), s.choice.tile,
                           paddedProblem(*s.choice.rung(), s.choice.tile, s.problem), sms);
  return cut.tiles > 0
             ? fmt::format("; the last one, {} split along K into {} parts, takes less time",
                           counted(cut.tiles, "tile"), grouped(cut.parts))
             : "";
}

std::string predictionText(const Asked& s, const Rates& rates, const KernelShape& kernel,
                           const model::TileCosts& costs, const model::Limit& limit) {
  const Prediction& p = costs.prediction;
  const auto share = [&](double cycles) {
    return percentText(p.cycles > 0 ? cycles / p.cycles : 0);
  };
  const auto speed = [](double v) { return speedNumber(v); };
  Table table({{"one K tile of all blocks on an SM", Align::Left}, {"cycles"}, {"busy"}});
  for (const Pipe pipe : kPipeOrder) {
    const double busy = costs.busyOfTile(pipe);
    table.add({std::string(name(pipe)), wholeText(busy), share(busy)});
  }
  const double idle = costs.idleOfTile();
  table.add({"the busiest of these is idle", wholeText(idle), share(idle)});
  table.add({"from one K tile to the next", wholeText(p.cycles), ""});
  std::string text = fmt::format(
      "{}\n{} at {}x{}x{}, predicted for {} ({} SMs, {:.0f} MHz)\n\n"
      "  {} GFLOP/s predicted; eight of ten tiles lie within {} to {}\n"
      "  {:.3f} ms, {} waves of {} per SM{}; where an SM has work, its FMA pipes are "
      "{} busy\n"
      "\n{}\n\n{}",
      stageHeading(*s.choice.rung()), tileText(*s.choice.rung(), s.choice.tile), s.problem.m,
      s.problem.n, s.problem.k, rates.device, rates.chip.machine.sms, rates.chip.clockMHz,
      speed(p.gflops), speed(p.gflopsLow), speed(p.gflopsHigh), p.milliseconds,
      model::wavesText(p.waves), counted(kernel.blocksPerSm, "block"),
      (p.resident < kernel.blocksPerSm ? fmt::format(" ({} at a time here)", p.resident) : "") +
          cutText(s, rates.chip.machine.sms),
      percentText(p.ffmaShare, 0), sentence(limit), table.text());
  if (const std::string remark = kTileRemark(*s.choice.rung(), s.choice.tile); !remark.empty())
    text += "\n" + remark + "\n";
  if (!p.fromCode) {
    text += "\nThe machine code is not known here: issue slots are estimated from the trace.\n";
  }
  const auto* run = runs::recordedRun(s.choice, s.problem, rates.device);
  if (run != nullptr && run->gflops.known()) {
    text += fmt::format("\nRecorded there: {} GFLOP/s; the prediction is {:+.1f} % off.\n",
                        wholeText(run->gflops.median), 100 * (p.gflops / run->gflops.median - 1));
  }
  return text + paddedNote(*s.choice.rung(), s.choice.tile, s.problem);
}

const char* keyOf(Pipe pipe) {
  switch (pipe) {
    case Pipe::Issue:
      return "issue";
    case Pipe::Shared:
      return "shared";
    case Pipe::L2:
      return "l2";
    case Pipe::Dram:
      return "dram";
  }
  return "";
}

Json predictionJson(const Asked& s, const Rates& rates, const KernelShape& kernel,
                    const model::TileCosts& costs, const model::Limit& limit) {
  const Prediction& p = costs.prediction;
  Json busy = Json::object();
  for (const Pipe pipe : kPipeOrder) busy[keyOf(pipe)] = costs.busyOfTile(pipe);
  return {{"schema", "tileloom.prediction/1"},
          {"origin", "predicted"},
          {"stage", s.choice.rung()->id},
          {"tile", tileJson(*s.choice.rung(), s.choice.tile)},
          {"problem", problemJson(s.problem)},
          {"padding", paddingJson(paddingOf(*s.choice.rung(), s.choice.tile, s.problem))},
          {"arch", s.arch.name},
          {"device", rates.device},
          {"gflops", p.gflops},
          {"gflops_low", p.gflopsLow},
          {"gflops_high", p.gflopsHigh},
          {"milliseconds", p.milliseconds},
          {"blocks_per_sm", kernel.blocksPerSm},
          {"blocks_at_a_time", p.resident},
          {"waves", p.waves},
          {"cycles_per_k_tile", p.cycles},
          {"busy_cycles", std::move(busy)},
          {"exposed_cycles", costs.idleOfTile()},
          {"fma_pipe", p.ffmaShare},
          {"bottleneck", std::string(key(limit.kind))},
          {"limit", limitJson(limit)},
          {"from_machine_code", p.fromCode}};
}

void run(const Options& options, Outcome& outcome) {
  const auto choice = chosenStage(options.stage, "predict");
  if (!choice) return outcome.fail(choice.error());
  if (!model::isPredicted(*choice->rung())) {
    return outcome.fail(fmt::format("{}, and {} is rung {}: tileloom why {} shows what bounds it",
                                    model::kNoPrediction, choice->rung()->id,
                                    rungLabel(*choice->rung()), choice->rung()->id));
  }
  const auto target = chosenTarget(options.target);
  if (!target) return outcome.fail(target.error());
  const Architecture* arch = &target->arch;
  const auto problem = parseSize(options.size);
  if (!problem) return outcome.fail(problem.error());
  const emulator::TraceRequest request{{*choice, *problem}};
  if (const std::string why = emulator::whyNotTraceable(request); !why.empty())
    return outcome.fail(why);
  const auto rates = model::ratesFor(arch->name);
  if (!rates) return outcome.fail(rates.error());
  if (const auto same = sameDevice(*target, rates->device, "predictions"); !same)
    return outcome.fail(same.error());
  const Asked subject{*choice, *problem, *arch};
  std::optional<std::vector<int>> sizes;
  if (!options.sizes.empty()) {
    auto parsed = parseSizes(options.sizes);
    if (!parsed) return outcome.fail(parsed.error());
    sizes = std::move(*parsed);
  }
  const auto kernel = kernelOf(subject, !options.noCache);
  if (!kernel) return failWith(outcome, kernel.error());
  if (sizes) {
    const auto points = model::sizeCurve(*choice->rung(), choice->tile, *sizes, *kernel, *rates);
    outcome.output = options.json ? sizesJson(*choice, *rates, *kernel, points)
                                  : sizesText(*choice, *rates, *kernel, points);
    return;
  }

  emulator::Workspace workspace;
  const auto loop = analysis::traceLoop(workspace, *choice, *problem);
  model::KernelFacts facts;
  facts.shape = *kernel;
  facts.banks = analysis::recordedLoopCost(*choice, arch->name);
  const model::TileCosts costs =
      model::costsOf(*choice, *problem, loop.totals, loop.kTiles, facts, *rates);
  const model::Limit limit = model::limitOf(costs, *rates);
  outcome.output = options.json ? jsonText(predictionJson(subject, *rates, *kernel, costs, limit))
                                : predictionText(subject, *rates, *kernel, costs, limit);
}

}  // namespace

void addPredictCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("predict", "Predict the speed of a tile, and what limits it; needs no GPU");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addSizeOption(command, options->size);
  command
      .addOption("--sizes", options->sizes,
                 "Cubes M = N = K from one size to another instead, such as 256:8192:128")
      .typeName("FROM:TO:STEP");
  addTargetOptions(command, options->target);
  addCacheOption(command, options->noCache);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
