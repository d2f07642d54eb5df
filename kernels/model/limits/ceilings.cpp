// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/limits/ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/base/user_folders.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/architecture.h"

namespace tileloom::model {
namespace {

using Json = nlohmann::ordered_json;
using Need = JsonReader::Need;

constexpr std::size_t kLargestFile = 1024 * 1024;
constexpr double kMost = 1e12;

struct Figure {
  const char* key;
  runs::Interval Ceilings::*member;
  bool needed;
};
constexpr Figure kFigures[] = {{"fma_gflops", &Ceilings::fmaGflops, true},
                               {"dram_gbs", &Ceilings::dramGBs, true},
                               {"l2_gbs", &Ceilings::l2GBs, false},
                               {"shared_gbs", &Ceilings::sharedGBs, true},
                               {"mma_gflops", &Ceilings::mmaGflops, false}};

constexpr std::array kOrigins = {CeilingOrigin::Live, CeilingOrigin::Recorded,
                                 CeilingOrigin::Computed};

// No ceiling is accurate to more than six digits.
double rounded(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

constexpr std::size_t kLongestText = 200;

runs::Interval interval(JsonReader& reader, const Figure& figure) {
  const auto* value = reader.member(figure.key, figure.needed ? Need::Required : Need::Optional);
  if (value == nullptr) return {};
  std::optional<double> figures[3];
  for (std::size_t i = 0; value->is_array() && value->size() == 3 && i < 3; ++i)
    figures[i] = jsonNumber((*value)[i], std::numeric_limits<double>::denorm_min(), kMost);
  const auto [median, low, high] = figures;
  if (median && low && high) {
    if (*low <= *median && *median <= *high) return {*median, *low, *high};
    reader.say(figure.key, "has its median outside its interval");
    return {};
  }
  reader.complain(figure.key, "a median with its interval, three numbers above 0");
  return {};
}

// 0 for anything else.
double numberOr0(const JsonReader& reader, const char* key, double most) {
  const auto* value = reader.find(key);
  return value == nullptr ? 0 : std::min(jsonNumber(*value, 0, kMost).value_or(0), most);
}

}  // namespace

std::string_view name(CeilingOrigin origin) {
  switch (origin) {
    case CeilingOrigin::Live:
      return "live";
    case CeilingOrigin::Recorded:
      return "recorded";
    case CeilingOrigin::Computed:
      return "computed";
  }
  return "live";
}

Json toJson(const Ceilings& c) {
  Json json = {{"schema", kCeilingsSchema}, {"when", c.when},
               {"device", c.device},        {"arch", c.arch},
               {"driver", c.driver},        {"cuda", c.cuda}};
  for (const Figure& figure : kFigures) {
    const runs::Interval& i = c.*figure.member;
    json[figure.key] = i.known() ? Json::array({rounded(i.median), rounded(i.low), rounded(i.high)})
                                 : Json(nullptr);
  }
  json["sm_clock_mhz"] = c.smClockMHz;
  json["mma_clock_mhz"] = c.mmaClockMHz;
  json["l2_bytes"] = static_cast<std::int64_t>(c.l2CacheBytes);
  json["sms"] = c.sms;
  json["origin"] = name(c.origin);
  return json;
}

std::string toLine(const Ceilings& ceilings) {
  return dumped(toJson(ceilings));
}

tl::expected<Ceilings, std::string> ceilingsFromLine(std::string_view line) {
  const auto json = parseJsonObject(line, kRecordBounds);
  return json ? ceilingsFrom(*json) : tl::unexpected(json.error());
}

tl::expected<Ceilings, std::string> ceilingsFrom(const nlohmann::json& json) {
  JsonReader reader(json);
  if (const auto* schema = reader.find("schema"); schema == nullptr || *schema != kCeilingsSchema)
    reader.complain("schema", kCeilingsSchema);
  Ceilings c;
  c.when = reader.text("when", kLongestText);
  c.device = reader.text("device", kLongestText);
  c.arch = reader.text("arch", kLongestText);
  c.driver = reader.text("driver", kLongestText, "");
  c.cuda = reader.text("cuda", kLongestText, "");
  for (const Figure& figure : kFigures) c.*figure.member = interval(reader, figure);
  const std::string origin = reader.text("origin", kLongestText);
  const auto known =
      std::ranges::find_if(kOrigins, [&](CeilingOrigin o) { return name(o) == origin; });
  if (known == kOrigins.end()) {
    reader.complain("origin", "live, recorded or computed");
  } else {
    c.origin = *known;
  }
  c.smClockMHz = static_cast<int>(numberOr0(reader, "sm_clock_mhz", 1e5));
  c.mmaClockMHz = static_cast<int>(numberOr0(reader, "mma_clock_mhz", 1e5));
  c.l2CacheBytes = numberOr0(reader, "l2_bytes", kMost);
  c.sms = static_cast<int>(numberOr0(reader, "sms", 1e5));
  if (!reader.good()) return tl::unexpected(reader.complaint());
  return c;
}

CeilingFile parseCeilings(std::string_view text, std::string_view nameOfText) {
  CeilingFile file;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (part.find_first_not_of(" \t\r") == part.npos) continue;
    auto ceilings = ceilingsFromLine(part);
    if (ceilings) {
      file.all.push_back(std::move(*ceilings));
    } else {
      file.complaints.push_back(fmt::format("{}, line {}: {}", nameOfText, line, ceilings.error()));
    }
  }
  return file;
}

std::filesystem::path defaultCeilingFile() {
  return userDataFile("ceilings.jsonl");
}

tl::expected<CeilingFile, std::string> readCeilings(const std::filesystem::path& file) {
  const auto text = readText(file, kLargestFile);
  if (!text) return tl::unexpected(text.error());
  return parseCeilings(*text, quotableFile(file.filename()));
}

tl::expected<void, std::string> appendCeilings(const std::filesystem::path& file,
                                               const Ceilings& ceilings) {
  const std::string line = toLine(ceilings);
  // A line that cannot be read back must not be written: it would be found broken only later.
  if (const auto again = ceilingsFromLine(line); !again) {
    return tl::unexpected(fmt::format("these ceilings cannot be saved: {}", again.error()));
  }
  return appendLine(file, line);
}

std::span<const Ceilings> shippedCeilings() {
  static const std::vector<Ceilings> all = [] {
    std::vector<Ceilings> list;
    for (const EmbeddedFile& file : shippedCeilingFiles()) {
      for (Ceilings& c : parseCeilings(file.text, std::string(file.name)).all) {
        if (c.origin == CeilingOrigin::Live) c.origin = CeilingOrigin::Recorded;
        list.push_back(std::move(c));
      }
    }
    return list;
  }();
  return all;
}

const Ceilings* ceilingsOf(std::span<const Ceilings> kept, std::string_view device,
                           std::string_view driver) {
  const std::string_view wanted = device.empty() ? kReferenceDevice : device;
  const Ceilings* best = nullptr;
  bool sameDriver = false;
  for (const Ceilings& c : kept) {  // later lines are later measurements
    if (c.device != wanted) continue;
    const bool same = !driver.empty() && c.driver == driver;
    if (best != nullptr && sameDriver && !same) continue;
    best = &c;
    sameDriver = same;
  }
  if (best != nullptr) return best;
  for (const Ceilings& c : shippedCeilings()) {
    if (c.device == wanted) best = &c;
  }
  return best;
}

}  // namespace tileloom::model
