// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/run_ratios.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/common/table.h"
#include "kernels/gpu/measure/cycle_ratio.h"
#include "kernels/gpu/measure/sustained_ratio.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using runs::RunRecord;
using runs::SideBySide;

double flops(const Problem& p) {
  return 2.0 * p.m * p.n * p.k;
}

// What all SMs can do in a cycle, from the share of it that the run reached; 0: unknown.
double peakPerCycle(const RunRecord& r) {
  if (r.peakPercent <= 0 || r.smClockMHz <= 0) return 0;
  return r.gflops.median * 1e9 / (r.peakPercent / 100) / (r.smClockMHz * 1e6);
}

std::string both(const std::string& kernel, const std::string& cublas) {
  return kernel.empty() || kernel == cublas ? kernel : fmt::format("{} / {}", kernel, cublas);
}

std::string whole(double value) {
  return value > 0 ? wholeText(value) : "";
}

std::string percent(double share) {
  return share > 0 ? fmt::format("{:.1f}", 100 * share) : "";
}

std::string speed(double gflops) {
  return gflops < 1000 ? fmt::format("{:.1f} GFLOP/s", gflops)
                       : fmt::format("{:.1f} TFLOP/s", gflops / 1000);
}

void addLine(Table& table, const std::string& name, const runs::Interval& ratio, std::string kernel,
             std::string cublas, std::string clock, std::string peak, std::string watts) {
  table.add({name, fmt::format("{:.1f} %", 100 * ratio.median),
             fmt::format("{:.1f} to {:.1f}", 100 * ratio.low, 100 * ratio.high), std::move(kernel),
             std::move(cublas), std::move(clock), std::move(peak), std::move(watts)});
}

std::string sustainedName(const SideBySide& s) {
  if (s.kernelClockMHz == 0) return "for seconds, power unknown";
  const bool atTheLimit =
      std::ranges::find(s.throttled, std::string("power cap")) != s.throttled.end();
  return atTheLimit ? "for seconds, at the power limit" : "for seconds, below the power limit";
}

}  // namespace

Result<void> addRatios(Measuring& measuring, const gpu::RatioOptions& options, RunRecord& record,
                       std::vector<std::string>& remarks) {
  const auto take = [&](std::optional<SideBySide>& into, Result<SideBySide> measured,
                        std::string_view what) -> Result<void> {
    if (measured) {
      into = std::move(*measured);
      return {};
    }
    const Error& error = measured.error();
    if (isFatal(error.trouble) || error.trouble == Trouble::WrongResult)
      return tl::unexpected(error);
    remarks.push_back(fmt::format("no ratio {}: {}", what, error.text));
    return {};
  };
  if (!record.ratio.known()) {
    remarks.emplace_back("no ratios, because cuBLAS was not found");
    return {};
  }
  const auto build =
      measuring.build({stageOfEitherLadder(record.stage), record.tile, record.format});
  if (!build) return tl::unexpected(build.error());
  gpu::Bench& bench = measuring.bench();
  // Cycles come last: kernels that are loaded after CUPTI may be slower.
  if (auto done = take(record.ratios.sustained,
                       gpu::sustainedRatio(bench, *build, record.problem, options), "for seconds");
      !done) {
    return done;
  }
  return take(record.ratios.cycles, gpu::cycleRatio(bench, *build, record.problem, options),
              "in cycles");
}

std::string ratiosText(const RunRecord& r) {
  if (!r.ratios.cycles && !r.ratios.sustained) return "";
  Table table({{"kernel / cuBLAS", Align::Left},
               {"ratio"},
               {"95 % within"},
               {"kernel"},
               {"cuBLAS"},
               {"SM clock, MHz"},
               {"% of the peak at it"},
               {"watts"}});
  const double peak = peakPerCycle(r);
  if (const auto& c = r.ratios.cycles) {
    const auto share = [&](double cycles) {
      return percent(peak > 0 && cycles > 0 ? flops(r.problem) / cycles / peak : 0);
    };
    addLine(table, "in cycles of a launch", c->ratio, whole(c->kernel) + " cycles",
            whole(c->cublas) + " cycles", both(whole(c->kernelClockMHz), whole(c->cublasClockMHz)),
            both(share(c->kernel), share(c->cublas)), "");
  }
  addLine(table, "in short rounds", r.ratio, speed(r.gflops.median), speed(r.cublas.median),
          whole(r.smClockMHz),
          both(percent(r.peakPercent / 100),
               percent(r.gflops.median > 0 ? r.peakPercent / 100 * r.cublas.median / r.gflops.median
                                           : 0)),
          whole(r.watts));
  if (const auto& s = r.ratios.sustained) {
    const auto share = [&](double gflops, int mhz) {
      return percent(peak > 0 && mhz > 0 ? gflops * 1e9 / (mhz * 1e6) / peak : 0);
    };
    addLine(table, sustainedName(*s), s->ratio, speed(s->kernel), speed(s->cublas),
            both(whole(s->kernelClockMHz), whole(s->cublasClockMHz)),
            both(share(s->kernel, s->kernelClockMHz), share(s->cublas, s->cublasClockMHz)),
            both(whole(s->kernelWatts), whole(s->cublasWatts)));
  }
  return table.text() + "  Of two figures the first is the kernel's and the second cuBLAS's.\n";
}

}  // namespace tileloom::app
