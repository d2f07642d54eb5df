// SPDX-License-Identifier: GPL-3.0-or-later
// A run may come from anybody: every value is checked before it becomes a record.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/runs/run_record.h"

namespace tileloom::runs {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestText = 200;  // bytes
constexpr std::size_t kMostReasons = 32;
constexpr int kLargestDimension = 1 << 20;
constexpr int kLargestKnob = 65536;

enum class Need { Required, Optional };

// ASCII's and Unicode's control characters would reach a terminal with the table of runs.
bool hasControlCharacters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return true;
    const bool latin = c == 0xC2 && i + 1 < text.size();
    if (latin && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

// A foreign word, fit for a sentence.
std::string inQuotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (hasControlCharacters(text) || text.size() > kShown) return "one that cannot be shown";
  return fmt::format("\"{}\"", text);
}

// "2026-11-21T03:25:00Z": the latest run is found by comparing texts, so only this form will do.
bool isUtcTime(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  return text.size() == kForm.size() && std::ranges::equal(text, kForm, [](char c, char form) {
           return form == '0' ? c >= '0' && c <= '9' : c == form;
         });
}

bool isHash(std::string_view text) {
  return text.empty() ||
         (text.size() == 16 && text.find_first_not_of("0123456789abcdef") == text.npos);
}

// Reads values by key; the first complaint stays.
class Fields {
 public:
  Fields(const Json& own, const Json* common) : own_(own), common_(common) {}

  const std::string& complaint() const { return complaint_; }
  void complain(std::string sentence) {
    if (complaint_.empty()) complaint_ = std::move(sentence);
  }

  const Json* find(const char* key, Need need) {
    const Json* found = nullptr;
    if (const auto it = own_.find(key); it != own_.end()) {
      found = &*it;
    } else if (common_ != nullptr && common_->is_object()) {
      if (const auto shared = common_->find(key); shared != common_->end()) found = &*shared;
    }
    if (found != nullptr && !found->is_null()) return found;
    if (need == Need::Required) complain(fmt::format("\"{}\" is missing", key));
    return nullptr;
  }

  void text(const char* key, std::string& into, Need need) {
    if (const Json* value = find(key, need)) textIn(*value, key, into);
    if (need == Need::Required && into.empty()) complain(fmt::format("\"{}\" is empty", key));
  }

  void texts(const char* key, std::vector<std::string>& into) {
    const Json* value = find(key, Need::Optional);
    if (value == nullptr) return;
    if (!value->is_array() || value->size() > kMostReasons) {
      return complain(fmt::format("\"{}\" is not a list of at most {} texts", key, kMostReasons));
    }
    for (const Json& item : *value) textIn(item, key, into.emplace_back());
  }

  void figure(const char* key, double most, double& into) {
    const Json* value = find(key, Need::Optional);
    if (value != nullptr && !numberIn(*value, 0, most, into)) {
      complain(fmt::format("\"{}\" is not a number from 0 to {:g}", key, most));
    }
  }

  void whole(const char* key, int least, int most, int& into, Need need) {
    const Json* value = find(key, need);
    double number = 0;
    if (value == nullptr) return;
    if (!numberIn(*value, least, most, number) || number != std::trunc(number)) {
      return complain(fmt::format("\"{}\" is not a whole number from {} to {}", key, least, most));
    }
    into = static_cast<int>(number);
  }

  void interval(const char* key, double most, Interval& into, Need need) {
    const Json* value = find(key, need);
    if (value == nullptr) return;
    Interval i;
    if (!value->is_array() || value->size() != 3 || !numberIn((*value)[0], 0, most, i.median) ||
        !numberIn((*value)[1], 0, most, i.low) || !numberIn((*value)[2], 0, most, i.high)) {
      return complain(fmt::format(
          "\"{}\" is not a list of median, low and high, numbers from 0 to {:g}", key, most));
    }
    if (i.low > i.median || i.median > i.high) {
      return complain(fmt::format("the median of \"{}\" is outside its interval", key));
    }
    into = i;
  }

 private:
  static bool numberIn(const Json& value, double least, double most, double& into) {
    if (!value.is_number()) return false;
    const double number = value.get<double>();
    if (!(number >= least && number <= most)) return false;  // NaN and infinity too
    into = number;
    return true;
  }

  void textIn(const Json& value, const char* key, std::string& into) {
    const auto* text = value.get_ptr<const std::string*>();
    if (text == nullptr) return complain(fmt::format("\"{}\" is not a text", key));
    if (text->size() > kLongestText) {
      return complain(fmt::format("\"{}\" is longer than {} bytes", key, kLongestText));
    }
    if (hasControlCharacters(*text)) {
      return complain(fmt::format("\"{}\" holds control characters", key));
    }
    into = *text;
  }

  const Json& own_;
  const Json* common_;
  std::string complaint_;
};

void readSchema(Fields& fields) {
  const Json* schema = fields.find("schema", Need::Required);
  if (schema == nullptr) return;
  const auto* text = schema->get_ptr<const std::string*>();
  if (text == nullptr) return fields.complain("\"schema\" is not a text");
  if (*text == kRunSchema) return;
  const bool ours = text->starts_with("tileloom.run/") && text->size() <= 40;
  if (ours && !hasControlCharacters(*text)) {
    return fields.complain(fmt::format(
        "this run is of schema {}, which this version does not know: update Tileloom", *text));
  }
  fields.complain(
      fmt::format("\"schema\" is {} and not {}: this is no run", inQuotes(*text), kRunSchema));
}

void readTile(Fields& fields, TileShape& tile) {
  const Json* value = fields.find("tile", Need::Required);
  if (value == nullptr) return;
  if (!value->is_object()) return fields.complain("\"tile\" is not an object of knobs");
  for (const auto& [key, number] : value->items()) {
    const auto knob =
        std::ranges::find_if(kAllKnobs, [&word = key](Knob k) { return name(k) == word; });
    if (knob == kAllKnobs.end()) {
      return fields.complain(
          fmt::format("\"tile\" has a knob, {}, that this version does not know: update Tileloom",
                      inQuotes(key)));
    }
    const double size = number.is_number() ? number.get<double>() : -1;
    if (!(size >= 0 && size <= kLargestKnob) || size != std::trunc(size)) {
      return fields.complain(
          fmt::format("{} of \"tile\" is not a whole number from 0 to {}", key, kLargestKnob));
    }
    tile[*knob] = static_cast<int>(size);
  }
}

void readOrigin(Fields& fields, Origin& origin) {
  std::string text{name(Origin::Live)};
  fields.text("origin", text, Need::Optional);
  if (text == name(Origin::Live)) {
    origin = Origin::Live;
  } else if (text == name(Origin::Recorded)) {
    origin = Origin::Recorded;
  } else {
    fields.complain("\"origin\" is neither \"live\" nor \"recorded\"");
  }
}

void readMachine(Fields& fields, RunRecord& r) {
  fields.text("when", r.when, Need::Required);
  if (!isUtcTime(r.when)) fields.complain("\"when\" is not a time like 2026-11-21T03:25:00Z");
  fields.text("device", r.device, Need::Required);
  fields.text("arch", r.arch, Need::Required);
  fields.text("driver", r.driver, Need::Optional);
  fields.text("cuda", r.cuda, Need::Optional);
}

void readSubject(Fields& fields, RunRecord& r) {
  fields.text("stage", r.stage, Need::Required);
  readTile(fields, r.tile);
  fields.whole("m", 1, kLargestDimension, r.problem.m, Need::Required);
  fields.whole("n", 1, kLargestDimension, r.problem.n, Need::Required);
  fields.whole("k", 1, kLargestDimension, r.problem.k, Need::Required);
  fields.text("source_hash", r.sourceHash, Need::Optional);
  if (!isHash(r.sourceHash)) fields.complain("\"source_hash\" is not 16 lower-case hex digits");
}

// The bounds are far above anything real: they catch slips of units and invented figures.
void readFigures(Fields& fields, RunRecord& r) {
  fields.interval("gflops", 1e9, r.gflops, Need::Required);
  fields.interval("cublas", 1e9, r.cublas, Need::Optional);
  fields.interval("ratio", 1e6, r.ratio, Need::Optional);
  fields.whole("rounds", 0, 1000000, r.rounds, Need::Optional);
  fields.figure("largest_error", 1e30, r.largestError);
  fields.figure("peak_percent", 1000, r.peakPercent);
  fields.figure("quantisation_loss", 1, r.quantisationLoss);
  fields.whole("sm_clock_mhz", 0, 100000, r.smClockMHz, Need::Optional);
  fields.figure("watts", 1e5, r.watts);
  fields.texts("throttled", r.throttled);
}

// [instructions, multiply-adds] of the main loop.
void readLoop(Fields& fields, sass::LoopSize& loop) {
  const Json* value = fields.find("loop", Need::Optional);
  if (value == nullptr) return;
  constexpr int kMost = 1 << 24;
  const auto count = [&](std::size_t i) {
    const Json& number = (*value)[i];
    return number.is_number_integer() && number >= 1 && number <= kMost ? number.get<int>() : 0;
  };
  if (value->is_array() && value->size() == 2) loop = {count(0), count(1)};
  if (loop.ffmas < 1 || loop.instructions < loop.ffmas) {
    loop = {};
    fields.complain(fmt::format(
        "\"loop\" is not a list of instructions and the FFMAs among them, from 1 to {}", kMost));
  }
}

void readResources(Fields& fields, RunRecord& r) {
  constexpr int kBytes = 1 << 30;
  fields.whole("registers", -1, 65536, r.registers, Need::Optional);
  fields.whole("spill_bytes", 0, kBytes, r.spillBytes, Need::Optional);
  fields.whole("static_shared", 0, kBytes, r.staticShared, Need::Optional);
  fields.whole("dynamic_shared", 0, kBytes, r.dynamicShared, Need::Optional);
  fields.whole("blocks_per_sm", 0, 65536, r.blocksPerSm, Need::Optional);
  fields.figure("occupancy", 1, r.occupancy);
  readLoop(fields, r.loop);
  if (fields.find("achieved_occupancy", Need::Optional) != nullptr) {
    constexpr double kCounted = 1.1;  // two counters read one after the other may exceed the whole
    fields.figure("achieved_occupancy", kCounted, r.achievedOccupancy.emplace());
  }
}

void readCounters(Fields& fields, RunRecord& r) {
  const Json* value = fields.find("counters", Need::Optional);
  if (value == nullptr) return;
  if (auto read = countersFrom(*value)) {
    r.counters = *read;
  } else {
    fields.complain(std::move(read.error()));
  }
}

}  // namespace

tl::expected<RunRecord, std::string> fromJson(const nlohmann::json& json,
                                              const nlohmann::json* common) {
  if (!json.is_object()) return tl::unexpected<std::string>("this is no JSON object");
  Fields fields(json, common);
  RunRecord record;
  readSchema(fields);  // first: of a version that we do not know, nothing else can be said
  readMachine(fields, record);
  readSubject(fields, record);
  readFigures(fields, record);
  readResources(fields, record);
  readCounters(fields, record);
  readOrigin(fields, record.origin);
  if (!fields.complaint().empty()) return tl::unexpected(fields.complaint());
  return record;
}

tl::expected<RunRecord, std::string> fromLine(std::string_view line) {
  if (line.size() > kLongestLine) {
    return tl::unexpected(fmt::format("this line is longer than {} KiB", kLongestLine / 1024));
  }
  return fromJson(Json::parse(line, nullptr, false));  // a text that is no JSON is no object either
}

}  // namespace tileloom::runs
