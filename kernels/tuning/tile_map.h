// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning landscape as a table over the values of two tile parameters: what is known about their
// tiles.
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
#include "kernels/tile/parameters.h"

namespace tileloom::tuning {

// What is known about one tile.
struct TileFigure {
  enum class Kind { Live, Recorded, Predicted };
  TileShape tile;
  runs::Interval gflops;  // if predicted: the band
  Kind kind = Kind::Recorded;
  int registers = -1;
  int blocksPerSm = 0;
  double ofCublas = 0;  // its speed over that of cuBLAS in the same run; 0: cuBLAS was not measured
  bool operator==(const TileFigure&) const = default;
};

// Devices that this stage was measured on at this size, the one with the most tiles first.
// Here and below only runs of this format count.
std::vector<std::string> devicesOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                   const Problem& problem, Format format);

// The latest run of each tile of this stage at this size on this device, live runs before recorded
// ones, only runs of the present source; fastest first.
std::vector<TileFigure> figuresOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                  const Problem& problem, std::string_view device, Format format);

// The fastest of these figures, and of how many; predicted and noisy ones are left out.
// std::nullopt: there is none.
struct Fastest {
  TileFigure figure;
  int tiles = 0;
};
std::optional<Fastest> fastestOf(std::span<const TileFigure> figures);
// The same of figuresOf().
std::optional<Fastest> fastestOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                 const Problem& problem, std::string_view device, Format format);

// GFLOP/s of cuBLAS in this format at this size on this device: the median over the runs of all
// stages that were measured together with it. 0: unknown.
double cublasOf(std::span<const runs::RunRecord* const> runs, const Problem& problem,
                std::string_view device, Format format = Format::Fp32);

// Which values the tile parameters that are not on the axes have.
enum class Others {
  AsNow,  // those of the present tile: one tile per cell
  Best    // those of the fastest known tile with the cell's two values
};

struct TileCell {
  enum class Kind { Illegal, Unknown, Known };
  Kind kind = Kind::Unknown;
  TileShape tile;                     // Others::Best and no known tile: a legal one, if any
  std::optional<std::size_t> figure;  // index in the figures that the map was made from
  std::string rule;                   // Illegal: what the constraint table says
  bool operator==(const TileCell&) const = default;
};

struct TileMap {
  const Stage* stage = nullptr;
  Parameter x = Parameter::BN, y = Parameter::BM;
  Others others = Others::AsNow;
  std::vector<int> valuesX, valuesY;  // ascending
  std::vector<TileCell> cells;        // row by row, in the order of valuesY

  std::size_t columns() const { return valuesX.size(); }
  std::size_t rows() const { return valuesY.size(); }
  const TileCell& at(std::size_t column, std::size_t row) const {
    return cells[row * columns() + column];
  }
  bool operator==(const TileMap&) const = default;
};

// Two different tile parameters of a stage and their values along the axes, ascending.
struct MapValues {
  Parameter x = Parameter::BN, y = Parameter::BM;
  std::vector<int> valuesX, valuesY;
  bool operator==(const MapValues&) const = default;
};

// The round values of each tile parameter, those of the present tile and those of all figures that
// can be shown on the map. Maps that are shown side by side get the same values from all their
// sweeps.
MapValues mapValues(const Stage& stage, const TileShape& present, Parameter x, Parameter y,
                    Others others, std::span<const std::span<const TileFigure>> sweeps);

// For Others::Best: a legal tile with these values of x and y. std::nullopt: there is none.
using Mend = std::function<std::optional<TileShape>(int x, int y)>;

// Without `mend`, legalTileLike() is used, which takes up to 10 ms per cell.
TileMap tileMap(const Stage& stage, const TileShape& present, MapValues values, Others others,
                std::span<const TileFigure> figures, const Architecture& arch,
                const Mend& mend = {});

}  // namespace tileloom::tuning
