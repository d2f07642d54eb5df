// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning landscape as a table: what is known of the tiles that two knobs span.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/runs/run_record.h"
#include "kernels/tile/constraints.h"

namespace tileloom::tuning {

// What is known of one tile.
struct TileFigure {
  enum class Kind { Live, Recorded, Predicted };
  TileShape tile;
  runs::Interval gflops;  // predicted: the band
  Kind kind = Kind::Recorded;
  int registers = -1;
  int blocksPerSm = 0;
  bool operator==(const TileFigure&) const = default;
};

// Devices that this stage was measured on at this size, the one with the most tiles first.
std::vector<std::string> devicesOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                   const Problem& problem);

// Of each tile of this stage the latest run at this size on this device, live ones before recorded
// ones, of the present source only; fastest first.
std::vector<TileFigure> figuresOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                  const Problem& problem, std::string_view device);

// What becomes of the knobs that are not on the axes.
enum class Others {
  AsNow,  // they stay those of the present tile: one tile a cell
  Best    // of all known tiles with the cell's two knobs the fastest
};

struct TileCell {
  enum class Kind { Illegal, Unknown, Known };
  Kind kind = Kind::Unknown;
  TileShape tile;                     // Best and not known: a legal one, if there is any
  std::optional<std::size_t> figure;  // of the figures that the map was made of
  std::string rule;                   // Illegal: what the table says
  bool operator==(const TileCell&) const = default;
};

struct TileMap {
  const Stage* stage = nullptr;
  Knob x = Knob::BN, y = Knob::BM;
  Others others = Others::AsNow;
  std::vector<int> valuesX, valuesY;  // ascending
  std::vector<TileCell> cells;        // row by row, valuesY first

  std::size_t columns() const { return valuesX.size(); }
  std::size_t rows() const { return valuesY.size(); }
  const TileCell& at(std::size_t column, std::size_t row) const {
    return cells[row * columns() + column];
  }
  bool operator==(const TileMap&) const = default;
};

// Two different knobs of a stage, and what stands along the axes: ascending.
struct MapValues {
  Knob x = Knob::BN, y = Knob::BM;
  std::vector<int> valuesX, valuesY;
  bool operator==(const MapValues&) const = default;
};

// The round values of each knob, those of the present tile and those of all the figures that can
// stand on the map: maps that stand side by side share them.
MapValues mapValues(const Stage& stage, const TileShape& present, Knob x, Knob y, Others others,
                    std::span<const std::span<const TileFigure>> sweeps);

// For Others::Best: a legal tile with these values of x and y, or nothing if there is none.
using Mend = std::function<std::optional<TileShape>(int x, int y)>;

// Without `mend`, legalTileLike() is asked, which takes up to 10 ms a cell.
TileMap tileMap(const Stage& stage, const TileShape& present, MapValues values, Others others,
                std::span<const TileFigure> figures, const Architecture& arch,
                const Mend& mend = {});

}  // namespace tileloom::tuning
