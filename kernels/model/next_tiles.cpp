// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/next_tiles.h"

#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"

namespace tileloom::model {
namespace {

bool isUsual(int value) {
  return (value & (value - 1)) == 0;
}

// The next legal values below and above. Where dozens are legal, an odd one beside a power of two
// is nobody's next try: there the next power of two counts.
Nearest nextValues(const Stage& stage, const TileShape& tile, Knob knob, const Architecture& arch) {
  constexpr std::size_t kMany = 12;
  Nearest next = nearestValues(stage, tile, knob, arch);
  const std::vector<int> legal = legalValues(stage, tile, knob, arch);
  if (legal.size() < kMany) return next;
  const int now = tile[knob];
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
  for (const KnobSpec& spec : stage.knobs) {
    const Nearest next = nextValues(stage, tile, spec.knob, arch);
    for (const auto& value : {next.below, next.above}) {
      if (value) turns.push_back({spec.knob, *value});
    }
  }
  return turns;
}

std::vector<NextTile> nextTiles(emulator::Workspace& workspace, const TileCosts& here,
                                const Architecture& arch, const Rates& rates,
                                const FactsOf& facts) {
  std::vector<NextTile> next;
  std::optional<TileCosts> guessed;  // this tile, for neighbours that nobody has compiled
  for (const Turn& turn : turnsOf(*here.stage, here.tile, arch)) {
    const TileShape tile = here.tile.with(turn.knob, turn.value);
    const auto known = facts(tile);
    if (!known && !guessed) {
      guessed = costsOf(workspace, *here.stage, here.tile, here.problem,
                        guessedFacts(*here.stage, here.tile, arch), rates);
    }
    const KernelFacts used = known ? *known : guessedFacts(*here.stage, tile, arch);
    const TileCosts there = costsOf(workspace, *here.stage, tile, here.problem, used, rates);
    NextTile n{turn.knob, here.tile[turn.knob], turn.value, used, {}, {}, {}};
    n.move = moveBetween(known ? here : *guessed, there, rates);
    for (const CostChange& change : n.move.changes) n.changes[change.cost] = change.cycles;
    next.push_back(std::move(n));
  }
  return next;
}

}  // namespace tileloom::model
