// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/fidelity_launches.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands/report/launches_report.h"

namespace tileloom::app {

void compareLaunches(const LaunchesOptions& options, Outcome& outcome) {
  const auto list = launchesIn(options.file);
  if (!list) return outcome.fail(list.error());
  const auto seed = options.seed.empty() ? 0 : parseNumber("--seed", options.seed, 0, 1'000'000);
  if (!seed) return outcome.fail(seed.error());
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());

  LaunchesQuery query;
  query.file = options.file;
  query.seed = static_cast<unsigned>(*seed);
  query.limit = std::chrono::seconds(*limit);
  std::unique_ptr<gpu::Context> context;
  if (!options.noDevice) {
    const auto driver = gpu::Driver::load();
    if (!driver) return failWith(outcome, driver.error());
    auto opened = gpu::Context::open(*driver, *device);
    if (!opened) return failWith(outcome, opened.error());
    context = std::move(*opened);
    query.context = context.get();
  }
  const auto report = launchesReport(query, *list);
  if (!report) {
    outcome.leaveAtOnce = true;
    [[maybe_unused]] gpu::Context* const left = context.release();  // it cannot be closed any more
    return failWith(outcome, report.error());
  }
  outcome.output = options.json ? jsonText(launchesJson(*report)) : launchesText(*report);
  if (report->different() > 0) outcome.status = kFoundFaults;
}

}  // namespace tileloom::app
