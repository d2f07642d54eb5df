// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/ceilings.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/table.h"
#include "kernels/gpu/measure/ceilings.h"
#include "kernels/model/limits/roofline.h"

namespace tileloom::app {
namespace {

using model::CeilingOrigin;
using model::Ceilings;

struct Options {
  GpuOptions gpu;
  bool shipped = false;
  bool dontSave = false;
  bool json = false;
};

// Trouble::Missing: the device does not exist here, but the request is correct.
Result<Ceilings> measured(const Options& options, int device, double limitMs) {
  auto driver = gpu::Driver::load();
  if (!driver) return tl::unexpected(driver.error());
  auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  std::optional<gpu::BuildCache> cache;
  if (!options.gpu.noCache) cache.emplace();
  gpu::CeilingOptions how;
  how.limitMs = limitMs;
  auto result = gpu::measureCeilings(*driver, device, **nvrtc, cache ? &*cache : nullptr, how);
  if (!result && isFatal(result.error().trouble)) (*driver)->abandon();
  return result;
}

std::string originText(const Ceilings& c) {
  switch (c.origin) {
    case CeilingOrigin::Live:
      return fmt::format("measured {}", c.when);
    case CeilingOrigin::Recorded:
      return fmt::format("recorded {}", c.when);
    case CeilingOrigin::Computed:
      return "computed from clocks and widths, not measured";
  }
  return {};
}

std::string ceilingsText(const Ceilings& c) {
  std::string text = fmt::format("{} ({}), {}\n", c.device, c.arch, originText(c));
  if (c.smClockMHz > 0) text += fmt::format("SM clock {} MHz\n", c.smClockMHz);
  Table table({{"ceiling", Align::Left}, {""}, {"", Align::Left}, {"", Align::Left}, {"ridge"}});
  const auto row = [&](const char* what, const runs::Interval& i, const char* unit, bool ridge) {
    const bool exact = i.low == i.high;
    table.add({what, i.known() ? figureText(i) : "not known", i.known() ? unit : "",
               i.known() && !exact ? spreadText(i) : "",
               ridge && i.known() && c.fmaGflops.known()
                   ? fmt::format("{:.1f}", c.fmaGflops.median / i.median)
                   : ""});
  };
  row("FMA pipes", c.fmaGflops, "GFLOP/s", false);
  row("DRAM", c.dramGBs, "GB/s", true);
  row("L2", c.l2GBs, "GB/s", true);
  row("shared memory", c.sharedGBs, "GB/s", true);
  if (const auto peak = ceilingOf(c, model::Roof::Tensor)) {
    row("mma.sync", c.mmaGflops, "GFLOP/s", false);
    table.add({"tensor cores", figureText({*peak, *peak, *peak}), "GFLOP/s",
               fmt::format("computed for {} MHz", tensorClockMHz(c))});
  }
  text += fmt::format("\n{}", table.text()) +
          "\n  ridge: FLOP per byte above which the FMA pipes are the limit, not this memory.\n";
  if (ceilingOf(c, model::Roof::Tensor) && !c.mmaGflops.known())
    text += "  mma.sync: not measured, because these ceilings are of an earlier version.\n";
  return text;
}

void show(const Options& options, const Ceilings& c, Outcome& outcome) {
  outcome.output = options.json ? jsonText(toJson(c)) : ceilingsText(c);
}

void showShipped(const Options& options, Outcome& outcome) {
  const Ceilings* shipped = model::ceilingsOf({}, {});
  if (shipped == nullptr) return outcome.fail("no ceilings are shipped with this build");
  show(options, *shipped, outcome);
}

void run(const Options& options, Outcome& outcome) {
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  if (options.shipped) return showShipped(options, outcome);
  const auto result = measured(options, *device, 1000.0 * *limit);
  if (!result) {
    if (result.error().trouble != Trouble::Missing) {
      outcome.leaveAtOnce = isFatal(result.error().trouble);
      return failWith(outcome, result.error());
    }
    showShipped(options, outcome);
    outcome.remarks.push_back(
        fmt::format("nothing was measured, these are the shipped ceilings of {}: {}",
                    kReferenceDevice, result.error().text));
    outcome.status = kNoGpu;
    return;
  }
  if (!options.dontSave) {
    if (const auto saved = appendCeilings(model::defaultCeilingFile(), *result); !saved)
      outcome.remarks.push_back(saved.error());
  }
  show(options, *result, outcome);
}

}  // namespace

void addCeilingsCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "ceilings",
      "Measure the peak rates of the GPU: FMA pipes, mma.sync, DRAM, L2, shared memory");
  const auto options = std::make_shared<Options>();
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.addFlag("--shipped", options->shipped, "Show the shipped ceilings instead; needs no GPU");
  command.addFlag("--no-save", options->dontSave, "Do not save them");
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
