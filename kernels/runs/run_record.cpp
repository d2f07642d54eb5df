// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/run_record.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kernels/base/json_text.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/parameters.h"

namespace tileloom::runs {
namespace {

using Json = nlohmann::ordered_json;

// No measurement is accurate to more than six digits. Whole numbers are written without a point. A
// value that is not finite becomes null, which is read as missing.
Json figure(double value) {
  if (!std::isfinite(value)) return nullptr;
  constexpr double kNothing = 1e-300;  // below it digits are lost, and no line would be stable
  if (std::abs(value) < kNothing) return 0;
  const double rounded = std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
  constexpr double kExact = 1e15;
  if (std::abs(rounded) < kExact && rounded == std::trunc(rounded)) {
    return static_cast<std::int64_t>(rounded);
  }
  return rounded;
}

Json interval(const Interval& i) {
  return Json::array({figure(i.median), figure(i.low), figure(i.high)});
}

// Unknown values are left out.
Json sideBySide(const SideBySide& s, const char* unit) {
  Json json = {{"ratio", interval(s.ratio)}, {"pairs", s.pairs}};
  json[fmt::format("kernel_{}", unit)] = figure(s.kernel);
  json[fmt::format("cublas_{}", unit)] = figure(s.cublas);
  const auto known = [&json](const char* key, double value) {
    if (value > 0) json[key] = figure(value);
  };
  known("kernel_clock_mhz", s.kernelClockMHz);
  known("cublas_clock_mhz", s.cublasClockMHz);
  known("kernel_watts", s.kernelWatts);
  known("cublas_watts", s.cublasWatts);
  if (!s.throttled.empty()) json["throttled"] = s.throttled;
  return json;
}

Json parameters(const TileShape& tile) {
  Json json = Json::object();
  for (const Parameter parameter : kAllParameters) {
    if (tile[parameter] != 0) json[std::string(name(parameter))] = tile[parameter];
  }
  return json;
}

}  // namespace

std::string_view name(Origin origin) {
  return origin == Origin::Recorded ? "recorded" : "live";
}

nlohmann::ordered_json toJson(const RunRecord& r) {
  Json json = {{"schema", kRunSchema},
               {"when", r.when},
               {"device", r.device},
               {"arch", r.arch},
               {"driver", r.driver},
               {"cuda", r.cuda},
               {"stage", r.stage},
               {"arithmetic", rowOf(r.format).name},
               {"tile", parameters(r.tile)},
               {"m", r.problem.m},
               {"n", r.problem.n},
               {"k", r.problem.k},
               {"gflops", interval(r.gflops)},
               {"cublas", interval(r.cublas)},
               {"ratio", interval(r.ratio)},
               {"rounds", r.rounds},
               {"largest_error", figure(r.largestError)},
               {"peak_percent", figure(r.peakPercent)},
               {"quantisation_loss", figure(r.quantisationLoss)},
               {"sm_clock_mhz", r.smClockMHz},
               {"watts", figure(r.watts)},
               {"throttled", r.throttled},
               {"registers", r.registers},
               {"spill_bytes", r.spillBytes},
               {"static_shared", r.staticShared},
               {"dynamic_shared", r.dynamicShared},
               {"blocks_per_sm", r.blocksPerSm},
               {"occupancy", figure(r.occupancy)}};
  // Runs of FP32 are written as they were before there was another.
  if (r.format == Format::Fp32) json.erase("arithmetic");
  if (r.loop.ffmas > 0) json["loop"] = {r.loop.instructions, r.loop.ffmas};
  if (r.rewritten) json["rewritten"] = true;
  if (!r.whyNotRewritten.empty()) json["not_rewritten"] = r.whyNotRewritten;
  if (r.achievedOccupancy) json["achieved_occupancy"] = figure(*r.achievedOccupancy);
  if (r.ratios.cycles) json["ratios"]["cycles"] = sideBySide(*r.ratios.cycles, "cycles");
  if (r.ratios.sustained) json["ratios"]["sustained"] = sideBySide(*r.ratios.sustained, "gflops");
  if (!r.counters.empty()) json["counters"] = toJson(r.counters);
  json["fingerprint"] = r.fingerprint;
  json["origin"] = name(r.origin);
  return json;
}

std::string toLine(const RunRecord& record) {
  // Bytes that are not UTF-8 (a driver's string may have any) are replaced and do not throw.
  return dumped(toJson(record));
}

}  // namespace tileloom::runs
