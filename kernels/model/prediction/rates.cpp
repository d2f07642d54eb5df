// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/base/user_folders.h"
#include "kernels/runs/run_store.h"

namespace tileloom::model {
namespace {

using Json = nlohmann::ordered_json;

// A value of the file, its destination, and what a file may say.
template <class Owner>
struct Field {
  const char* key;
  double Owner::*member;
  double least;
  double most;
};

constexpr Field<Rates> kFields[] = {{"mixing", &Rates::mixing, 1, 100},
                                    {"l2_bytes", &Rates::l2Bytes, 0.1, 1e4},
                                    {"sector_cycles", &Rates::sectorCycles, 0, 100},
                                    {"slots_per_access", &Rates::slotsPerAccess, 0, 100}};
constexpr Field<Chip> kChipFields[] = {
    {"clock_mhz", &Chip::clockMHz, 1, 1e5},
    {"dram_bytes_per_second", &Chip::dramBytesPerSecond, 0, 1e15}};
constexpr Field<Machine> kMachineFields[] = {{"l2_cache_bytes", &Machine::l2CacheBytes, 0, 1e12}};
constexpr Field<FamilyRates> kFamilyFields[] = {
    {"slot", &FamilyRates::slot, 0.01, 100}, {"chain", &FamilyRates::chain, 0, 100},
    {"fetch", &FamilyRates::fetch, 0, 1e5},  {"dot", &FamilyRates::dot, 0, 1e4},
    {"turn", &FamilyRates::turn, 0, 1e4},    {"barrier", &FamilyRates::barrier, 0, 1e4},
    {"store", &FamilyRates::store, 0, 1e4},  {"code", &FamilyRates::code, 0, 1e4},
    {"hidden", &FamilyRates::hidden, 0, 10}, {"sums", &FamilyRates::sums, 0, 1e5}};
constexpr Field<Band> kBandFields[] = {{"low", &Band::low, 0.01, 1}, {"high", &Band::high, 1, 100}};
constexpr const char* kFamilyNames[kFamilies] = {"untiled", "alternating", "fragments_ahead",
                                                 "staged",  "pipelined",   "warp_tiled",
                                                 "copied",  "rewritten"};

constexpr std::size_t kLongest = 200;  // text of a line

// A fit is not accurate to more than six digits.
double rounded(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

template <class Owner, std::size_t N>
Json written(const Owner& owner, const Field<Owner> (&fields)[N]) {
  Json json = Json::object();
  for (const auto& f : fields) json[f.key] = rounded(owner.*f.member);
  return json;
}

// Reads the fields of `owner` from an object of the file; `where` names it in error messages.
template <class Owner, std::size_t N>
void read(JsonReader& file, const nlohmann::json* object, const std::string& where,
          const Field<Owner> (&fields)[N], Owner& owner) {
  if (object == nullptr) return;  // reported already
  JsonReader reader(*object, {.after = "\" of " + where});
  for (const auto& f : fields) owner.*f.member = reader.number(f.key, f.least, f.most);
  if (!reader.good()) file.take(reader.complaint());
}

// Whether the line holds constants of an earlier version.
bool isEarlier(std::string_view line) {
  const auto json = parseJsonObject(line, kRecordBounds);
  if (!json) return false;
  const auto schema = json->find("schema");
  return schema != json->end() && std::ranges::any_of(kEarlierRatesSchemas, [&](auto earlier) {
           return *schema == earlier;
         });
}

// The last line of this architecture, or nothing; the error of the first broken line.
tl::expected<std::optional<Rates>, std::string> lastOf(std::string_view text,
                                                       std::string_view arch) {
  std::optional<Rates> found;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos || isEarlier(line)) continue;
    const auto rates = ratesFromLine(line);
    if (!rates) return tl::unexpected(fmt::format("line {}: {}", number, rates.error()));
    if (rates->arch == arch) found = *rates;
  }
  return found;
}

}  // namespace

std::string toLine(const Rates& rates) {
  Json json = {{"schema", kRatesSchema},
               {"arch", rates.arch},
               {"device", rates.device},
               // Grows with every fit of some rungs.
               {"fitted", rates.fitted.substr(0, kLongest)}};
  Json chip = written(rates.chip, kChipFields);
  chip["sms"] = rates.chip.machine.sms;
  chip.update(written(rates.chip.machine, kMachineFields));
  json["chip"] = std::move(chip);
  json.update(written(rates, kFields));
  for (std::size_t i = 0; i < kFamilies; ++i) {
    json["families"][kFamilyNames[i]] = written(rates.families[i], kFamilyFields);
  }
  json["with_code"] = written(rates.withCode, kBandFields);
  json["without_code"] = written(rates.withoutCode, kBandFields);
  return dumped(json);
}

tl::expected<Rates, std::string> ratesFromLine(std::string_view line) {
  const auto json = parseJsonObject(line, kRecordBounds);
  if (!json) return tl::unexpected(json.error());
  JsonReader reader(*json);
  const auto* schema = reader.find("schema");
  if (schema == nullptr || *schema != kRatesSchema) {
    return tl::unexpected(
        fmt::format("\"schema\" is not {}: this version does not know these prediction constants",
                    kRatesSchema));
  }
  Rates rates;
  rates.arch = reader.text("arch", kLongest);
  rates.device = reader.text("device", kLongest);
  rates.fitted = reader.text("fitted", kLongest);
  const auto* chip = reader.object("chip");
  read(reader, chip, "chip", kChipFields, rates.chip);
  read(reader, chip, "chip", kMachineFields, rates.chip.machine);
  if (chip != nullptr) {
    constexpr int kMostSms = 10000;
    JsonReader inner(*chip);
    rates.chip.machine.sms = inner.integer("sms", 1, kMostSms);
    if (!inner.good()) reader.take(inner.complaint());
  }
  read(reader, &*json, "the constants", kFields, rates);
  if (const auto* families = reader.object("families")) {
    JsonReader inner(*families);
    for (std::size_t i = 0; i < kFamilies; ++i)
      read(inner, inner.object(kFamilyNames[i]), kFamilyNames[i], kFamilyFields, rates.families[i]);
    if (!inner.good()) reader.take(inner.complaint());
  }
  read(reader, reader.object("with_code"), "with_code", kBandFields, rates.withCode);
  read(reader, reader.object("without_code"), "without_code", kBandFields, rates.withoutCode);
  if (!reader.good()) return tl::unexpected(reader.complaint());
  return rates;
}

std::filesystem::path ownRatesFile() {
  return userDataFile("rates.jsonl");
}

tl::expected<Rates, std::string> ratesFor(std::string_view arch, const std::filesystem::path& own) {
  constexpr std::size_t kMost = 1 << 20;
  if (!own.empty()) {
    const auto text = readText(own, kMost);
    if (!text) return tl::unexpected(text.error());
    const auto mine = lastOf(*text, arch);
    if (!mine) return tl::unexpected(fmt::format("{}, {}", quotableFile(own), mine.error()));
    if (*mine) return **mine;
  }
  for (const EmbeddedFile& file : shippedRateFiles()) {
    const auto shipped = lastOf(file.text, arch);
    if (shipped && *shipped) return **shipped;
  }
  return tl::unexpected(fmt::format(
      "there are no constants for {}: measure some tiles there, then run `tileloom model fit`",
      arch));
}

bool isPredicted(const Stage& stage) {
  return stage.isRung() && stage.ladder == Ladder::Fp32;
}

std::string noPredictionSentence() {
  return fmt::format("N{}.", kNoPrediction.substr(1));
}

tl::expected<Rates, std::string> ratesOf(const Stage& stage, std::string_view arch) {
  if (!isPredicted(stage)) return tl::unexpected(std::string(kNoPrediction));
  return ratesFor(arch);
}

}  // namespace tileloom::model
