// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/recorded/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/base/json_reader.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/read_subject.h"
#include "kernels/tile/words.h"
#include "kernels/timeline/recorded/stamp_words.h"

namespace tileloom::timeline {
namespace {

using nlohmann::json;

constexpr JsonBounds kBounds{.bytes = 16 << 20, .values = 2 << 20};
constexpr std::size_t kLongestText = 200;
constexpr int kLargestDimension = 1 << 20;
constexpr std::size_t kMostSites = 1000, kMostWarps = 32;
constexpr int kMostStamps = 1 << 16;  // of a warp
constexpr int kPerStamp = 4;          // site, K tile + 1, cycles since the last timestamp, cycles
constexpr std::uint32_t kMostCycles = 1u << 31;

// The place of a timestamp in the source: its line, or in a file its place.
struct Site {
  std::uint8_t word = 1, groups = 0;
  std::uint16_t line = 0;
  bool operator==(const Site&) const = default;
};

std::optional<std::uint32_t> wholeAt(const json& list, std::size_t i, std::uint32_t most) {
  if (!list.is_array() || i >= list.size()) return std::nullopt;
  const auto value = jsonNumber(list[i], 0, static_cast<double>(most));
  if (!value || *value != static_cast<double>(static_cast<std::uint32_t>(*value)))
    return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<Site> siteFrom(const json& row) {
  if (!row.is_array() || row.size() != 3 || !row[0].is_string()) return std::nullopt;
  const auto word = stampWordNamed(row[0].get_ref<const std::string&>());
  const auto line = wholeAt(row, 1, 65535), groups = wholeAt(row, 2, 255);
  if (!word || !line || !groups) return std::nullopt;
  return Site{static_cast<std::uint8_t>(*word), static_cast<std::uint8_t>(*groups),
              static_cast<std::uint16_t>(*line)};
}

// std::nullopt: not the format of a warp's timestamps.
std::optional<std::vector<Stamp>> warpFrom(const json& row, const std::vector<Site>& sites) {
  if (!row.is_array() || row.size() % kPerStamp != 0 || row.size() > kMostStamps * kPerStamp)
    return std::nullopt;
  std::vector<Stamp> stamps;
  std::uint64_t now = 0;
  for (std::size_t i = 0; i < row.size(); i += kPerStamp) {
    const auto site = wholeAt(row, i, kMostSites), tile = wholeAt(row, i + 1, kLargestDimension),
               gap = wholeAt(row, i + 2, kMostCycles), length = wholeAt(row, i + 3, kMostCycles);
    if (!site || *site >= sites.size() || !tile || !gap || !length) return std::nullopt;
    const Site& s = sites[*site];
    const std::uint64_t begin = now + *gap;
    now = begin + *length;
    if (now > kMostCycles) return std::nullopt;
    stamps.push_back({s.word, s.groups, s.line, *tile == 0 ? emulator::kNoTile : *tile - 1,
                      static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(now)});
  }
  return stamps;
}

// std::nullopt: not the format of a warp's sums.
std::optional<WarpTime> timeFrom(const json& row) {
  if (!row.is_array() || row.size() != 1 + kSummed.size()) return std::nullopt;
  const auto all = wholeAt(row, 0, kMostCycles);
  if (!all || *all == 0) return std::nullopt;
  WarpTime time{.all = static_cast<double>(*all)};
  double waits = 0;
  for (std::size_t i = 0; i < kSummed.size(); ++i) {
    const auto cycles = wholeAt(row, i + 1, kMostCycles);
    if (!cycles) return std::nullopt;
    waits += time.on[i] = *cycles;
  }
  // Each of them was rounded.
  if (waits > time.all + kSummed.size()) return std::nullopt;
  return time;
}

}  // namespace

nlohmann::ordered_json toJson(const Measured& m) {
  using Json = nlohmann::ordered_json;
  Json tile = Json::object();
  for (const ParameterSpec& spec : m.rung()->parameters)
    tile[std::string(name(spec.parameter))] = m.tile[spec.parameter];
  std::vector<Site> sites;
  Json warps = Json::array();
  for (const auto& stamps : m.warps) {
    Json row = Json::array();
    std::uint32_t now = 0;
    for (const Stamp& s : stamps) {
      const Site site{s.word, s.groups, s.line};
      const auto found = std::ranges::find(sites, site);
      const auto at = found - sites.begin();
      if (found == sites.end()) sites.push_back(site);
      row.push_back(at);
      row.push_back(s.kTile == emulator::kNoTile ? 0 : s.kTile + 1);
      row.push_back(s.begin - now);
      row.push_back(s.end - s.begin);
      now = s.end;
    }
    warps.push_back(std::move(row));
  }
  Json places = Json::array();
  for (const Site& s : sites) {
    places.push_back(
        Json::array({stampWord(s.word)->name, placesIn(*m.rung()).placeOf(s.line), s.groups}));
  }
  Json times = Json::array();
  for (const WarpTime& time : m.times) {
    Json row = Json::array({std::llround(time.all)});
    for (const double cycles : time.on) row.push_back(std::llround(cycles));
    times.push_back(std::move(row));
  }
  Json all = {{"schema", kStampsSchema},
              {"when", m.when},
              {"device", m.device},
              {"arch", m.arch},
              {"cuda", m.cuda},
              {"stage", m.rung()->id},
              {"tile", std::move(tile)},
              {"arithmetic", rowOf(m.format).name},
              {"m", m.problem.m},
              {"n", m.problem.n},
              {"k", m.problem.k},
              {"fingerprint", m.fingerprint},
              {"clock_mhz", m.clockMHz},
              {"block", m.block},
              {"blocks", m.blocks},
              {"blocks_per_sm", m.blocksPerSm},
              {"timestamped_blocks_per_sm", m.stampedBlocksPerSm},
              {"plain_ms", m.plainMs},
              {"timestamped_ms", m.stampedMs},
              {"full", m.full},
              {"sites", std::move(places)},
              {"warps", std::move(warps)}};
  if (!m.times.empty()) {
    all["summed_ms"] = m.summedMs;
    all["times"] = std::move(times);
  }
  return all;
}

tl::expected<Measured, std::string> measuredFrom(std::string_view text) {
  const auto object = parseJsonObject(text, kBounds);
  if (!object) return tl::unexpected(object.error());
  JsonReader reader(*object, {.after = "\" of stamps"});
  const auto words = [&reader](const char* key) { return reader.text(key, kLongestText); };
  const std::string schema = words("schema");
  if (schema != kStampsSchema && schema != kFirstStampsSchema)
    reader.complain("schema", kStampsSchema);
  if (!reader.good()) return tl::unexpected(reader.complaint());
  Measured m;
  const auto subject = readSubject(reader, "the timestamps'");
  if (!subject) return tl::unexpected(reader.complaint());
  m.subject() = *subject;
  m.when = words("when");
  m.device = words("device");
  m.arch = words("arch");
  m.cuda = words("cuda");
  m.problem = {reader.integer("m", 1, kLargestDimension), reader.integer("n", 1, kLargestDimension),
               reader.integer("k", 1, kLargestDimension)};
  m.fingerprint = fingerprintFrom(reader, m.rung()->id);
  m.clockMHz = reader.integer("clock_mhz", 0, 100'000);
  m.blocks = reader.integer("blocks", 1, 1 << 30);
  m.block = reader.integer("block", 0, std::max(0, m.blocks - 1));
  m.blocksPerSm = reader.integer("blocks_per_sm", 1, 64);
  m.stampedBlocksPerSm = reader.integer("timestamped_blocks_per_sm", 1, 64);
  constexpr double kShortest = 1e-6, kLongest = 1e7;
  m.plainMs = reader.number("plain_ms", kShortest, kLongest);
  m.stampedMs = reader.number("timestamped_ms", kShortest, kLongest);
  m.full = reader.flag("full");
  // For an unknown text the lines are taken as today's: the timestamps are stale.
  const bool first = schema == kFirstStampsSchema;
  const TextKey* earlier =
      first ? textKeyNamed(m.rung()->id, reader.text("source_hash", kLongestText, "")) : nullptr;
  const auto lineOf = [&](int number) {
    const CodePlaces& places = placesIn(*m.rung());
    if (!first) return places.lineOf(number);
    return places.lineOf((earlier != nullptr ? earlier->places : places).placeOf(number));
  };
  std::vector<Site> sites;
  for (const json& row : reader.list("sites", kMostSites, "places in the source")) {
    auto site = siteFrom(row);
    if (!site) {
      reader.complain("sites", "a list of words, each with its place and a number of groups");
      break;
    }
    site->line = static_cast<std::uint16_t>(lineOf(site->line));
    sites.push_back(*site);
  }
  for (const json& row : reader.list("warps", kMostWarps, "warps")) {
    auto stamps = warpFrom(row, sites);
    if (!stamps) {
      reader.complain("warps", "a list of timestamps for each warp");
      break;
    }
    m.warps.push_back(std::move(*stamps));
  }
  if (reader.good() && std::ranges::all_of(m.warps, [](const auto& w) { return w.empty(); }))
    reader.say("warps", "has no timestamp");
  m.summedMs = reader.number("summed_ms", kShortest, kLongest, 0);
  for (const json& row : reader.list("times", kMostWarps, "warps", JsonReader::Need::Optional)) {
    const auto time = timeFrom(row);
    if (!time) {
      reader.complain(
          "times", "a list of whole cycles for each warp, with no wait longer than the warp runs");
      break;
    }
    m.times.push_back(*time);
  }
  if (reader.good() && m.times.empty() != (m.summedMs == 0))
    reader.say("times", "must be given if \"summed_ms\" is, and only then");
  if (reader.good() && !m.times.empty() && m.times.size() != m.warps.size())
    reader.say("times", "does not have one row for each of \"warps\"");
  if (!reader.good()) return tl::unexpected(reader.complaint());
  return m;
}

}  // namespace tileloom::timeline
