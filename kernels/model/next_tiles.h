// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles that one turn of one knob leads to, and how fast each is predicted to be.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/model/move.h"

namespace tileloom::model {

// What is known about the kernel of a tile; std::nullopt: nothing, or not one block fits on an SM.
using FactsOf = std::function<std::optional<KernelFacts>(const TileShape&)>;

struct NextTile {
  Knob knob{};
  int from = 0;
  int value = 0;
  KernelFacts facts;
  Move move;           // from the tile that is explained
  CostCycles changes;  // of the move, by cost; SM cycles of the launch
  // Speed over that of the tile that is explained, where runs of both on one device tell.
  std::optional<double> measuredRatio;
  // The measured ratio where there is one, else the predicted one.
  double speedRatio() const { return measuredRatio.value_or(move.speedRatio); }
};

// One turn of one knob.
struct Turn {
  Knob knob{};
  int value = 0;
};
// For each knob of the stage the next legal value below and above, the other knobs unchanged (the
// next power of two where dozens of values are legal). A knob that cannot move alone has none.
std::vector<Turn> turnsOf(const Stage& stage, const TileShape& tile, const Architecture& arch);

// The tiles that all turns lead to. Where `facts` knows nothing of one, registers are guessed for
// both tiles of that comparison. `here` was predicted with `rates`. Traces one K tile of each.
std::vector<NextTile> nextTiles(emulator::Workspace& workspace, const TileCosts& here,
                                const Architecture& arch, const Rates& rates, const FactsOf& facts);

}  // namespace tileloom::model
