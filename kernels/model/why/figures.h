// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a tile that determine its costs: a sentence about a cost quotes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/prediction/costs.h"

namespace tileloom::model {

enum class FigureId : std::uint8_t {
  FmasPerLoad,
  WavefrontsPerLoad,
  ConflictShare,
  SlotsPerFma,
  LostToBanks,
  LoopKiB,
  TurnsPerKTile,
  SectorsPerRequest,
  OperandBytesPerFlop,
  L2BytesPerFlop,
  DramBytesPerFlop,
  BlocksPerSm,
  WarpsPerBlock,
  Occupancy,
  KTiles,
  Waves,
  LastWave,
  Padding,
  Registers,
  SpillBytes,
};
inline constexpr std::size_t kFigures = 20;
std::string_view name(FigureId id);  // "multiply-adds per shared load"
std::string_view key(FigureId id);   // "fmas_per_shared_load", for JSON

struct Figure {
  FigureId id{};
  double value = 0;  // shares are 0 to 1
  Source source = Source::Predicted;
};

// Those that are known and have a meaning for this tile, in the order of FigureId.
std::vector<Figure> figuresOf(const TileCosts& tile, const Architecture& arch);
std::optional<Figure> find(const std::vector<Figure>& figures, FigureId id);

// "21.3", "12.5 %"
std::string valueText(const Figure& figure);

// A figure with different values for two tiles.
struct FigureChange {
  Figure from, to;
};
// Those that changed by at least half a percent; the ones that explain `cause` come first.
std::vector<FigureChange> changedFigures(const std::vector<Figure>& from,
                                         const std::vector<Figure>& to, Cost cause);

// The figures that explain a cost, the most significant first.
std::vector<FigureId> figuresBehind(Cost cost);

}  // namespace tileloom::model
