// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/compile.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/derived.h"

namespace tileloom::app {
namespace {

struct Options {
  StageOptions stage;
  std::string arch{defaultArchitecture().name};
  std::string cubin;
  bool noCache = false;
  bool json = false;
};

Json resultJson(const gpu::Build& b, const analysis::Occupancy& o,
                const analysis::BlockNeeds& needs) {
  return {{"schema", "tileloom.compile/1"},
          {"stage", b.rung()->id},
          {"tile", tileJson(*b.rung(), b.tile)},
          {"arithmetic", rowOf(b.format).name},
          {"arch", b.arch},
          {"nvrtc", b.nvrtc},
          {"assembler_option", assemblerOption(*b.rung())},
          {"fingerprint", b.fingerprint},
          {"main_loop", gpu::loopText(b)},
          {"registers", b.resources.registers},
          {"spill_store_bytes", b.resources.spillStores},
          {"spill_load_bytes", b.resources.spillLoads},
          {"stack_bytes", b.resources.stackBytes},
          {"assembler_remarks", b.remarks},
          {"static_shared_bytes", b.resources.staticShared},
          {"dynamic_shared_bytes", b.dynamicShared},
          {"cubin_bytes", b.cubin.size()},
          {"blocks_per_sm", o.blocks},
          {"warps_per_sm", o.warps},
          {"occupancy", o.fraction()},
          {"next_step", analysis::nextStep(o, needs)},
          {"cached", b.cached},
          {"compile_ms", b.milliseconds}};
}

void run(const Options& options, Outcome& outcome) {
  const auto choice = chosenStage(options.stage, "compile");
  if (!choice) return outcome.fail(choice.error());
  const auto arch = architectureNamed(quotable(options.arch));
  if (!arch) return outcome.fail(arch.error());
  if (!options.cubin.empty()) {
    if (const std::string why = whyNotReplaced(options.cubin); !why.empty())
      return outcome.fail(why);
  }
  const auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return failWith(outcome, nvrtc.error());
  std::optional<gpu::BuildCache> cache;
  if (!options.noCache) cache.emplace();
  const auto build =
      gpu::buildStage(**nvrtc, cache ? &*cache : nullptr, *choice, *arch, gpu::SourceLines::Left);
  if (!build) return failWith(outcome, build.error());
  const Derived d = derive(*choice->rung(), choice->tile);
  const gpu::Resources& r = build->resources;
  const analysis::BlockNeeds needs{d.threads, r.registers, d.sharedBytes};
  const analysis::Occupancy o = analysis::occupancy(*arch, needs);
  if (!options.cubin.empty()) {
    const auto written = replaceText(options.cubin, {build->cubin.data(), build->cubin.size()});
    if (!written) return outcome.fail(written.error());
  }
  if (options.json) {
    outcome.output = jsonText(resultJson(*build, o, needs));
    return;
  }
  const std::string spills = r.spillStores + r.spillLoads == 0
                                 ? "no spills"
                                 : fmt::format("SPILLS: {} bytes stored, {} loaded per thread",
                                               r.spillStores, r.spillLoads);
  std::string remarks;
  for (const std::string& remark : build->remarks) remarks += fmt::format("  SLOW: {}\n", remark);
  if (const std::string loop = gpu::loopText(*build); !loop.empty())
    remarks += fmt::format("  {}\n", loop);
  outcome.output = fmt::format(
      "{}\n{}{} on {}, compiled by {} ({})\n\n"
      "  {} per thread, {}, {} of stack\n{}"
      "  {} of shared memory per block{}\n"
      "  {} per SM, {} of {} warps: {:.2f} % occupancy\n\nNext step: {}.\n",
      stageHeading(*choice->rung()), tileText(*choice->rung(), choice->tile),
      choice->format == Format::Fp32 ? "" : fmt::format(" in {}", rowOf(choice->format).words),
      build->arch, compilerText(*choice->rung(), build->nvrtc),
      build->cached ? "from the cache" : fmt::format("{:.0f} ms", build->milliseconds),
      counted(r.registers, "register"), spills, counted(r.stackBytes, "byte"), remarks,
      counted(d.sharedBytes, "byte"),
      build->dynamicShared > Architecture::kStaticShared ? ", as dynamic memory with the opt-in"
      : build->dynamicShared > 0                         ? ", as dynamic memory"
                                                         : "",
      counted(o.blocks, "block"), o.warps, o.mostWarps, 100 * o.fraction(),
      analysis::nextStep(o, needs));
}

}  // namespace

void addCompileCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "compile", "Compile a tile with NVRTC: registers, spills, occupancy; needs no GPU");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addArchOption(command, options->arch);
  command.addOption("--cubin", options->cubin, "Write the cubin to this file").file();
  addCacheOption(command, options->noCache);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
