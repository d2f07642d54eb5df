// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/neighbours.h"

#include <array>
#include <map>
#include <string>
#include <tuple>

#include "kernels/tile/parameters.h"

namespace tileloom::runs {
namespace {

using Values = std::array<int, kParameterCount>;

Values valuesOf(const TileShape& tile) {
  Values values{};
  for (std::size_t i = 0; i < kParameterCount; ++i) values[i] = tile[kAllParameters[i]];
  return values;
}

}  // namespace

std::vector<Neighbours> neighbours(std::span<const RunRecord* const> runs) {
  using Launch = std::tuple<std::string, std::string, Format, int, int, int>;
  std::map<Launch, std::map<Values, std::size_t>> launches;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& run = *runs[i];
    const Launch launch{run.device,    run.stage,     run.format,
                        run.problem.m, run.problem.n, run.problem.k};
    launches[launch][valuesOf(run.tile)] = i;
  }
  std::vector<Neighbours> pairs;
  for (const auto& [launch, tiles] : launches) {
    for (std::size_t parameter = 0; parameter < kParameterCount; ++parameter) {
      std::map<Values, std::map<int, std::size_t>>
          rows;  // by the other tile parameters, then by this one
      for (const auto& [values, index] : tiles) {
        Values others = values;
        others[parameter] = 0;
        rows[others][values[parameter]] = index;
      }
      for (const auto& [others, row] : rows) {
        for (auto at = row.begin(), next = std::next(at); next != row.end(); at = next++)
          pairs.push_back({at->second, next->second, kAllParameters[parameter]});
      }
    }
  }
  return pairs;
}

}  // namespace tileloom::runs
