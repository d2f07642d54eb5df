// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about legal tiles near a given one. All of them only ask the constraint table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"
#include "kernels/tile/round_values.h"

namespace tileloom {
namespace {

// How far apart two values are, as people see knobs: by ratio.
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

// Values worth trying for a knob that has to follow: round ones and the present one.
std::vector<int> followValues(const KnobSpec& spec, int present) {
  std::vector<int> values = roundValues(spec, true);
  if (present >= spec.min && present <= spec.max) values.push_back(present);
  std::sort(values.begin(), values.end(),
            [&](int a, int b) { return distance(a, present) < distance(b, present); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// What a knob can be changed to, the nearest value first.
struct Steps {
  struct Step {
    int value;
    double distance;  // from the present value
  };
  Knob knob;
  std::vector<Step> steps;
};

// Of all tiles that differ in one knob that is not `keep`: it may have any value, round or not.
// Each knob is searched outwards from its present value, as far as nothing nearer was found: a
// slider waits for the answer.
std::optional<TileShape> nearestByOneKnob(const Stage& stage, const TileShape& tile,
                                          std::optional<Knob> keep, const Architecture& arch) {
  Best best;
  for (const KnobSpec& spec : stage.knobs) {
    if (spec.knob == keep) continue;
    const int present = tile[spec.knob];
    for (const int step : {-1, 1}) {
      for (int v = std::clamp(present + step, spec.min - 1, spec.max + 1);
           v >= spec.min && v <= spec.max; v += step) {
        const double cost = distance(v, present);
        if (cost >= best.cost) break;
        const TileShape candidate = tile.with(spec.knob, v);
        if (!isLegal(stage, candidate, arch)) continue;
        best.offer(candidate, cost);
        break;
      }
    }
  }
  return best.tile;
}

// Of all knobs but `keep`. Made once for a search, which asks for them thousands of times.
std::vector<Steps> stepsFrom(const Stage& stage, const TileShape& tile, std::optional<Knob> keep) {
  std::vector<Steps> all;
  for (const KnobSpec& spec : stage.knobs) {
    if (keep && spec.knob == *keep) continue;
    const int present = tile[spec.knob];
    Steps& its = all.emplace_back(Steps{spec.knob, {}});
    for (const int value : followValues(spec, present)) {
      if (value != present) its.steps.push_back({value, distance(value, present)});
    }
  }
  return all;
}

// Tries every way of changing exactly `depth` of these knobs.
void search(const Stage& stage, const Architecture& arch, std::span<const Steps> knobs, int depth,
            const TileShape& tile, double cost, Best& best) {
  constexpr int kMostTries = 20000;
  if (cost >= best.cost || best.tries > kMostTries) return;
  if (depth == 0) {
    ++best.tries;
    if (isLegal(stage, tile, arch)) best.offer(tile, cost);
    return;
  }
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    for (const auto& [value, step] : knobs[i].steps) {
      if (cost + step >= best.cost || best.tries > kMostTries) break;  // the others are farther
      search(stage, arch, knobs.subspan(i + 1), depth - 1, tile.with(knobs[i].knob, value),
             cost + step, best);
    }
  }
}

}  // namespace

std::vector<int> legalValues(const Stage& stage, const TileShape& tile, Knob knob,
                             const Architecture& arch) {
  std::vector<int> values;
  const KnobSpec* spec = stage.spec(knob);
  if (spec == nullptr) return values;
  for (int v = spec->min; v <= spec->max; ++v) {
    if (isLegal(stage, tile.with(knob, v), arch)) values.push_back(v);
  }
  return values;
}

Nearest nearestValues(const Stage& stage, const TileShape& tile, Knob knob,
                      const Architecture& arch) {
  Nearest nearest;
  for (const int v : legalValues(stage, tile, knob, arch)) {
    if (v < tile[knob]) nearest.below = v;
    if (v > tile[knob] && !nearest.above) nearest.above = v;
  }
  return nearest;
}

std::optional<TileShape> nearestTile(const Stage& stage, const TileShape& tile,
                                     std::optional<Knob> keep, const Architecture& arch) {
  if (isLegal(stage, tile, arch)) return tile;
  if (const auto near = nearestByOneKnob(stage, tile, keep, arch)) return near;
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

std::optional<Knob> mendingKnob(const Stage& stage, const TileShape& tile,
                                std::optional<Knob> moved, const Architecture& arch) {
  const auto violation = firstViolation(stage, tile, arch);
  if (!violation) return std::nullopt;
  const auto mends = [&](Knob knob) {
    const Nearest nearest = nearestValues(stage, tile, knob, arch);
    return nearest.below || nearest.above;
  };
  if (moved && mends(*moved)) return moved;
  for (const Knob knob : violation->row->knobs) {
    if (knob != moved && mends(knob)) return knob;
  }
  return std::nullopt;
}

std::string explainTile(const Stage& stage, const TileShape& tile, std::optional<Knob> moved,
                        const Architecture& arch) {
  const auto violation = firstViolation(stage, tile, arch);
  if (!violation) return {};
  if (const auto knob = mendingKnob(stage, tile, moved, arch)) {
    const Nearest nearest = nearestValues(stage, tile, *knob, arch);
    if (nearest.below && nearest.above) {
      return fmt::format("{}; {} = {} or {} would do", violation->reason, name(*knob),
                         *nearest.below, *nearest.above);
    }
    return fmt::format("{}; {} = {} would do", violation->reason, name(*knob),
                       nearest.below ? *nearest.below : *nearest.above);
  }
  const auto near = nearestTile(stage, tile, moved, arch);
  if (!near) return violation->reason;
  std::string changes;
  for (const KnobSpec& spec : stage.knobs) {
    if ((*near)[spec.knob] == tile[spec.knob]) continue;
    changes +=
        fmt::format("{}{} = {}", changes.empty() ? "" : ", ", name(spec.knob), (*near)[spec.knob]);
  }
  return fmt::format("{}; the nearest legal tile has {}", violation->reason, changes);
}

}  // namespace tileloom
