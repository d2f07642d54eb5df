// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/launch_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "kernels/base/plain_text.h"

namespace tileloom::executor {
namespace {

constexpr std::size_t kMostLaunches = 10'000, kLongestText = 4'096;
constexpr std::int64_t kMostAlongAxis = 0x7fffffff, kMostParameters = 4'096;
constexpr std::array<std::string_view, 8> kKeys = {"name",    "cubin",  "kernel", "grid",
                                                   "threads", "shared", "params", "instances"};

// [X], [X, Y] or [X, Y, Z]; absent: one.
Extent3 extentOf(JsonReader& reader, std::string_view key) {
  Extent3 extent{1, 1, 1};
  const nlohmann::json* value = reader.find(key);
  if (value == nullptr) return extent;
  bool good = value->is_array() && !value->empty() && value->size() <= extent.size();
  for (std::size_t i = 0; good && i < value->size(); ++i) {
    const nlohmann::json& each = (*value)[i];
    good = each.is_number_unsigned() && each.get<std::uint64_t>() >= 1 &&
           each.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMostAlongAxis);
    if (good) extent[i] = each.get<std::uint32_t>();
  }
  if (!good) reader.complain(key, "a list of one to three whole numbers from 1: write [X, Y, Z]");
  return extent;
}

tl::expected<ListedLaunch, std::string> launchFrom(const nlohmann::json& object) {
  if (!object.is_object())
    return tl::unexpected(
        std::string("it is not an object: write {\"cubin\": …, \"grid\": …, \"params\": …}"));
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(kKeys, key) != kKeys.end()) continue;
    std::string all;
    for (const std::string_view each : kKeys)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", each);
    return tl::unexpected(
        fmt::format("the key \"{}\" is not known: choose from {}", quotable(key), all));
  }
  JsonReader reader(object);
  ListedLaunch launch;
  launch.cubin = reader.text("cubin", kLongestText);
  launch.kernel = reader.text("kernel", kLongestText, "");
  launch.name = reader.text("name", kLongestText, "");
  launch.grid = extentOf(reader, "grid");
  launch.block = extentOf(reader, "threads");
  launch.dynamicShared = static_cast<std::uint32_t>(reader.whole("shared", 0, kMostAlongAxis, 0));
  launch.instances = reader.integer("instances", 1, 100, 1);
  for (const nlohmann::json& each :
       reader.list("params", kMostParameters, "texts", JsonReader::Need::Optional)) {
    if (!each.is_string()) {
      reader.say("params", "has an element that is not a text: write each one in quotes");
      break;
    }
    launch.arguments.push_back(each.get<std::string>());
  }
  if (!reader.good()) return tl::unexpected(reader.complaint());
  if (launch.cubin.empty()) return tl::unexpected(std::string("\"cubin\" is empty: name a file"));
  if (launch.name.empty()) launch.name = launch.kernel.empty() ? launch.cubin : launch.kernel;
  return launch;
}

}  // namespace

tl::expected<std::vector<ListedLaunch>, std::string> launchesFrom(std::string_view text) {
  constexpr JsonBounds kBounds{.bytes = std::size_t{4} << 20};
  const auto json = parseJson(text, kBounds);
  if (!json) return tl::unexpected(json.error());
  if (!json->is_array())
    return tl::unexpected(std::string("it is not a list of launches: write [{\"cubin\": …}, …]"));
  if (json->empty()) return tl::unexpected(std::string("it has no launch: write [{\"cubin\": …}]"));
  if (json->size() > kMostLaunches)
    return tl::unexpected(
        fmt::format("it has {} launches: the maximum is {}", json->size(), kMostLaunches));
  std::vector<ListedLaunch> launches;
  for (const nlohmann::json& each : *json) {
    auto launch = launchFrom(each);
    if (!launch)
      return tl::unexpected(fmt::format("launch {}: {}", launches.size() + 1, launch.error()));
    launches.push_back(std::move(*launch));
  }
  return launches;
}

}  // namespace tileloom::executor
