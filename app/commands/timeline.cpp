// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/timeline.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "app/commands/kernel_book.h"
#include "app/commands/measuring.h"
#include "app/commands/parse.h"
#include "app/commands/stage_options.h"
#include "app/commands/stage_text.h"
#include "app/commands/table.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/model/loop_totals.h"
#include "kernels/model/rates.h"
#include "kernels/timeline/agreement.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/export.h"
#include "kernels/timeline/program.h"

namespace tileloom::app {
namespace {

using timeline::On;
using timeline::Timeline;
using timeline::Unit;

constexpr int kMostDelay = 100'000;

struct Options {
  StageOptions stage;
  std::string size = "4096";
  std::string delay = "0";
  std::string arch{defaultArchitecture().name};
  std::optional<std::string> out;
  bool noCache = false;
};

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string reportOf(const StageChoice& choice, const Problem& problem, const Timeline& t,
                     const model::Rates& rates, int delay, bool estimated,
                     const std::optional<timeline::Agreement>& agreement) {
  const auto whole = [](double v) { return grouped(static_cast<std::uint64_t>(v + 0.5)); };
  std::string text = fmt::format("{}\n{} at {}, predicted by a virtual clock for {}\n\n",
                                 stageHeading(*choice.stage), tileText(*choice.stage, choice.tile),
                                 toString(problem), rates.device);
  text += t.tileStarts.size() > 1
              ? fmt::format("  {} cycles from one K tile to the next", whole(t.cyclesPerTile))
              : fmt::format("  {} cycles for the block, which has one K tile", whole(t.cycles));
  if (delay > 0) text += fmt::format(", with memory {} cycles slower", whole(delay));
  text += fmt::format("\n  {} block{} on the SM{}\n\n", t.blocks, t.blocks == 1 ? "" : "s",
                      estimated ? ", estimated: no compiler and no recording has told" : "");
  Table busy({{"busy in the steady state", Align::Left}, {"share"}});
  busy.add({t.multiplier() == Unit::TensorCore ? "tensor cores" : "FMA pipes",
            percent(t.busy(t.multiplier()))});
  busy.add({"instruction issue", percent(t.busy(Unit::Issue))});
  busy.add({"L1 and shared-memory data pipe", percent(t.busy(Unit::Shared))});
  busy.add({"L2", percent(t.busy(Unit::L2))});
  text += busy.text() + "\n";
  Table sleeps({{"a warp of the block sleeps, waiting for", Align::Left}, {"share"}});
  constexpr std::array kReasons = {
      std::pair{On::Fragments, "fragments from shared memory"},
      std::pair{On::Memory, "loads from global memory"},
      std::pair{On::Copies, "asynchronous copies"},
      std::pair{On::Warps, "other warps, at a barrier"},
      std::pair{On::Phase, "a barrier's phase"},
      std::pair{On::Products, "products of its warpgroup"},
      std::pair{On::TensorCore, "the tensor core"},
      std::pair{On::Result, "its own results"},
  };
  for (const auto& [on, words] : kReasons) {
    if (const double share = t.waiting(on); share >= 0.0005) sleeps.add({words, percent(share)});
  }
  text += sleeps.text();
  if (agreement) text += fmt::format("\n{}\n", timeline::sentence(*agreement));
  return text;
}

void run(const Options& options, Outcome& outcome) {
  const auto choice = chosenStage(options.stage, "timeline");
  if (!choice) return outcome.fail(choice.error());
  const auto arch = architectureNamed(quotable(options.arch));
  if (!arch) return outcome.fail(arch.error());
  const auto problem = parseSize(options.size);
  if (!problem) return outcome.fail(problem.error());
  const auto delay = parseNumber("--delay", options.delay, 0, kMostDelay);
  if (!delay) return outcome.fail(delay.error());
  if (options.out && !options.out->ends_with(".json") && !options.out->ends_with(".csv")) {
    return outcome.fail(
        fmt::format("--out \"{}\" is neither a .json for Perfetto nor a .csv: "
                    "choose one of the two endings",
                    quotable(*options.out)));
  }
  emulator::TraceRequest request;
  request.stage = choice->stage;
  request.tile = choice->tile;
  request.problem = *problem;
  request.arithmetic = choice->arithmetic;
  request.operands = false;
  if (const std::string why = emulator::whyNotTraceable(request); !why.empty())
    return outcome.fail(why);
  request.kTiles = timeline::tilesWanted(*choice->stage, choice->tile);
  const auto rates = model::ratesFor(arch->name);
  if (!rates) return outcome.fail(rates.error());
  model::KernelShape kernel;
  const auto facts = KernelBook(*arch, !options.noCache).facts(*choice->stage, choice->tile);
  const bool estimated = !facts || facts->shape.blocksPerSm < 1;
  if (estimated) {
    kernel.blocksPerSm = model::estimatedBlocksPerSm(*choice->stage, choice->tile, *arch);
  } else {
    kernel = facts->shape;
  }

  emulator::Workspace workspace;
  const auto program = timeline::programOf(emulator::traceBlock(workspace, request));
  const auto loop = model::traceLoop(workspace, *choice->stage, choice->tile, *problem);
  const auto work = model::workloadOf(*choice->stage, choice->tile, *problem, loop.totals,
                                      loop.kTiles, kernel, rates->chip.machine);
  timeline::Costs costs = timeline::costsOf(*choice->stage, work, program, *rates,
                                            model::ceilingsOf({}, rates->device));
  costs.delay = *delay;
  const auto simulated = timeline::simulate(program, costs);
  if (!simulated) return outcome.fail(simulated.error());
  if (options.out) {
    const std::string text =
        options.out->ends_with(".csv")
            ? timeline::spanTable(*simulated)
            : timeline::chromeTrace(
                  *simulated,
                  fmt::format("{} {}", choice->stage->id, tileText(*choice->stage, choice->tile)));
    const auto written = replaceText(*options.out, text);
    if (!written) return outcome.fail(written.error());
  }
  std::optional<timeline::Agreement> agreement;
  // What a delay adds the prediction does not know.
  if (model::isPredicted(*choice->stage) && *delay == 0 && simulated->steady())
    agreement = timeline::agreementOf(*simulated, work, *rates);
  outcome.output = reportOf(*choice, *problem, *simulated, *rates, *delay, estimated, agreement);
}

}  // namespace

void addTimelineCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "timeline", "Say when warps work and wait, on a virtual clock; writes a trace for Perfetto");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addArithmeticOption(command, options->stage);
  command.addOption("--size", options->size, "M, or MxNxK (4096 by default)").typeName("M[xNxK]");
  command.addOption("--delay", options->delay, "Cycles that memory takes longer (0 by default)")
      .typeName("CYCLES");
  command.addOption("--arch", options->arch, "Architecture (sm_90 by default)").typeName("sm_NN");
  command
      .addOption("--out", options->out,
                 "Also write every span: .json for Perfetto and chrome://tracing, or .csv")
      .typeName("FILE");
  addCacheOption(command, options->noCache);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
