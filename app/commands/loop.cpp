// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/loop.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/report/loop_report.h"
#include "kernels/analysis/stage_study.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/measure/loop_bench.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

constexpr std::string_view kArch = "sm_90";  // the one that the model is made for
// Samples of this size: its main loop is nearly all of the launch.
constexpr Problem kSampled{4096, 4096, 4096};

struct Options {
  StageOptions stage;
  GpuOptions gpu;
  bool measure = false;
  bool json = false;
  std::optional<std::string> record;
};

// The cubin as compiled, and the version of NVRTC: "13.0".
struct Untouched {
  std::vector<char> cubin;
  std::string nvrtc;
};

// Compiled here if there is a compiler, else recorded.
Result<Untouched> untouchedOf(const Options& options, const Subject& choice,
                              const Architecture& arch, Outcome& outcome) {
  const auto nvrtc = gpu::Nvrtc::load();
  if (nvrtc) {
    std::optional<gpu::BuildCache> cache;
    if (!options.gpu.noCache) cache.emplace();
    const auto build =
        gpu::buildStage(**nvrtc, cache ? &*cache : nullptr, choice, arch, gpu::SourceLines::Left);
    if (!build) return tl::unexpected(build.error());
    if (!build->rewriting) return Untouched{build->cubin, build->nvrtc};
    if (!build->rewriting->done())
      return fail(Trouble::Unsupported, fmt::format("the main loop is not rewritten, because {}",
                                                    build->rewriting->whyNot));
    return Untouched{build->rewriting->untouched, build->nvrtc};
  }
  auto code = sass::recordedListing(choice, arch.name);
  if (!code || code->untouched.empty())
    return fail(
        Trouble::Missing,
        choice.rung()->rewriter == 0
            ? fmt::format("{}; no machine code is recorded for loops that are not rewritten",
                          nvrtc.error().text)
            : fmt::format("{}; the loop of {} is recorded for its default tile only",
                          nvrtc.error().text, choice.rung()->id));
  if (code->stale())
    outcome.remarks.emplace_back(
        "the rung's source has changed since this kernel was recorded: record it again");
  outcome.remarks.push_back(
      fmt::format("this is a recorded kernel, because {}", nvrtc.error().text));
  return Untouched{code->untouched, code->nvrtc};
}

Result<runs::LoopTimes> measured(const Options& options, const Subject& choice, int device,
                                 double limitMs) {
  auto driver = gpu::Driver::load();
  if (!driver) return tl::unexpected(driver.error());
  auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  std::optional<gpu::BuildCache> cache;
  if (!options.gpu.noCache) cache.emplace();
  gpu::LoopOptions how;
  how.limitMs = limitMs;
  auto times = gpu::measureLoop(*driver, device, **nvrtc, cache ? &*cache : nullptr, choice, how);
  if (!times && isFatal(times.error().trouble)) (*driver)->abandon();
  return times;
}

void run(const Options& options, Outcome& outcome) {
  const auto choice = chosenStage(options.stage, "loop");
  if (!choice) return outcome.fail(choice.error());
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  if (options.record && !options.measure)
    return outcome.fail("--record saves measurements: add --measure");
  if (options.record) {
    if (const std::string why = whyNotReplaced(*options.record); !why.empty())
      return outcome.fail(why);
  }
  if (choice->rung()->ladder != Ladder::Fp32)
    return outcome.fail(
        fmt::format("the model of an iteration covers FFMA only, and {} uses tensor cores: choose "
                    "a rung of the FP32 ladder, such as rewritten",
                    choice->rung()->id));
  const auto arch = architectureNamed(std::string(kArch));
  if (!arch) return outcome.fail(arch.error());
  if (const auto why = explainTile(*choice->rung(), choice->tile, std::nullopt, *arch);
      !why.empty())
    return outcome.fail(why);
  const auto untouched = untouchedOf(options, *choice, *arch, outcome);
  if (!untouched) return failWith(outcome, untouched.error());
  const bool rewrites = choice->rung()->rewriter != 0;
  const auto study = rewrites ? analysis::studyStage(*choice, *arch, untouched->cubin)
                              : analysis::studyUntouched(*choice, *arch, untouched->cubin);
  if (!study) return outcome.fail(study.error());
  std::optional<runs::LoopTimes> times = runs::recordedLoopTimes(*choice);
  if (options.measure) {
    auto live = measured(options, *choice, *device, 1000.0 * *limit);
    if (!live) {
      outcome.leaveAtOnce = isFatal(live.error().trouble);
      return failWith(outcome, live.error());
    }
    times = std::move(*live);
  }
  LoopReport report{*study, times ? &*times : nullptr,
                    runs::recordedSamples(*choice, kSampled, kArch)};
  // Another compiler's code has other instructions where the samples were taken.
  if (report.samples != nullptr && report.samples->cuda != untouched->nvrtc)
    report.samples = nullptr;
  outcome.output = options.json ? jsonText(loopJson(report)) : loopText(report);
  if (!options.record) return;
  if (const auto added = appendLine(*options.record, toLine(*times)); !added)
    outcome.fail(added.error());
}

}  // namespace

void addLoopCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand("loop",
                                          "Show how long an iteration of a main loop takes, and "
                                          "what each change of the rewriter saves");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  command.addFlag("--measure", options->measure, "Measure every version on the GPU");
  addJsonOptions(command, options->json, outcome);
  command
      .addOption("--record", options->record,
                 "Add the measurements to this file, in the shipped format")
      .file();
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
