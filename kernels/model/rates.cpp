// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/rates.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/base/text_file.h"
#include "kernels/runs/run_store.h"

namespace tileloom::model {
namespace {

using Json = nlohmann::ordered_json;

// A value of the file and where it belongs; what a file may say.
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
                                    {"wavefront_wait", &Rates::wavefrontWait, 0, 100},
                                    {"slots_per_access", &Rates::slotsPerAccess, 0, 100}};
constexpr Field<Chip> kChipFields[] = {
    {"clock_mhz", &Chip::clockMHz, 1, 1e5},
    {"dram_bytes_per_second", &Chip::dramBytesPerSecond, 0, 1e15}};
constexpr Field<Machine> kMachineFields[] = {{"l2_cache_bytes", &Machine::l2CacheBytes, 0, 1e12}};
constexpr Field<FamilyRates> kFamilyFields[] = {{"slot", &FamilyRates::slot, 0.01, 100},
                                                {"chain", &FamilyRates::chain, 0, 100},
                                                {"fetch", &FamilyRates::fetch, 0, 1e5},
                                                {"dot", &FamilyRates::dot, 0, 1e4}};
constexpr Field<Band> kBandFields[] = {{"low", &Band::low, 0.01, 1}, {"high", &Band::high, 1, 100}};
constexpr const char* kFamilyNames[kFamilies] = {"untiled", "alternating", "fragments_ahead",
                                                 "staged", "pipelined"};

// Six digits are more than a fit can tell.
double rounded(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

template <class Owner, std::size_t N>
Json written(const Owner& owner, const Field<Owner> (&fields)[N]) {
  Json json = Json::object();
  for (const auto& f : fields) json[f.key] = rounded(owner.*f.member);
  return json;
}

// Empty, or what is wrong.
template <class Owner, std::size_t N>
std::string read(const Json& json, const std::string& where, const Field<Owner> (&fields)[N],
                 Owner& owner) {
  if (!json.is_object()) return fmt::format("\"{}\" is not an object", where);
  for (const auto& f : fields) {
    const auto value = json.find(f.key);
    const bool there = value != json.end() && value->is_number();
    const double number = there ? value->template get<double>() : 0;
    if (!there || !(number >= f.least && number <= f.most)) {
      return fmt::format("\"{}\" of {} is not a number from {:g} to {:g}", f.key, where, f.least,
                         f.most);
    }
    owner.*f.member = number;
  }
  return {};
}

const Json& part(const Json& json, const char* key) {
  static const Json none;
  const auto found = json.find(key);
  return found == json.end() ? none : *found;
}

// The last line of this architecture, or nothing; the complaint about the first broken line.
tl::expected<std::optional<Rates>, std::string> lastOf(std::string_view text,
                                                       std::string_view arch) {
  std::optional<Rates> found;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
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
               {"fitted", rates.fitted}};
  Json chip = written(rates.chip, kChipFields);
  chip["sms"] = rates.chip.machine.sms;
  chip.update(written(rates.chip.machine, kMachineFields));
  json["chip"] = std::move(chip);
  json.update(written(rates, kFields));
  for (std::size_t i = 0; i < kFamilies; ++i)
    json["families"][kFamilyNames[i]] = written(rates.families[i], kFamilyFields);
  json["with_code"] = written(rates.withCode, kBandFields);
  json["without_code"] = written(rates.withoutCode, kBandFields);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

tl::expected<Rates, std::string> ratesFromLine(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return tl::unexpected<std::string>("this is no JSON object");
  if (part(json, "schema") != kRatesSchema) {
    return tl::unexpected(
        fmt::format("\"schema\" is not {}: these are no constants of a "
                    "prediction that this version knows",
                    kRatesSchema));
  }
  Rates rates;
  const std::pair<const char*, std::string*> texts[] = {
      {"arch", &rates.arch}, {"device", &rates.device}, {"fitted", &rates.fitted}};
  for (const auto& [key, into] : texts) {
    const Json& value = part(json, key);
    constexpr std::size_t kLongest = 200;
    if (!value.is_string() || value.get_ref<const std::string&>().size() > kLongest)
      return tl::unexpected(fmt::format("\"{}\" is not a text of at most {} bytes", key, kLongest));
    *into = value.get<std::string>();
  }
  const Json& chip = part(json, "chip");
  std::string wrong = read(chip, "chip", kChipFields, rates.chip);
  if (wrong.empty()) wrong = read(chip, "chip", kMachineFields, rates.chip.machine);
  constexpr int kMostSms = 10000;
  if (wrong.empty()) {
    const Json& sms = part(chip, "sms");
    if (!sms.is_number_integer() || sms < 1 || sms > kMostSms)
      return tl::unexpected(fmt::format("\"sms\" is not a whole number from 1 to {}", kMostSms));
    rates.chip.machine.sms = sms.get<int>();
    wrong = read(json, "the constants", kFields, rates);
  }
  const Json& families = part(json, "families");
  for (std::size_t i = 0; i < kFamilies && wrong.empty(); ++i) {
    const Json& family = families.is_object() ? part(families, kFamilyNames[i]) : families;
    wrong = read(family, kFamilyNames[i], kFamilyFields, rates.families[i]);
  }
  if (wrong.empty())
    wrong = read(part(json, "with_code"), "with_code", kBandFields, rates.withCode);
  if (wrong.empty())
    wrong = read(part(json, "without_code"), "without_code", kBandFields, rates.withoutCode);
  if (!wrong.empty()) return tl::unexpected(wrong);
  return rates;
}

std::filesystem::path ownRatesFile() {
  return runs::defaultRunFile().parent_path() / "rates.jsonl";
}

tl::expected<Rates, std::string> ratesFor(std::string_view arch, const std::filesystem::path& own) {
  constexpr std::size_t kMost = 1 << 20;
  if (!own.empty()) {
    const auto text = readText(own, kMost);
    if (!text) return tl::unexpected(text.error());
    const auto mine = lastOf(*text, arch);
    if (!mine) return tl::unexpected(fmt::format("{}, {}", own.string(), mine.error()));
    if (*mine) return **mine;
  }
  const auto shipped = lastOf(shippedRatesText(), arch);
  if (shipped && *shipped) return **shipped;
  return tl::unexpected(fmt::format(
      "there are no constants for {}: measure some tiles there, then run `tileloom model fit`",
      arch));
}

}  // namespace tileloom::model
