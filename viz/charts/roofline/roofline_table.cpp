// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_table.h"

#include <nlohmann/json.hpp>

#include "kernels/base/json_text.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom {
namespace {

using model::MemoryLevel;
using Json = nlohmann::ordered_json;

// The words in files are keys that programs read: they are never translated.
const char* freshnessKey(const RooflinePoint& p) {
  if (!p.gflops.known()) return p.predicted ? "predicted" : "";
  switch (p.freshness) {
    case Freshness::Live:
      return "live";
    case Freshness::Recorded:
      return "recorded";
    case Freshness::Stale:
      break;
  }
  return "stale";
}

Json tileJson(const TileShape& tile) {
  Json json = Json::object();
  for (const Parameter parameter : kAllParameters) {
    if (tile[parameter] != 0) json[std::string(name(parameter))] = tile[parameter];
  }
  return json;
}

Json pointJson(const RooflineData& data, const RooflinePoint& p, bool present) {
  const auto intensity = [&p](MemoryLevel level) {
    const auto value = p.traffic.intensity(level);
    return value ? Json(*value) : Json(nullptr);
  };
  const runs::Interval& speed = p.gflops.known() || !p.predicted ? p.gflops : *p.predicted;
  const auto binding = bindingOf(data.ceilings, p.traffic);
  Json json = {
      {"stage", p.rung() != nullptr ? Json(std::string(p.rung()->id)) : Json(nullptr)},
      {"rung", p.rung() != nullptr ? Json(p.rung()->rung) : Json(nullptr)},
      {"present", present},
      {"tile", tileJson(p.tile)},
      {"arithmetic", p.rung() != nullptr ? Json(std::string(rowOf(p.rung()->usualFormat()).name))
                                         : Json(nullptr)},
      {"standing", freshnessKey(p)},
      {"gflops", speed.known() ? Json(speed.median) : Json(nullptr)},
      {"gflops_low", speed.known() ? Json(speed.low) : Json(nullptr)},
      {"gflops_high", speed.known() ? Json(speed.high) : Json(nullptr)},
      {"flops", p.traffic.flops},
      {"dram_bytes", p.traffic.dramBytes},
      {"dram_bytes_least", p.traffic.dramLeast},
      {"dram_bytes_most", p.traffic.dramMost},
      {"dram_bytes_counted", p.traffic.countedDram ? Json(*p.traffic.countedDram) : Json(nullptr)},
      {"l2_bytes", p.traffic.l2Bytes},
      {"shared_bytes", p.traffic.sharedBytes},
      {"l1_bytes", p.traffic.l1Bytes},
      {"least_bytes", p.traffic.leastBytes},
      {"dram_intensity", intensity(MemoryLevel::Dram)},
      {"l2_intensity", intensity(MemoryLevel::L2)},
      {"l1_intensity", intensity(MemoryLevel::Shared)},
      {"limit", p.limit ? Json(std::string(key(p.limit->kind))) : Json(nullptr)},
      {"limit_share", p.limit ? Json(p.limit->share) : Json(nullptr)},
      {"roof", binding ? Json(std::string(name(binding->roof))) : Json(nullptr)},
      {"roof_gflops", binding ? Json(binding->gflops) : Json(nullptr)}};
  return json;
}

std::vector<Json> pointsJson(const RooflineData& data) {
  std::vector<Json> all;
  for (const RooflinePoint& p : data.rungs) all.push_back(pointJson(data, p, false));
  if (data.present) all.push_back(pointJson(data, *data.present, true));
  return all;
}

QByteArray cell(const std::string& key, const Json& value, const RooflinePoint& point) {
  if (key == "tile") {
    std::string text = point.rung() != nullptr ? tileText(*point.rung(), point.tile) : "";
    return '"' + QByteArray::fromStdString(text) + '"';
  }
  if (value.is_null()) return {};
  if (value.is_string()) return QByteArray::fromStdString(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return QByteArray::number(value.get<double>(), 'g', 10);
}

}  // namespace

QByteArray rooflineCsv(const RooflineData& data) {
  QByteArray csv;
  const std::vector<Json> points = pointsJson(data);
  for (std::size_t i = 0; i < points.size(); ++i) {
    QByteArray head, row;
    const RooflinePoint& point = i < data.rungs.size() ? data.rungs[i] : *data.present;
    for (const auto& [key, value] : points[i].items()) {
      head += ',' + QByteArray::fromStdString(key);
      row += ',' + cell(key, value, point);
    }
    if (i == 0) csv += head.mid(1) + '\n';
    csv += row.mid(1) + '\n';
  }
  return csv;
}

QByteArray rooflineJson(const RooflineData& data) {
  const auto tensor = ceilingOf(data.ceilings, model::Roof::Tensor);
  const Json json = {
      {"schema", "tileloom.roofline/1"},
      {"problem", {{"m", data.problem.m}, {"n", data.problem.n}, {"k", data.problem.k}}},
      {"ladder", data.ladder == Ladder::Tensor ? "tensor" : "fp32"},
      {"ceilings", toJson(data.ceilings)},
      {"tensor_gflops", tensor ? Json(*tensor) : Json(nullptr)},
      {"points", pointsJson(data)}};
  return QByteArray::fromStdString(dumped(json, 2)) + '\n';
}

}  // namespace tileloom
