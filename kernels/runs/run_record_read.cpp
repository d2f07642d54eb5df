// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run, which may come from anywhere: every value is checked before it becomes a record.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/base/json_reader.h"
#include "kernels/base/plain_text.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/parameters.h"

namespace tileloom::runs {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestText = 200;  // bytes
constexpr std::size_t kMostReasons = 32;
constexpr int kLargestDimension = 1 << 20;
constexpr int kLargestParameter = 65536;

using Need = JsonReader::Need;

// A word from outside, made safe for a sentence.
std::string inQuotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (hasControlCharacters(text) || text.size() > kShown) return "one that cannot be shown";
  return fmt::format("\"{}\"", text);
}

// "2026-11-21T03:25:00Z": the latest run is found by comparing texts, so only this form is
// accepted.
bool isUtcTime(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  return text.size() == kForm.size() && std::ranges::equal(text, kForm, [](char c, char form) {
           return form == '0' ? c >= '0' && c <= '9' : c == form;
         });
}

// Values that only run records have.
class Fields : public JsonReader {
 public:
  Fields(const Json& own, const Json* common)
      : JsonReader(own, {.floatsMayBeWhole = true}, common) {}

  void text(const char* key, std::string& into, Need how) {
    if (const Json* value = member(key, how)) textIn(*value, key, into);
    if (how == Need::Required && into.empty()) say(key, "is empty");
  }

  void texts(const char* key, std::vector<std::string>& into) {
    for (const Json& item : list(key, kMostReasons, "strings", Need::Optional))
      textIn(item, key, into.emplace_back());
  }

  void figure(const char* key, double most, double& into) { into = number(key, 0, most, into); }

  void interval(const char* key, double most, Interval& into, Need how) {
    const Json* value = member(key, how);
    if (value == nullptr) return;
    std::optional<double> figures[3];
    for (std::size_t i = 0; value->is_array() && value->size() == 3 && i < 3; ++i)
      figures[i] = jsonNumber((*value)[i], 0, most);
    const auto [median, low, high] = figures;
    if (!median || !low || !high) {
      return complain(key,
                      fmt::format("a list of median, low and high, numbers from 0 to {:g}", most));
    }
    if (*low > *median || *median > *high)
      return take(fmt::format("the median of \"{}\" is outside its interval", key));
    into = {*median, *low, *high};
  }

 private:
  void textIn(const Json& value, const char* key, std::string& into) {
    const auto* text = value.get_ptr<const std::string*>();
    if (text == nullptr) return complain(key, "a string");
    if (text->size() > kLongestText)
      return say(key, fmt::format("is longer than {} bytes", kLongestText));
    if (hasControlCharacters(*text)) return say(key, "contains control characters");
    into = *text;
  }
};

void readSchema(Fields& fields) {
  const Json* schema = fields.need("schema");
  if (schema == nullptr) return;
  const auto* text = schema->get_ptr<const std::string*>();
  if (text == nullptr) return fields.complain("schema", "a string");
  if (*text == kRunSchema) return;
  const bool ours = text->starts_with("tileloom.run/") && text->size() <= 40;
  if (ours && !hasControlCharacters(*text)) {
    return fields.take(fmt::format(
        "this run is of schema {}, which this version does not know: update Tileloom", *text));
  }
  fields.take(
      fmt::format("\"schema\" is {} and not {}: this is not a run", inQuotes(*text), kRunSchema));
}

void readTile(Fields& fields, TileShape& tile) {
  const Json* value = fields.need("tile");
  if (value == nullptr) return;
  if (!value->is_object()) return fields.complain("tile", "an object of tile parameters");
  JsonReader parameters(
      *value,
      {.before = "", .after = " of \"tile\"", .nullIsAbsent = false, .floatsMayBeWhole = true});
  for (const auto& member : value->items()) {
    const auto parameter = std::ranges::find_if(
        kAllParameters, [&member](Parameter k) { return name(k) == member.key(); });
    if (parameter == kAllParameters.end()) {
      return fields.take(fmt::format(
          "\"tile\" has a tile parameter, {}, that this version does not know: update Tileloom",
          inQuotes(member.key())));
    }
    tile[*parameter] = parameters.integer(member.key(), 0, kLargestParameter);
  }
  if (!parameters.good()) fields.take(parameters.complaint());
}

void readOrigin(Fields& fields, Origin& origin) {
  std::string text{name(Origin::Live)};
  fields.text("origin", text, Need::Optional);
  if (text == name(Origin::Live)) {
    origin = Origin::Live;
  } else if (text == name(Origin::Recorded)) {
    origin = Origin::Recorded;
  } else {
    fields.say("origin", "is neither \"live\" nor \"recorded\"");
  }
}

void readFormat(Fields& fields, Format& format) {
  std::string text{rowOf(Format::Fp32).name};
  fields.text("arithmetic", text, Need::Optional);
  if (const auto known = formatNamed(text)) {
    format = *known;
  } else {
    fields.take(fmt::format("\"arithmetic\": {}", known.error()));
  }
}

void readMachine(Fields& fields, RunRecord& r) {
  fields.text("when", r.when, Need::Required);
  if (!isUtcTime(r.when)) fields.complain("when", "a time like 2026-11-21T03:25:00Z");
  fields.text("device", r.device, Need::Required);
  fields.text("arch", r.arch, Need::Required);
  fields.text("driver", r.driver, Need::Optional);
  fields.text("cuda", r.cuda, Need::Optional);
}

void readSubject(Fields& fields, RunRecord& r) {
  fields.text("stage", r.stage, Need::Required);
  readFormat(fields, r.format);
  readTile(fields, r.tile);
  r.problem.m = fields.integer("m", 1, kLargestDimension);
  r.problem.n = fields.integer("n", 1, kLargestDimension);
  r.problem.k = fields.integer("k", 1, kLargestDimension);
  r.fingerprint = fingerprintFrom(fields, r.stage, "");
  if (!r.fingerprint.empty() && !isFingerprint(r.fingerprint) && !isStaleKey(r.fingerprint))
    fields.complain(fields.find("fingerprint") != nullptr ? "fingerprint" : "source_hash",
                    "16 lower-case hex digits");
  fields.text("not_rewritten", r.whyNotRewritten, Need::Optional);
  r.rewritten = fields.flag("rewritten", false);
}

// The bounds are far above real values: they catch wrong units and invented figures.
void readFigures(Fields& fields, RunRecord& r) {
  fields.interval("gflops", 1e9, r.gflops, Need::Required);
  fields.interval("cublas", 1e9, r.cublas, Need::Optional);
  fields.interval("ratio", 1e6, r.ratio, Need::Optional);
  r.rounds = fields.integer("rounds", 0, 1000000, r.rounds);
  fields.figure("largest_error", 1e30, r.largestError);
  fields.figure("peak_percent", 1000, r.peakPercent);
  fields.figure("quantisation_loss", 1, r.quantisationLoss);
  r.smClockMHz = fields.integer("sm_clock_mhz", 0, 100000, r.smClockMHz);
  fields.figure("watts", 1e5, r.watts);
  fields.texts("throttled", r.throttled);
}

std::optional<SideBySide> readSideBySide(Fields& parent, const Json& all, const char* key,
                                         const char* unit) {
  const auto found = all.find(key);
  if (found == all.end() || found->is_null()) return std::nullopt;
  if (!found->is_object()) {
    parent.complain("ratios", "an object of objects");
    return std::nullopt;
  }
  Fields fields(*found, nullptr);
  SideBySide s;
  fields.interval("ratio", 1e6, s.ratio, Need::Required);
  s.pairs = fields.integer("pairs", 0, 1000000, s.pairs);
  fields.figure(fmt::format("kernel_{}", unit).c_str(), 1e15, s.kernel);
  fields.figure(fmt::format("cublas_{}", unit).c_str(), 1e15, s.cublas);
  s.kernelClockMHz = fields.integer("kernel_clock_mhz", 0, 100000, s.kernelClockMHz);
  s.cublasClockMHz = fields.integer("cublas_clock_mhz", 0, 100000, s.cublasClockMHz);
  fields.figure("kernel_watts", 1e5, s.kernelWatts);
  fields.figure("cublas_watts", 1e5, s.cublasWatts);
  fields.texts("throttled", s.throttled);
  if (!fields.good()) parent.take(fmt::format("\"{}\" of \"ratios\": {}", key, fields.complaint()));
  return s;
}

void readRatios(Fields& fields, Ratios& ratios) {
  const Json* value = fields.find("ratios");
  if (value == nullptr) return;
  if (!value->is_object()) return fields.complain("ratios", "an object");
  ratios.cycles = readSideBySide(fields, *value, "cycles", "cycles");
  ratios.sustained = readSideBySide(fields, *value, "sustained", "gflops");
}

// [instructions, multiply-adds] of the main loop.
void readLoop(Fields& fields, sass::LoopSize& loop) {
  const Json* value = fields.find("loop");
  if (value == nullptr) return;
  constexpr int kMost = 1 << 24;
  const auto count = [&](std::size_t i) {
    const Json& number = (*value)[i];
    return number.is_number_integer() && number >= 1 && number <= kMost ? number.get<int>() : 0;
  };
  if (value->is_array() && value->size() == 2) loop = {count(0), count(1)};
  if (loop.ffmas < 1 || loop.instructions < loop.ffmas) {
    loop = {};
    fields.complain(
        "loop",
        fmt::format("a list of instructions and the FFMAs among them, from 1 to {}", kMost));
  }
}

void readResources(Fields& fields, RunRecord& r) {
  constexpr int kBytes = 1 << 30;
  r.registers = fields.integer("registers", -1, 65536, r.registers);
  r.spillBytes = fields.integer("spill_bytes", 0, kBytes, r.spillBytes);
  r.staticShared = fields.integer("static_shared", 0, kBytes, r.staticShared);
  r.dynamicShared = fields.integer("dynamic_shared", 0, kBytes, r.dynamicShared);
  r.blocksPerSm = fields.integer("blocks_per_sm", 0, 65536, r.blocksPerSm);
  fields.figure("occupancy", 1, r.occupancy);
  readLoop(fields, r.loop);
  if (fields.find("achieved_occupancy") != nullptr) {
    constexpr double kCounted = 1.1;  // two counters read one after the other may exceed the whole
    fields.figure("achieved_occupancy", kCounted, r.achievedOccupancy.emplace());
  }
}

void readCounters(Fields& fields, RunRecord& r) {
  const Json* value = fields.find("counters");
  if (value == nullptr) return;
  if (auto read = countersFrom(*value)) {
    r.counters = *read;
  } else {
    fields.take(std::move(read.error()));
  }
}

}  // namespace

tl::expected<RunRecord, std::string> fromJson(const nlohmann::json& json,
                                              const nlohmann::json* common) {
  if (!json.is_object()) return tl::unexpected(std::string(kNoJsonObject));
  Fields fields(json, common);
  RunRecord record;
  readSchema(fields);  // first: of a version that we do not know, nothing else can be said
  readMachine(fields, record);
  readSubject(fields, record);
  readFigures(fields, record);
  readResources(fields, record);
  readRatios(fields, record.ratios);
  readCounters(fields, record);
  readOrigin(fields, record.origin);
  if (!fields.good()) return tl::unexpected(fields.complaint());
  return record;
}

tl::expected<RunRecord, std::string> fromLine(std::string_view line) {
  const auto json = parseJsonObject(line, kRecordBounds);
  if (!json) return tl::unexpected(json.error());
  return fromJson(*json);
}

}  // namespace tileloom::runs
