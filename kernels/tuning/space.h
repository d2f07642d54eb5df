// SPDX-License-Identifier: GPL-3.0-or-later
// The search space of a stage: the values that each knob may take, and every legal tile that can be
// made of them. The constraint table is the only judge; it is asked early.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tile/constraints.h"

namespace tileloom::tuning {

struct KnobValues {
  Knob knob;
  std::vector<int> values;  // ascending, each once
  bool operator==(const KnobValues&) const = default;
};

struct SpaceOptions {
  bool threes = false;             // three times a power of two, too
  std::vector<KnobValues> listed;  // these values instead, for the knobs that are named
  bool operator==(const SpaceOptions&) const = default;
};

// Powers of two (and threes) within the knob's range. PAD, STAGES and GROUP, which say how a tile
// is kept and not what it is, take their least value, the usual one and twice that.
std::vector<int> searchValues(const KnobSpec& spec, bool threes);

struct Rejection {
  std::string_view row;  // id of the constraint table's row
  std::uint64_t tiles = 0;
};

struct Space {
  std::vector<KnobValues> knobs;  // the stage's, in its order
  std::uint64_t generated = 0;    // all combinations
  std::vector<TileShape> legal;   // sorted by the stage's first knob, then by the second, …
  // Which row put how many aside, each tile once: by the first row that fails when rows are judged
  // as soon as their knobs are set. With legal.size() they add up to `generated`. In table order.
  std::vector<Rejection> rejected;
  std::uint64_t judged = 0;  // rows asked: what making the space has cost
};

// Knobs are set one after another, and a row of the table is asked as soon as all knobs that it
// names are set: what it refuses is cut off with everything below. The same tiles as trying all
// combinations with isLegal(), at a small part of the price. The error: a listed knob that the
// stage does not have, or a value out of its range, in one sentence.
tl::expected<Space, std::string> spaceOf(const Stage& stage, const SpaceOptions& options = {},
                                         const Architecture& arch = defaultArchitecture());

// A legal tile with these knobs of `tile`; the other knobs, powers of two and three times those,
// are near to the tile's, and the same where that is legal. Nothing: no values of theirs help.
std::optional<TileShape> legalTileLike(const Stage& stage, const TileShape& tile,
                                       std::span<const Knob> kept,
                                       const Architecture& arch = defaultArchitecture());

}  // namespace tileloom::tuning
