// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/next_tiles.h"

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"

namespace tileloom::model {
namespace {

bool isUsual(int value) {
  return (value & (value - 1)) == 0;
}

// The next legal values below and above. If dozens are legal, an odd value next to a power of two
// is not a useful try: the next power of two counts instead.
Nearest nextValues(const Stage& stage, const TileShape& tile, Parameter parameter,
                   const Architecture& arch) {
  constexpr std::size_t kMany = 12;
  Nearest next = nearestValues(stage, tile, parameter, arch);
  const std::vector<int> legal = legalValues(stage, tile, parameter, arch);
  if (legal.size() < kMany) return next;
  const int now = tile[parameter];
  for (const int value : legal) {  // ascending
    if (!isUsual(value)) continue;
    if (value < now) next.below = value;
    if (value > now) {
      next.above = value;
      break;
    }
  }
  return next;
}

}  // namespace

std::vector<Turn> turnsOf(const Stage& stage, const TileShape& tile, const Architecture& arch) {
  std::vector<Turn> turns;
  for (const ParameterSpec& spec : stage.parameters) {
    const Nearest next = nextValues(stage, tile, spec.parameter, arch);
    for (const auto& value : {next.below, next.above}) {
      if (value) turns.push_back({spec.parameter, *value});
    }
  }
  return turns;
}

std::vector<NextTile> nextTiles(emulator::Workspace& workspace, const TileCosts& here,
                                const Architecture& arch, const Rates& rates,
                                const FactsOf& facts) {
  std::vector<NextTile> next;
  std::optional<TileCosts> guessed;  // this tile, for neighbours that have not been compiled
  for (const Turn& turn : turnsOf(*here.rung(), here.tile, arch)) {
    const TileShape tile = here.tile.with(turn.parameter, turn.value);
    const auto known = facts(tile);
    if (!known && !guessed) {
      guessed = costsOf(workspace, here, here.problem, guessedFacts(*here.rung(), here.tile, arch),
                        rates);
    }
    const KernelFacts used = known ? *known : guessedFacts(*here.rung(), tile, arch);
    const TileCosts there = costsOf(workspace, here.with(tile), here.problem, used, rates);
    NextTile n{turn.parameter, here.tile[turn.parameter], turn.value, used, {}, {}, {}};
    n.move = moveBetween(known ? here : *guessed, there, rates);
    for (const CostChange& change : n.move.changes) n.changes[change.cost] = change.cycles;
    next.push_back(std::move(n));
  }
  return next;
}

}  // namespace tileloom::model
