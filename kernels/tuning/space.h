// SPDX-License-Identifier: GPL-3.0-or-later
// The search space of a stage: the values that each tile parameter may take, and every legal tile
// that can be made of them. Only the constraint table decides what is legal; its rules are applied
// as early as possible, which saves most of the work.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tile/constraints.h"

namespace tileloom::tuning {

struct ParameterValues {
  Parameter parameter;
  std::vector<int> values;  // ascending, each once
  bool operator==(const ParameterValues&) const = default;
};

struct SpaceOptions {
  bool threes = false;                  // also three times a power of two
  std::vector<ParameterValues> listed;  // for these tile parameters, only these values
  bool operator==(const SpaceOptions&) const = default;
};

// Powers of two (and threes) within the tile parameter's range. Late tile parameters
// (kernels/tile/parameters.h) take their least value, the usual one and twice that.
std::vector<int> searchValues(const ParameterSpec& spec, bool threes);

// Without the listed tile parameters that the stage does not have.
SpaceOptions optionsFor(const Stage& stage, SpaceOptions options);

struct Rejection {
  std::string_view row;  // id of the constraint table's row
  std::uint64_t tiles = 0;
};

struct Space {
  std::vector<ParameterValues> parameters;  // the stage's, in its order
  std::uint64_t generated = 0;              // all combinations
  std::vector<TileShape>
      legal;  // sorted by the stage's first tile parameter, then by the second, …
  // How many tiles each row excludes, in table order. A tile counts once, for the first row that
  // fails when rows are applied as soon as their tile parameters are set. With legal.size() the
  // numbers add up to `generated`.
  std::vector<Rejection> rejected;
  std::uint64_t judged = 0;  // how often a row was applied: the cost of making the space
};

// Tile parameters are set one after another, and a row of the table is applied as soon as all tile
// parameters that it names are set; if it fails, all combinations that begin with these values are
// skipped. The result is the same as trying all combinations with isLegal(), at a small part of the
// cost. The error is one sentence: a listed tile parameter that the stage does not have, or a value
// out of its range.
tl::expected<Space, std::string> spaceOf(const Stage& stage, const SpaceOptions& options = {},
                                         const Architecture& arch = defaultArchitecture());

// A legal tile that has the same values as `tile` for the tile parameters `kept`. The other tile
// parameters, powers of two and three times those, have values near to those of `tile`, and the
// same values if that is legal. std::nullopt: no values of the other tile parameters make the tile
// legal.
std::optional<TileShape> legalTileLike(const Stage& stage, const TileShape& tile,
                                       std::span<const Parameter> kept,
                                       const Architecture& arch = defaultArchitecture());

}  // namespace tileloom::tuning
