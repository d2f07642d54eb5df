// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the tile parameters: a new parameter is one row here, its rows in the constraint
// table, and its use in a kernel. The enumeration, the names, the order of the search and the words
// of the parameter panel are all made from it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "kernels/tile/tile_shape.h"

namespace tileloom {

// What a tile parameter sets. A search sets the parameters in this order (kernels/tuning/space.h).
enum class ParameterPart {
  Block,    // what a block owns
  Thread,   // what a thread owns
  Warp,     // what a warp owns
  Buffers,  // how often a tile is kept in shared memory
  Places    // placing: of rows in shared memory, of blocks over C
};

// ROW(name, part, smallest value, largest value, description). The name is what users type, and the
// constant in the CUDA source. The values are those that most rungs allow; a rung's descriptor may
// differ. Everything that lists tile parameters does so in this order.
#define TILELOOM_TILE_PARAMETERS(ROW)                                                           \
  ROW(BLOCKSIZE, Block, 1, 32, "edge of the block tile: rows and columns of C a block owns")    \
  ROW(BM, Block, 8, 256, "rows of C that a block owns")                                         \
  ROW(BN, Block, 8, 256, "columns of C that a block owns")                                      \
  ROW(BK, Block, 4, 32, "elements of K fetched into shared memory at a time")                   \
  ROW(WM, Warp, 4, 256, "rows of C that a warp owns")                                           \
  ROW(WN, Warp, 4, 256, "columns of C that a warp owns")                                        \
  ROW(CONSUMERS, Warp, 1, 4, "warpgroups that multiply; they share the rows of the block tile") \
  ROW(WNITER, Warp, 1, 16, "subtiles across a warp tile")                                       \
  ROW(TM, Thread, 1, 32, "rows of one thread tile")                                             \
  ROW(TN, Thread, 4, 32, "columns of one thread tile")                                          \
  ROW(PAD, Places, 0, 32,                                                                       \
      "padding words at the end of each row of As: how many banks further the next row "        \
      "starts")                                                                                 \
  ROW(SWIZZLE, Places, 0, 128,                                                                  \
      "bytes across a panel of a tile in shared memory, in which each 16-byte chunk is XORed "  \
      "with its line; 0: whole rows, without swizzle")                                          \
  ROW(STAGES, Buffers, 2, 8,                                                                    \
      "K tiles that shared memory holds: all but one of them are in flight")                    \
  ROW(GROUP, Places, 1, 32, "rows of blocks that are numbered down before the next column")     \
  ROW(CLUSTER, Block, 1, 2,                                                                     \
      "blocks of a cluster, one below the other, that multicast each tile of B")                \
  ROW(SPLIT, Places, 1, 4,                                                                      \
      "blocks, or clusters, that split a tile of the last wave along K, where it would leave "  \
      "SMs idle; 1: none")

#define TILELOOM_ENUMERATOR(name, part, min, max, what) name,
enum class Parameter : std::uint8_t { TILELOOM_TILE_PARAMETERS(TILELOOM_ENUMERATOR) };
#undef TILELOOM_ENUMERATOR

struct ParameterRow {
  Parameter parameter;
  std::string_view name;
  ParameterPart part;
  int min;  // the range that most rungs allow
  int max;
  std::string_view what;  // one line without a full stop: "rows of C that a block owns"
};

#define TILELOOM_ROW(name, part, min, max, what) \
  ParameterRow{Parameter::name, #name, ParameterPart::part, min, max, what},
inline constexpr std::array kParameters = {TILELOOM_TILE_PARAMETERS(TILELOOM_ROW)};
#undef TILELOOM_ROW

inline constexpr std::size_t kParameterCount = kParameters.size();
static_assert(kParameterCount <= TileShape::kMostParameters,
              "the tile parameters do not fit into a tile");

// Other names that users type.
inline constexpr std::array<std::pair<std::string_view, Parameter>, 2> kParameterAliases = {
    {{"EDGE", Parameter::BLOCKSIZE}, {"BLOCK", Parameter::BLOCKSIZE}}};

constexpr const ParameterRow& rowOf(Parameter parameter) {
  return kParameters[static_cast<std::size_t>(parameter)];
}

constexpr std::string_view name(Parameter parameter) {
  return rowOf(parameter).name;
}

// A late parameter says how a tile is kept and not what it is: a search sets it last, and tries few
// values.
constexpr bool isLate(Parameter parameter) {
  return rowOf(parameter).part >= ParameterPart::Buffers;
}

inline constexpr std::array<Parameter, kParameterCount> kAllParameters = [] {
  std::array<Parameter, kParameterCount> all{};
  std::ranges::transform(kParameters, all.begin(), &ParameterRow::parameter);
  return all;
}();

// Views that show names side by side leave room for this one.
inline constexpr std::string_view kLongestParameterName =
    std::ranges::max(kParameters, {}, [](const ParameterRow& row) { return row.name.size(); }).name;

// The tile parameter with this name or alias, upper or lower case.
std::optional<Parameter> parameterNamed(std::string_view text);

namespace checks {

constexpr bool parametersStandAtTheirPlaces() {
  for (std::size_t i = 0; i < kParameters.size(); ++i) {
    if (static_cast<std::size_t>(kParameters[i].parameter) != i) return false;
  }
  return true;
}

constexpr bool isNamedOnce(std::string_view name) {
  return std::ranges::count(kParameters, name, &ParameterRow::name) +
             std::ranges::count(kParameterAliases, name, [](const auto& a) { return a.first; }) ==
         1;
}

static_assert(parametersStandAtTheirPlaces(),
              "the table and the enumeration have different orders");
static_assert(std::ranges::all_of(kParameters, isNamedOnce, &ParameterRow::name),
              "two tile parameters have one name, or a tile parameter has the name of an alias");
static_assert(std::ranges::all_of(kParameterAliases, isNamedOnce,
                                  [](const auto& a) { return a.first; }),
              "an alias names two tile parameters");
static_assert(std::ranges::all_of(kParameters,
                                  [](const ParameterRow& r) { return r.min <= r.max; }),
              "the smallest value of a tile parameter is larger than the largest");
static_assert(std::ranges::none_of(kParameters,
                                   [](const ParameterRow& r) { return r.what.empty(); }),
              "a tile parameter has no description");

}  // namespace checks
}  // namespace tileloom
