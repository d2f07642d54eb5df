// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/run_index.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include "kernels/tile/parameters.h"

namespace tileloom::runs {
bool isDevice(std::string_view text, std::string_view part) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return part.empty() ||
         std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

std::size_t RunIndex::Hash::operator()(const Key& key) const {
  std::size_t hash = std::hash<std::string_view>()(key.stage);
  const auto mix = [&hash](int value) {
    hash ^= std::hash<int>()(value) + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
  };
  mix(static_cast<int>(key.format));
  for (const Parameter parameter : kAllParameters) mix(key.tile[parameter]);
  for (const int size : {key.problem.m, key.problem.n, key.problem.k}) mix(size);
  return hash;
}

RunIndex::RunIndex(std::span<const RunRecord> runs) {
  for (const RunRecord& run : runs)
    runs_[{run.stage, run.format, run.tile, run.problem}].push_back(&run);
  for (auto& [key, same] : runs_) {
    std::ranges::reverse(same);  // so that of equally late ones the last given comes first
    std::ranges::stable_sort(same, std::greater<>(),
                             [](const RunRecord* r) { return std::string_view(r->when); });
  }
}

const RunRecord* RunIndex::latest(std::string_view stage, const TileShape& tile,
                                  const Problem& problem, std::string_view device,
                                  Format format) const {
  const auto found = runs_.find({stage, format, tile, problem});
  if (found == runs_.end()) return nullptr;
  for (const RunRecord* run : found->second) {
    if (isDevice(run->device, device)) return run;
  }
  return nullptr;
}

}  // namespace tileloom::runs
