// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/best.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/text_file.h"
#include "kernels/base/user_folders.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/identity/fingerprint.h"

namespace tileloom::tuning {
namespace {

double work(const Problem& p) {
  return std::log(static_cast<double>(p.m)) + std::log(static_cast<double>(p.n)) +
         std::log(static_cast<double>(p.k));
}

}  // namespace

std::filesystem::path defaultBestFile() {
  return userDataFile("best.jsonl");
}

std::string toLine(const BestTile& best) {
  auto json = runs::toJson(best.run);
  json["tied"] = best.tied;
  json["shards"] = best.shards;
  return dumped(json);
}

tl::expected<std::vector<BestTile>, std::string> readBest(const std::filesystem::path& file) {
  constexpr std::size_t kLargest = std::size_t{16} << 20;
  const auto text = readText(file, kLargest);
  if (!text) return tl::unexpected(text.error());
  return parseBest(*text);
}

std::vector<BestTile> parseBest(std::string_view text) {
  std::vector<BestTile> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto json = parseJsonObject(text.substr(0, end), kRecordBounds);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!json) continue;
    auto run = runs::fromJson(*json);
    JsonReader reader(*json);
    constexpr int kMost = std::numeric_limits<int>::max();
    const int tied = reader.integer("tied", 0, kMost);
    const int shards = reader.integer("shards", 0, kMost, 1);
    if (run && reader.good())
      all.push_back({std::move(*run), static_cast<std::size_t>(tied), shards});
  }
  return all;
}

tl::expected<void, std::string> appendBest(const std::filesystem::path& file,
                                           const BestTile& best) {
  return appendLine(file, toLine(best));
}

std::optional<BestTile> bestTile(std::span<const BestTile> all, const Stage& stage,
                                 const Problem& problem, const Here& here, Format format) {
  const std::string hash = fingerprintOf(stage);
  const BestTile* found = nullptr;
  const auto far = [&](const BestTile& b) { return std::abs(work(b.run.problem) - work(problem)); };
  for (const BestTile& b : all) {
    const runs::RunRecord& r = b.run;
    if (r.stage != stage.id || r.device != here.device || r.driver != here.driver ||
        r.fingerprint != hash || r.format != format)
      continue;
    if (const auto arch = architectureNamed(r.arch);
        !isLegal(stage, r.tile, arch ? *arch : defaultArchitecture()))
      continue;
    // A part of the space says less than the whole; then nearness; then the later one.
    const auto key = [&](const BestTile& x) {
      return std::tuple(!(x.run.problem == problem), far(x), x.shards > 1);
    };
    if (found == nullptr || key(b) < key(*found) ||
        (key(b) == key(*found) && b.run.when >= found->run.when))
      found = &b;
  }
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::string tunedText(const BestTile& best) {
  return fmt::format("tile tuned on this device, {}, for {}", best.run.when.substr(0, 10),
                     toString(best.run.problem));
}

}  // namespace tileloom::tuning
