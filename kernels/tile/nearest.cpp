// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about legal tiles near a given one. All of them only query the constraint table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/round_values.h"

namespace tileloom {
namespace {

// The distance of two values of a tile parameter: by ratio.
double distance(int a, int b) {
  return std::abs(std::log2(static_cast<double>(std::max(a, 1))) -
                  std::log2(static_cast<double>(std::max(b, 1))));
}

struct Best {
  std::optional<TileShape> tile;
  double cost = 1e9;
  int tries = 0;  // tiles judged: a slider must not wait for the far corners of the space

  void offer(const TileShape& candidate, double candidateCost) {
    if (candidateCost < cost) {
      cost = candidateCost;
      tile = candidate;
    }
  }
};

// Values worth trying for a tile parameter that must change with another one: round ones and the
// present one.
std::vector<int> followValues(const ParameterSpec& spec, int present) {
  std::vector<int> values = roundValues(spec, true);
  if (present >= spec.min && present <= spec.max) values.push_back(present);
  std::sort(values.begin(), values.end(),
            [&](int a, int b) { return distance(a, present) < distance(b, present); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// The values that a tile parameter can have, the nearest first.
struct Steps {
  struct Step {
    int value;
    double distance;  // from the present value
  };
  Parameter parameter;
  std::vector<Step> steps;
};

// The nearest of all tiles that differ in one tile parameter other than `keep`, which may have any
// value, round or not. Each tile parameter is searched outwards from its present value, until the
// distance exceeds that of the nearest tile found: a slider waits for the answer.
std::optional<TileShape> nearestByOneParameter(const Stage& stage, const TileShape& tile,
                                               std::optional<Parameter> keep,
                                               const Architecture& arch) {
  Best best;
  for (const ParameterSpec& spec : stage.parameters) {
    if (spec.parameter == keep) continue;
    const int present = tile[spec.parameter];
    for (const int step : {-1, 1}) {
      for (int v = std::clamp(present + step, spec.min - 1, spec.max + 1);
           v >= spec.min && v <= spec.max; v += step) {
        const double cost = distance(v, present);
        if (cost >= best.cost) break;
        const TileShape candidate = tile.with(spec.parameter, v);
        if (!isLegal(stage, candidate, arch)) continue;
        best.offer(candidate, cost);
        break;
      }
    }
  }
  return best.tile;
}

// The steps of all tile parameters except `keep`. Made once for a search, which reads them
// thousands of times.
std::vector<Steps> stepsFrom(const Stage& stage, const TileShape& tile,
                             std::optional<Parameter> keep) {
  std::vector<Steps> all;
  for (const ParameterSpec& spec : stage.parameters) {
    if (keep && spec.parameter == *keep) continue;
    const int present = tile[spec.parameter];
    Steps& its = all.emplace_back(Steps{spec.parameter, {}});
    for (const int value : followValues(spec, present)) {
      if (value != present) its.steps.push_back({value, distance(value, present)});
    }
  }
  return all;
}

// Tries every way of changing exactly `depth` of these tile parameters.
void search(const Stage& stage, const Architecture& arch, std::span<const Steps> parameters,
            int depth, const TileShape& tile, double cost, Best& best) {
  constexpr int kMostTries = 20000;
  if (cost >= best.cost || best.tries > kMostTries) return;
  if (depth == 0) {
    ++best.tries;
    if (isLegal(stage, tile, arch)) best.offer(tile, cost);
    return;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (const auto& [value, step] : parameters[i].steps) {
      if (cost + step >= best.cost || best.tries > kMostTries) break;  // the others are farther
      search(stage, arch, parameters.subspan(i + 1), depth - 1,
             tile.with(parameters[i].parameter, value), cost + step, best);
    }
  }
}

}  // namespace

std::vector<int> legalValues(const Stage& stage, const TileShape& tile, Parameter parameter,
                             const Architecture& arch) {
  std::vector<int> values;
  const ParameterSpec* spec = stage.spec(parameter);
  if (spec == nullptr) return values;
  for (int v = spec->min; v <= spec->max; ++v) {
    if (isLegal(stage, tile.with(parameter, v), arch)) values.push_back(v);
  }
  return values;
}

Nearest nearestValues(const Stage& stage, const TileShape& tile, Parameter parameter,
                      const Architecture& arch) {
  Nearest nearest;
  for (const int v : legalValues(stage, tile, parameter, arch)) {
    if (v < tile[parameter]) nearest.below = v;
    if (v > tile[parameter] && !nearest.above) nearest.above = v;
  }
  return nearest;
}

std::optional<TileShape> nearestTile(const Stage& stage, const TileShape& tile,
                                     std::optional<Parameter> keep, const Architecture& arch) {
  if (isLegal(stage, tile, arch)) return tile;
  if (const auto near = nearestByOneParameter(stage, tile, keep, arch)) return near;
  constexpr int kMostChanges = 4;
  const std::vector<Steps> steps = stepsFrom(stage, tile, keep);
  for (int depth = 2; depth <= kMostChanges; ++depth) {
    Best best;
    search(stage, arch, steps, depth, tile, 0.0, best);
    if (best.tile) return best.tile;
  }
  if (keep) return nearestTile(stage, tile, std::nullopt, arch);
  const TileShape standard = stage.standardTile();
  return isLegal(stage, standard, arch) ? std::optional(standard) : std::nullopt;
}

std::optional<Parameter> mendingParameter(const Stage& stage, const TileShape& tile,
                                          std::optional<Parameter> moved,
                                          const Architecture& arch) {
  const auto violation = firstViolation(stage, tile, arch);
  if (!violation) return std::nullopt;
  const auto mends = [&](Parameter parameter) {
    const Nearest nearest = nearestValues(stage, tile, parameter, arch);
    return nearest.below || nearest.above;
  };
  if (moved && mends(*moved)) return moved;
  for (const Parameter parameter : violation->row->parameters) {
    if (parameter != moved && mends(parameter)) return parameter;
  }
  return std::nullopt;
}

std::string explainTile(const Stage& stage, const TileShape& tile, std::optional<Parameter> moved,
                        const Architecture& arch) {
  const auto violation = firstViolation(stage, tile, arch);
  if (!violation) return {};
  if (const auto parameter = mendingParameter(stage, tile, moved, arch)) {
    const Nearest nearest = nearestValues(stage, tile, *parameter, arch);
    if (nearest.below && nearest.above) {
      return fmt::format("{}; choose {} = {} or {}", violation->reason, name(*parameter),
                         *nearest.below, *nearest.above);
    }
    return fmt::format("{}; choose {} = {}", violation->reason, name(*parameter),
                       nearest.below ? *nearest.below : *nearest.above);
  }
  const auto near = nearestTile(stage, tile, moved, arch);
  if (!near) return violation->reason;
  std::string changes;
  for (const ParameterSpec& spec : stage.parameters) {
    if ((*near)[spec.parameter] == tile[spec.parameter]) continue;
    changes += fmt::format("{}{} = {}", changes.empty() ? "" : ", ", name(spec.parameter),
                           (*near)[spec.parameter]);
  }
  return fmt::format("{}; the nearest legal tile has {}", violation->reason, changes);
}

}  // namespace tileloom
