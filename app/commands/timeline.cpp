// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/kernel_book.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/output.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/stamps_of.h"
#include "app/commands/common/table.h"
#include "app/commands/report/slower_text.h"
#include "app/commands/report/timeline_seam.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/measure/stamping.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/why/limit.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/k_tile_words.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "kernels/timeline/agreement.h"
#include "kernels/timeline/beside.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/export.h"
#include "kernels/timeline/program.h"
#include "kernels/timeline/recorded/measured.h"
#include "kernels/timeline/recorded/measured_lanes.h"
#include "kernels/timeline/recorded/measured_seam.h"
#include "kernels/timeline/recorded/shipped_stamps.h"
#include "kernels/timeline/seam.h"

namespace tileloom::app {
namespace {

using timeline::On;
using timeline::Timeline;
using timeline::Unit;
using timeline::Who;

constexpr int kMostDelay = 100'000;

struct Options {
  StageOptions stage;
  std::string size = "4096";
  std::string delay = "0";
  std::string varies = "0";
  std::string arch{defaultArchitecture().name};
  std::optional<std::string> out;
  std::optional<std::string> measured;  // a file of timestamps to read
  std::optional<std::string> measure;   // one to write, from a launch
  std::optional<std::string> at;        // the measured K tile below the predicted steady state
  bool betweenTiles = false;
  GpuOptions gpu;
};

constexpr std::array kReasons = {
    std::pair{On::Fragments, "fragments from shared memory"},
    std::pair{On::Memory, "loads from global memory"},
    std::pair{On::Copies, "asynchronous copies"},
    std::pair{On::Warps, "other warps, at a barrier"},
    std::pair{On::Phase, "a phase of an mbarrier"},
    std::pair{On::Products, "wgmma of its warpgroup"},
    std::pair{On::TensorCore, "the tensor core"},
    std::pair{On::Result, "its own results"},
    std::pair{On::Boxes, "TMA stores to read C"},
};

std::string shareText(const std::optional<double>& share) {
  return share ? percentText(*share) : "-";
}

// Warps that multiply wait for the phase in which a stage is full, warps that load for the one in
// which it is empty.
std::string_view wordsFor(On on, Who who) {
  if (on == On::Phase) return who == Who::Multiply ? "a stage to be filled" : "an empty stage";
  return std::ranges::find(kReasons, on, &std::pair<On, const char*>::first)->second;
}

constexpr std::string_view whose(Who who) {
  return who == Who::Multiply ? "of the time of warps that multiply"
                              : "of the time of warps that load";
}

// `why` counts tensor cores at their documented peak.
std::string_view multiplierOf(const Timeline& t) {
  if (t.multiplier() != Unit::TensorCore) return "FMA pipes";
  return t.hasProducts() ? "tensor cores, at the rate of wgmma"
                         : "tensor cores, at the rate of mma.sync";
}

Table busyTable(const Timeline& t) {
  Table busy({{"busy in the steady state", Align::Left}, {"share"}});
  busy.add({std::string(multiplierOf(t)), shareText(t.busy(t.multiplier()))});
  busy.add({"instruction issue", shareText(t.busy(Unit::Issue))});
  const auto pipe = t.busy(Unit::Shared), sectors = t.busyWithSectors();
  busy.add({"L1 and shared-memory data pipe", shareText(pipe)});
  if (sectors && *sectors > 0) {
    busy.add({"  with wavefronts", percentText(*pipe - *sectors)});
    busy.add({"  with sectors from global memory", percentText(*sectors)});
  }
  busy.add({"L2", shareText(t.busy(Unit::L2))});
  return busy;
}

// A limit that is not predicted counts only the wavefronts of the data pipe.
std::string sectorRemark(const Timeline& t, const timeline::Costs& costs,
                         const std::optional<model::Limit>& limit) {
  const auto sectors = t.busyWithSectors();
  if (!sectors || *sectors <= 0 || !limit || limit->predicted) return {};
  return fmt::format(
      "The clock counts {:.2f} cycles of the data pipe per sector, as fitted to FP32 rungs. The "
      "limit counts wavefronts only.",
      costs.sectorCycles);
}

// Said where the time of a block is shown beside the time of the launch, which may be far less.
std::string twoTimes(const model::Limit& limit) {
  return std::string(
             "The cycles of the block are from its first instruction to its last, with the waits "
             "for its K tile and for C. ") +
         (limit.predicted
              ? "The prediction assumes the steady state for a K tile, without these waits.\n"
              : "The least time is that of the busiest unit, without any wait.\n");
}

// The K tiles of the block whose cycles are shown.
std::string betweenText(const Timeline& t) {
  if (t.steady()) return "one K tile to the next";
  const std::string first = fmt::format("K tile {}", t.steadyFrom + 1);
  return t.steadyTo == t.steadyFrom + 1
             ? fmt::format("{} of {} to the next", first, t.tileStarts.size())
             : fmt::format("one K tile to the next, on average from {} to {} of {}", first,
                           t.steadyTo + 1, t.tileStarts.size());
}

std::string reportOf(const Subject& choice, const Problem& problem, const Timeline& t,
                     const model::Rates& rates, const timeline::Costs& costs, bool estimated,
                     const std::optional<timeline::Agreement>& agreement,
                     const std::optional<model::Limit>& limit) {
  std::string text = fmt::format(
      "{}\n{} at {}, predicted by a virtual clock for {}\n\n", stageHeading(*choice.rung()),
      tileText(*choice.rung(), choice.tile), toString(problem), rates.device);
  text += t.tileStarts.size() > 1
              ? fmt::format("  {} cycles from {}", wholeText(t.cyclesPerTile), betweenText(t))
              : fmt::format("  {} cycles for the block, which has one K tile", wholeText(t.cycles));
  text += slowerText(costs);
  if (costs.varies > 0 && t.steady())
    text += fmt::format("; on average over {} K tiles", t.steadyTo - t.steadyFrom);
  text += fmt::format("\n  {} on the SM{}\n\n", counted(t.blocks, "block"),
                      estimated ? ", estimated without a compiler or a recording" : "");
  if (const std::string remark = kTileRemark(*choice.rung(), choice.tile); !remark.empty())
    text += remark + "\n\n";
  text += t.steady() ? busyTable(t).text() + "\n"
                     : "There is no steady state: K is too short for its K tiles to repeat. No "
                       "shares are shown.\n\n";
  if (const std::string remark = sectorRemark(t, costs, limit); !remark.empty())
    text += remark + "\n\n";
  if (limit) {
    text += fmt::format(
        "{}\nThat holds for the whole launch{}. The clock simulates one SM with work, and DRAM as "
        "a "
        "latency.\n{}\n",
        sentence(*limit),
        costs.delay > 0 || costs.varies > 0 ? " with memory at its usual speed, not slower" : "",
        t.tileStarts.size() < 2 ? twoTimes(*limit) : "");
  }
  for (const Who who : {Who::Multiply, Who::Bring}) {
    if (!t.has(who)) continue;
    Table sleeps({{"stalled, predicted, waiting for", Align::Left}, {std::string(whose(who))}});
    for (const auto& [on, words] : kReasons) {
      if (const double share = t.waiting(on, who); share >= 0.0005)
        sleeps.add({std::string(wordsFor(on, who)), percentText(share)});
    }
    if (who == Who::Bring) text += "\n";
    text += sleeps.text();
  }
  if (agreement) text += fmt::format("\n{}\n", timeline::sentence(*agreement));
  return text;
}

// Predicted beside measured, in the steady state of both.
std::string comparisonOf(const timeline::Beside& beside) {
  const timeline::Measured& m = beside.measured;
  std::string text = fmt::format("\n{}: block {} of {}", timeline::captionOf(m), grouped(m.block),
                                 grouped(m.blocks));
  if (m.clockMHz > 0) text += fmt::format(", SMs at {} MHz", grouped(m.clockMHz));
  text += "\n";
  if (m.stampedBlocksPerSm != m.blocksPerSm) {
    text += fmt::format("with timestamps an SM has room for {}, without them for {}\n",
                        counted(m.stampedBlocksPerSm, "block"), m.blocksPerSm);
  }
  if (m.full) {
    text += fmt::format("timestamps from K tile {} on did not fit\n",
                        grouped(beside.whole.tileStarts.size()));
  }
  if (!beside.comparison)
    return text + "K is too short for its K tiles to repeat: there is nothing to compare\n";
  const timeline::Comparison& c = *beside.comparison;
  text +=
      fmt::format("predicted, and timestamped by one block in K tiles {} to {}", c.from, c.to - 1);
  const double cost = 100 * m.summingCost();
  if (c.timed)
    text += fmt::format("; timed by all warps of a launch, which takes {:.1f} % {} for that",
                        std::abs(cost), cost < 0 ? "less" : "longer");
  if (!c.sampledOn.empty())
    text += fmt::format("; sampled over a launch without either, on {}", c.sampledOn);
  text += "\n\n";
  std::vector<Column> columns{{"", Align::Left}, {"predicted"}};
  if (c.timed) columns.push_back({"timed"});
  if (!c.sampledOn.empty()) columns.push_back({"sampled"});
  columns.push_back({"timestamped"});
  const auto row = [&](std::string name, std::string predicted, std::string timed,
                       std::string sampled, std::string stamped) {
    std::vector<std::string> cells = {std::move(name), std::move(predicted)};
    if (c.timed) cells.push_back(std::move(timed));
    if (!c.sampledOn.empty()) cells.push_back(std::move(sampled));
    cells.push_back(std::move(stamped));
    return cells;
  };
  Table table(columns);
  table.add(row("cycles from one K tile to the next", wholeText(c.predictedCycles), "", "",
                wholeText(c.stampedCycles)));
  for (const Who who : {Who::Multiply, Who::Bring}) {
    if (std::ranges::find(c.waits, who, &timeline::ComparedWait::who) == c.waits.end()) continue;
    table.add(row(std::string(whose(who)), "", "", "", ""));
    for (const timeline::ComparedWait& wait : c.waits) {
      if (wait.who == who)
        table.add(row(fmt::format("  waits for {}", wordsFor(wait.on, who)),
                      shareText(wait.predicted), shareText(wait.timed), shareText(wait.sampled),
                      shareText(wait.stamped)));
    }
  }
  text += table.text();
  if (const std::string why = timeline::disagreement(c); !why.empty())
    text += fmt::format("\nThe timestamps show too little: {}.\n", why);
  return text;
}

Result<timeline::Measured> measuredNow(const Options& options, const Subject& choice,
                                       const Problem& problem, Outcome& outcome) {
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return fail(Trouble::BadRequest, device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return fail(Trouble::BadRequest, limit.error());
  auto measuring = Measuring::open(*device, !options.gpu.noCache);
  if (!measuring) return tl::unexpected(measuring.error());
  Measuring& m = **measuring;
  const auto plain = m.build(choice);
  if (!plain) return tl::unexpected(plain.error());
  const auto built = [&](gpu::Stamping stamping) {
    return gpu::buildStamped(m.nvrtc(), m.cache(), *plain, m.arch(), stamping);
  };
  const auto stamped = built(gpu::Stamping::Records), summed = built(gpu::Stamping::Sums);
  for (const auto* build : {&stamped, &summed}) {
    if (!*build) return tl::unexpected(build->error());
  }
  auto stamps = gpu::stampStage(m.bench(), *plain, *stamped, *summed, problem, 1000.0 * *limit);
  if (!stamps && isFatal(stamps.error().trouble))
    Measuring::abandon(std::move(*measuring), outcome);
  return stamps;
}

// Measured now, read from a file, or shipped; std::nullopt: none is requested or available.
Result<std::optional<timeline::Measured>> measuredOf(const Options& options, const Subject& choice,
                                                     const Problem& problem, std::string_view arch,
                                                     Outcome& outcome) {
  if (options.measure) {
    auto stamps = measuredNow(options, choice, problem, outcome);
    if (!stamps) return tl::unexpected(stamps.error());
    const auto written = replaceText(*options.measure, dumped(toJson(*stamps)) + "\n");
    if (!written) return fail(Trouble::BadRequest, written.error());
    return std::move(*stamps);
  }
  if (!options.measured) {
    auto shipped = timeline::shippedStamps(choice, problem, arch);
    if (shipped && !(shipped->problem == problem)) shipped.reset();
    return shipped;
  }
  auto stamps = stampsOf(*options.measured, choice);
  if (!stamps) return fail(Trouble::BadRequest, stamps.error());
  if (!(stamps->problem == problem)) {
    return fail(Trouble::BadRequest, fmt::format("the timestamps are of {}: choose it with --size",
                                                 toString(stamps->problem)));
  }
  return std::move(*stamps);
}

tl::expected<emulator::TraceRequest, std::string> requestOf(const Stage& stage,
                                                            const TileShape& tile,
                                                            const Problem& problem, Format format,
                                                            bool betweenTiles, bool varies) {
  return betweenTiles ? timeline::betweenTiles({&stage, tile, format}, problem)
                      : timeline::oneTile({&stage, tile, format}, problem, varies);
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
  const auto varies = parseNumber("--varies", options.varies, 0, kMostDelay);
  if (!varies) return outcome.fail(varies.error());
  if (options.measured && options.measure) {
    return outcome.fail(
        "--measured reads timestamps and --measure records them: leave one of the two out");
  }
  if (options.out && !options.out->ends_with(".json") && !options.out->ends_with(".csv")) {
    return outcome.fail(
        fmt::format("--out \"{}\" is neither a .json for Perfetto nor a .csv: "
                    "choose one of the two endings",
                    quotable(*options.out)));
  }
  if (options.at && options.betweenTiles) {
    return outcome.fail(
        "--between-tiles shows the timestamps of the same two tiles, and --at those of another K "
        "tile: leave one of the two out");
  }
  for (const auto* file : {&options.measure, &options.out}) {
    if (const std::string why = whyNotAsked(*file); !why.empty()) return outcome.fail(why);
  }
  const auto request = requestOf(*choice->rung(), choice->tile, *problem, choice->format,
                                 options.betweenTiles, *varies > 0 || *delay > 0);
  if (!request) return outcome.fail(request.error());
  const auto rates = model::ratesFor(arch->name);
  if (!rates) return outcome.fail(rates.error());
  model::KernelShape kernel;
  const auto facts = KernelBook(*arch, !options.gpu.noCache).facts(*choice);
  const bool estimated = !facts || facts->shape.blocksPerSm < 1;
  if (estimated) {
    kernel.blocksPerSm = model::estimatedBlocksPerSm(*choice->rung(), choice->tile, *arch);
  } else {
    kernel = facts->shape;
  }

  emulator::Workspace workspace;
  const auto trace = emulator::traceBlock(workspace, *request);
  const auto program = timeline::programOf(trace);
  const auto loop = analysis::traceLoop(workspace, *choice, *problem);
  const auto work = model::workloadOf(*choice->rung(), choice->tile, *problem, loop.totals,
                                      loop.kTiles, kernel, rates->chip.machine);
  const model::Ceilings* ceilings = model::ceilingsOf({}, rates->device);
  timeline::Costs costs = timeline::costsOf(*choice->rung(), work, program, *rates, ceilings);
  costs.delay = *delay;
  costs.varies = *varies;
  const auto simulated = timeline::simulate(program, costs);
  if (!simulated) return outcome.fail(simulated.error());
  auto stamps = measuredOf(options, *choice, *problem, arch->name, outcome);
  if (!stamps) return failWith(outcome, stamps.error());
  std::optional<timeline::Beside> beside;
  if (*stamps) {
    std::optional<std::uint32_t> at;
    if (options.at) {
      const int depth = std::max(1, derive(*choice->rung(), choice->tile).stepK);
      const auto tile = parseNumber("--at", *options.at, 0, (problem->k - 1) / depth);
      if (!tile) return outcome.fail(tile.error());
      at = static_cast<std::uint32_t>(*tile);
    }
    auto laid = options.betweenTiles
                    ? timeline::besideAtSeam(std::move(**stamps), program, *simulated)
                    : timeline::beside(std::move(**stamps), program, *simulated, at);
    if (!laid) return outcome.fail(laid.error());
    beside = std::move(*laid);
    if (beside->comparison)
      timeline::addSamples(*beside->comparison, beside->measured, timeline::waitPlaces(trace));
    if (!beside->remark.empty()) outcome.remarks.push_back(beside->remark);
  } else if (options.at) {
    return outcome.fail("--at chooses a measured K tile: also name a file with --measured");
  }
  if (options.out) {
    const std::string text =
        options.out->ends_with(".csv")
            ? timeline::spanTable(*simulated)
            : timeline::chromeTrace(
                  *simulated,
                  fmt::format("{} {}", choice->rung()->id, tileText(*choice->rung(), choice->tile)),
                  beside ? &beside->aligned : nullptr,
                  beside ? timeline::captionOf(beside->measured) : std::string());
    const auto written = replaceText(*options.out, text);
    if (!written) return outcome.fail(written.error());
  }
  if (options.betweenTiles) {
    outcome.output = seamReport(*choice, *problem, *simulated, rates->device, costs, beside);
    return;
  }
  std::optional<timeline::Agreement> agreement;
  // A prediction needs the kernel's registers, and does not include the delay of slower memory.
  if (!estimated && model::isPredicted(*choice->rung()) && *delay == 0 && *varies == 0 &&
      simulated->steady())
    agreement = timeline::agreementOf(*simulated, work, *rates);
  std::optional<model::Limit> limit;
  if (facts || !model::isPredicted(*choice->rung())) {
    limit = model::limitOf({.subject = *choice,
                            .problem = *problem,
                            .loop = loop,
                            .arch = *arch,
                            .facts = facts ? &*facts : nullptr,
                            .rates = &*rates,
                            .ceilings = ceilings});
  }
  outcome.output =
      reportOf(*choice, *problem, *simulated, *rates, costs, estimated, agreement, limit);
  if (beside) outcome.output += comparisonOf(*beside);
  const std::string padded = paddedNote(*choice->rung(), choice->tile, *problem);
  // A table that has no rows leaves its empty line.
  if (!padded.empty())
    outcome.output += outcome.output.ends_with("\n\n") ? padded.substr(1) : padded;
}

}  // namespace

void addTimelineCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "timeline",
      "Predict when warps work and wait, on a virtual clock; writes a trace for Perfetto");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addSizeOption(command, options->size);
  command
      .addOption("--delay", options->delay,
                 "Additional latency of global memory, in cycles (0 by default)")
      .typeName("CYCLES");
  command
      .addOption("--varies", options->varies,
                 "Up to this many more cycles, drawn uniformly for each K tile of A and of B; the "
                 "distribution is an assumption (0 by default)")
      .typeName("CYCLES");
  addArchOption(command, options->arch);
  command
      .addOption("--out", options->out,
                 "Also write every span: .json for Perfetto and chrome://tracing, or .csv")
      .file();
  command
      .addOption("--measured", options->measured,
                 "Compare with a block's timestamps from a GPU, as --measure writes them (default: "
                 "those that ship for the default tiles of rungs with asynchronous copies)")
      .file();
  command
      .addOption(
          "--measure", options->measure,
          "Launch the kernel with timestamps on this GPU, write them to this file, and compare")
      .file();
  command
      .addOption(
          "--at", options->at,
          "The measured K tile to write below the predicted ones, from 0; the same by default")
      .typeName("K_TILE");
  command.addFlag("--between-tiles", options->betweenTiles,
                  "What happens between two tiles of C of a persistent block (T10 to T13)");
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
