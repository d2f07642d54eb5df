// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/stall_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "kernels/base/json_reader.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/read_subject.h"
#include "kernels/tile/words.h"

namespace tileloom::runs {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestText = 200;
constexpr int kLargestDimension = 1 << 20;
constexpr std::size_t kMostInstructions = 1 << 16;
constexpr std::uint32_t kInstructionBytes = 16;
constexpr std::string_view kOtherKey = "stalled_other";
constexpr std::size_t kFirst = static_cast<std::size_t>(Counter::StalledBarrier);
static_assert(static_cast<std::size_t>(Counter::StalledSelected) - kFirst + 2 == kStallReasons);

std::string_view keyOf(std::size_t reason) {
  const auto counter = counterOfReason(reason);
  return counter ? specOf(*counter).key : kOtherKey;
}

// "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio" -> "barrier"
std::string_view reasonIn(std::string_view metric) {
  constexpr std::string_view kBefore = "issue_stalled_", kAfter = "_per_";
  const auto begin = metric.find(kBefore);
  if (begin == std::string_view::npos) return {};
  metric.remove_prefix(begin + kBefore.size());
  return metric.substr(0, metric.find(kAfter));
}

}  // namespace

std::optional<Counter> counterOfReason(std::size_t reason) {
  if (reason >= kOtherReason) return std::nullopt;
  return static_cast<Counter>(kFirst + reason);
}

std::optional<std::size_t> reasonNamed(std::string_view cupti) {
  constexpr std::string_view kBefore = "smsp__pcsamp_warps_issue_stalled_";
  if (!cupti.starts_with(kBefore) || cupti.ends_with("_not_issued")) return std::nullopt;
  cupti.remove_prefix(kBefore.size());
  for (std::size_t reason = 0; reason < kOtherReason; ++reason) {
    const std::string_view name = reasonIn(specOf(*counterOfReason(reason)).metric);
    // The counter says no_instruction, the sampler no_instructions.
    if (cupti == name || (cupti.ends_with('s') && cupti.substr(0, cupti.size() - 1) == name))
      return reason;
  }
  return kOtherReason;
}

std::uint64_t SampledInstruction::total() const {
  return std::accumulate(by.begin(), by.end(), std::uint64_t{0});
}

std::uint64_t StallSamples::total() const {
  std::uint64_t all = 0;
  for (const SampledInstruction& each : at) all += each.total();
  return all;
}

const SampledInstruction* StallSamples::find(std::uint32_t address) const {
  const auto found = std::ranges::lower_bound(at, address, {}, &SampledInstruction::address);
  return found != at.end() && found->address == address ? &*found : nullptr;
}

nlohmann::ordered_json toJson(const StallSamples& s) {
  nlohmann::ordered_json tile = nlohmann::ordered_json::object();
  for (const ParameterSpec& spec : s.rung()->parameters)
    tile[std::string(name(spec.parameter))] = s.tile[spec.parameter];
  auto reasons = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < kStallReasons; ++i) reasons.push_back(keyOf(i));
  auto at = nlohmann::ordered_json::array();
  for (const SampledInstruction& each : s.at) {
    auto row = nlohmann::ordered_json::array({each.address});
    for (const std::uint32_t n : each.by) row.push_back(n);
    at.push_back(std::move(row));
  }
  nlohmann::ordered_json all = {{"schema", kSamplesSchema},
                                {"when", s.when},
                                {"device", s.device},
                                {"arch", s.arch},
                                {"cuda", s.cuda},
                                {"stage", s.rung()->id},
                                {"tile", std::move(tile)},
                                {"arithmetic", rowOf(s.format).name},
                                {"m", s.problem.m},
                                {"n", s.problem.n},
                                {"k", s.problem.k},
                                {"fingerprint", s.fingerprint},
                                {"log2_period", s.log2Period},
                                {"dropped", s.dropped},
                                {"reasons", std::move(reasons)},
                                {"at", std::move(at)}};
  if (s.format == Format::Fp32) all.erase("arithmetic");
  return all;
}

tl::expected<StallSamples, std::string> stallSamplesFrom(const json& object) {
  if (!object.is_object()) return tl::unexpected(std::string("samples are not an object"));
  JsonReader reader(object, {.after = "\" of samples"});
  const auto text = [&reader](const char* key) { return reader.text(key, kLongestText); };
  if (text("schema") != kSamplesSchema) reader.complain("schema", kSamplesSchema);
  StallSamples s;
  const auto subject = readSubject(reader, "the samples'");
  if (!subject) return tl::unexpected(reader.complaint());
  s.subject() = *subject;
  s.when = text("when");
  s.device = text("device");
  s.arch = text("arch");
  s.cuda = text("cuda");
  s.problem = {reader.integer("m", 1, kLargestDimension), reader.integer("n", 1, kLargestDimension),
               reader.integer("k", 1, kLargestDimension)};
  s.fingerprint = fingerprintFrom(reader, s.rung()->id);
  s.log2Period = reader.integer("log2_period", 0, 63);
  s.dropped = static_cast<std::uint64_t>(reader.whole("dropped", 0, std::int64_t{1} << 53));
  // A sampler of another version may know other reasons: their places are their names'.
  std::size_t known = 0;
  for (const json& reason : reader.list("reasons", kStallReasons, "strings")) {
    if (reason.is_string() && reason == keyOf(known)) ++known;
  }
  if (known != kStallReasons) reader.complain("reasons", "the list of stall reasons");
  for (const json& row : reader.list("at", kMostInstructions, "rows")) {
    SampledInstruction& each = s.at.emplace_back();
    bool good = row.is_array() && row.size() == kStallReasons + 1;
    const auto number = [&](std::size_t i, std::uint32_t& into) {
      const auto value = good ? jsonNumber(row[i], 0, 4294967295.0) : std::nullopt;
      good = value && *value == static_cast<double>(static_cast<std::uint32_t>(*value));
      if (good) into = static_cast<std::uint32_t>(*value);
    };
    number(0, each.address);
    for (std::size_t i = 0; i < kStallReasons; ++i) number(i + 1, each.by[i]);
    const bool inOrder = s.at.size() < 2 || s.at[s.at.size() - 2].address < each.address;
    if (!good || !inOrder || each.address % kInstructionBytes != 0) {
      reader.complain("at", "a list of addresses, in order, each with its samples");
      break;
    }
  }
  if (!reader.good()) return tl::unexpected(reader.complaint());
  return s;
}

}  // namespace tileloom::runs
