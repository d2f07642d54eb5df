// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles that one change of one parameter leads to, and their predicted speeds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/model/prediction/move.h"
#include "kernels/runs/run_ratio.h"

namespace tileloom::model {

// What is known about the kernel of a tile; std::nullopt: nothing, or not even one block fits on an
// SM.
using FactsOf = std::function<std::optional<KernelFacts>(const TileShape&)>;

struct NextTile {
  Parameter parameter{};
  int from = 0;
  int value = 0;
  KernelFacts facts;
  Move move;           // from the explained tile
  CostCycles changes;  // of the move, by cost; SM cycles of the launch
  // Speed over that of the explained tile, if there are runs of both on one device.
  std::optional<runs::RunRatio> runRatio;
  // The ratio of the runs where there is one, else the predicted one.
  double speedRatio() const { return runRatio ? runRatio->speed : move.speedRatio; }
};

// One change of one tile parameter.
struct Turn {
  Parameter parameter{};
  int value = 0;
};
// For each tile parameter of the stage the next legal value below and above, the other parameters
// unchanged (the next power of two if dozens of values are legal). A parameter that cannot change
// alone has none.
std::vector<Turn> turnsOf(const Stage& stage, const TileShape& tile, const Architecture& arch);

// The tiles that all changes lead to. If `facts` knows nothing about one, registers are guessed for
// both tiles of that comparison. `here` was predicted with `rates`. Traces one K tile of each.
std::vector<NextTile> nextTiles(emulator::Workspace& workspace, const TileCosts& here,
                                const Architecture& arch, const Rates& rates, const FactsOf& facts);

}  // namespace tileloom::model
