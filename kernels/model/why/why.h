// SPDX-License-Identifier: GPL-3.0-or-later
// Why a tile is as slow as it is: one plain value for the window and the command line.
//
//   const auto why = explainSpeed(workspace, stage, tile, problem, arch, rates, known);
//   for (const RankedCost& cost : why.costs) show(sentence(why, cost));   // why_text.h
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernels/model/prediction/next_tiles.h"
#include "kernels/model/why/cost_lines.h"
#include "kernels/model/why/figures.h"
#include "kernels/model/why/limit.h"
#include "kernels/model/why/stalls.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {

struct RankedCost {
  Cost cost{};
  double cycles = 0;                     // SM cycles of the launch
  double share = 0;                      // of the predicted time, 0 to 1
  Source source = Source::Predicted;     // Counted: from the counters of a run
  std::optional<double> predictedShare;  // where the share is counted
  // Of a cost that keeps a pipe busy: SM cycles of the launch, and their share of the predicted
  // time, 0 to 1. Less of it may count as its cost, because other pipes are busy and warps wait at
  // the same time.
  std::optional<double> busyCycles, busyShare;
  std::vector<Figure> figures;           // that determine it, the most significant first
  std::vector<Figure> predictedFigures;  // the counted ones of `figures`, as predicted
  std::uint16_t line = 0;                // of the stage's source, from 1; 0: none
  // Index of the NextTile that reduces it most, else increases it. One that was measured to be
  // slower is taken only if there is no other.
  std::optional<std::size_t> neighbour;
};

struct WhySlow : Launched {
  std::string device;  // of the prediction
  Prediction prediction;
  Limit limit;  // of the predicted time
  // The limit by the counters of the run, if it differs.
  std::optional<LimitKind> countedLimit;
  KernelFacts facts;
  std::optional<runs::RunRecord> run;  // of this very launch, if there is one
  std::vector<Figure> figures;         // all of the tile
  std::vector<RankedCost> costs;       // largest first; those below a thousandth are left out
  std::vector<NextTile> neighbours;    // in the order of the tile parameters, below before above
  std::array<double, kPipes> busy{};   // share of the predicted time that each Pipe is busy
  std::array<bool, kPipes> busyCounted{};  // from counters of the run
  double l2Bytes = 0;    // that an SM receives per cycle if L2 is busy all the time
  double sumsShare = 0;  // of the time, with split-K: partial sums, which the tail wave includes

  // The parts of wavefronts, conflicts and bytes that the counters of the run have.
  bool counted = false;
  std::vector<Stall> stalls;  // of the run, largest first; empty: it has none
};

// The run of a tile at this size; nullptr: there is none.
using RunOf = std::function<const runs::RunRecord*(const TileShape&)>;

// What is known about tiles from elsewhere.
struct Known {
  FactsOf facts;  // of this tile and its neighbours
  const runs::RunRecord* run =
      nullptr;              // of this tile at this size, on a device like that of the rates
  RunOf neighbourRun = {};  // may be empty
};

// The tile is legal and can be traced. std::nullopt: known.facts has nothing on the tile itself.
std::optional<WhySlow> explainSpeed(emulator::Workspace& workspace, const Subject& subject,
                                    const Problem& problem, const Architecture& arch,
                                    const Rates& rates, const Known& known);

// The same question for two tiles: what changed from one to the other.
struct WhyMoved {
  Subject from, to;  // of one rung
  Problem problem;
  Move move;
  std::vector<FigureChange> figures;       // those that explain the cause come first
  std::optional<runs::RunRatio> runRatio;  // of `to` over `from`, where both have runs
  std::uint16_t line = 0;                  // of the cause, in the source; 0: none
  Source source = Source::Predicted;       // Counted: both runs have counters
};

// Both tiles, of one rung in one format, as in explainSpeed(); std::nullopt: the facts of one of
// them are unknown.
std::optional<WhyMoved> explainMove(emulator::Workspace& workspace, const Subject& from,
                                    const Subject& to, const Problem& problem,
                                    const Architecture& arch, const Rates& rates,
                                    const FactsOf& facts, const runs::RunRecord* fromRun = nullptr,
                                    const runs::RunRecord* toRun = nullptr);

}  // namespace tileloom::model
