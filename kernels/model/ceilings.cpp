// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/ceilings.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kernels/base/text_file.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/architecture.h"

namespace tileloom::model {
namespace {

using Json = nlohmann::ordered_json;

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
                               {"shared_gbs", &Ceilings::sharedGBs, true}};

constexpr std::array kOrigins = {CeilingOrigin::Live, CeilingOrigin::Recorded,
                                 CeilingOrigin::Computed};

// No ceiling is good to more than six digits.
double rounded(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

tl::expected<runs::Interval, std::string> interval(const nlohmann::json& json,
                                                   const Figure& figure) {
  const auto found = json.find(figure.key);
  if (found == json.end() || found->is_null()) {
    if (figure.needed) return tl::unexpected(fmt::format("\"{}\" is missing", figure.key));
    return runs::Interval();
  }
  const auto good = [](const nlohmann::json& n) {
    return n.is_number() && n.get<double>() > 0 && n.get<double>() <= kMost;
  };
  if (!found->is_array() || found->size() != 3 || !good((*found)[0]) || !good((*found)[1]) ||
      !good((*found)[2])) {
    return tl::unexpected(
        fmt::format("\"{}\" is not a median with its interval, three numbers above 0", figure.key));
  }
  return runs::Interval{(*found)[0].get<double>(), (*found)[1].get<double>(),
                        (*found)[2].get<double>()};
}

tl::expected<std::string, std::string> text(const nlohmann::json& json, const char* key,
                                            bool needed) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) {
    if (needed) return tl::unexpected(fmt::format("\"{}\" is missing", key));
    return std::string();
  }
  if (!found->is_string()) return tl::unexpected(fmt::format("\"{}\" is no text", key));
  return found->get<std::string>();
}

double number(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  const double value = found != json.end() && found->is_number() ? found->get<double>() : 0;
  return value >= 0 && value <= kMost ? value : 0;
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
  json["l2_bytes"] = static_cast<std::int64_t>(c.l2CacheBytes);
  json["sms"] = c.sms;
  json["origin"] = name(c.origin);
  return json;
}

std::string toLine(const Ceilings& ceilings) {
  return toJson(ceilings).dump(-1, ' ', false, Json::error_handler_t::replace);
}

tl::expected<Ceilings, std::string> ceilingsFromLine(std::string_view line) {
  if (line.size() > runs::kLongestLine) {
    return tl::unexpected(
        fmt::format("this line is longer than {} KiB", runs::kLongestLine / 1024));
  }
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return tl::unexpected<std::string>("this is no JSON object");
  const auto schema = json.find("schema");
  if (schema == json.end() || *schema != kCeilingsSchema) {
    return tl::unexpected(fmt::format("\"schema\" is not {}", kCeilingsSchema));
  }
  Ceilings c;
  for (const auto& [key, into, needed] :
       {std::tuple{"when", &c.when, true}, std::tuple{"device", &c.device, true},
        std::tuple{"arch", &c.arch, true}, std::tuple{"driver", &c.driver, false},
        std::tuple{"cuda", &c.cuda, false}}) {
    auto value = text(json, key, needed);
    if (!value) return tl::unexpected(value.error());
    *into = std::move(*value);
  }
  for (const Figure& figure : kFigures) {
    const auto value = interval(json, figure);
    if (!value) return tl::unexpected(value.error());
    c.*figure.member = *value;
  }
  const auto origin = text(json, "origin", true);
  if (!origin) return tl::unexpected(origin.error());
  bool known = false;
  for (const CeilingOrigin o : kOrigins) {
    if (name(o) == *origin) c.origin = o, known = true;
  }
  if (!known) return tl::unexpected<std::string>("\"origin\" is not live, recorded or computed");
  c.smClockMHz = static_cast<int>(std::min(number(json, "sm_clock_mhz"), 1e5));
  c.l2CacheBytes = number(json, "l2_bytes");
  c.sms = static_cast<int>(std::min(number(json, "sms"), 1e5));
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
  return runs::defaultRunFile().replace_filename("ceilings.jsonl");
}

tl::expected<CeilingFile, std::string> readCeilings(const std::filesystem::path& file) {
  const auto text = readText(file, kLargestFile);
  if (!text) return tl::unexpected(text.error());
  return parseCeilings(*text, file.filename().string());
}

tl::expected<void, std::string> appendCeilings(const std::filesystem::path& file,
                                               const Ceilings& ceilings) {
  const std::string line = toLine(ceilings);
  // What cannot be read back must not be written: it would only be found broken later.
  if (const auto again = ceilingsFromLine(line); !again) {
    return tl::unexpected(fmt::format("these ceilings cannot be kept: {}", again.error()));
  }
  return appendLine(file, line);
}

std::span<const Ceilings> shippedCeilings() {
  static const std::vector<Ceilings> all = [] {
    std::vector<Ceilings> list = parseCeilings(shippedCeilingText(), "ceilings").all;
    for (Ceilings& c : list) {
      if (c.origin == CeilingOrigin::Live) c.origin = CeilingOrigin::Recorded;
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
