// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the tile knobs: a new knob is one row here, its rows in the constraint table, and
// its use in a kernel. The enumeration, the names, the order of the search and the words of the
// knob panel are all made from it.
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

// What a knob sets. A search sets the knobs in this order (kernels/tuning/space.h).
enum class KnobPart {
  Block,    // what a block owns
  Thread,   // what a thread owns
  Warp,     // what a warp owns
  Buffers,  // how often a tile is kept in shared memory
  Places    // where things stand: rows in shared memory, blocks over C
};

// ROW(name, part, smallest value, largest value, what the knob is). The name is what people type,
// and the constant in the CUDA source. The values are those that most rungs allow; a rung's
// descriptor may say otherwise. Everything that lists knobs does so in this order.
#define TILELOOM_KNOBS(ROW)                                                                    \
  ROW(BLOCKSIZE, Block, 1, 32, "edge of the block tile: rows and columns of C a block owns")   \
  ROW(BM, Block, 8, 256, "rows of C that a block owns")                                        \
  ROW(BN, Block, 8, 256, "columns of C that a block owns")                                     \
  ROW(BK, Block, 4, 32, "elements of K fetched into shared memory at a time")                  \
  ROW(WM, Warp, 4, 256, "rows of C that a warp owns")                                          \
  ROW(WN, Warp, 4, 256, "columns of C that a warp owns")                                       \
  ROW(CONSUMERS, Warp, 1, 4,                                                                   \
      "groups of four warps that multiply: the block tile's rows are theirs")                  \
  ROW(WNITER, Warp, 1, 16, "subtiles across a warp tile")                                      \
  ROW(TM, Thread, 1, 32, "rows of one thread tile")                                            \
  ROW(TN, Thread, 4, 32, "columns of one thread tile")                                         \
  ROW(PAD, Places, 0, 32,                                                                      \
      "spare words at the end of each row of As: how many banks the next row starts further "  \
      "on")                                                                                    \
  ROW(SWIZZLE, Places, 0, 128,                                                                 \
      "bytes across a panel of a tile in shared memory, in which each 16-byte chunk is XORed " \
      "with its line; 0: whole rows, as they are")                                             \
  ROW(STAGES, Buffers, 2, 8,                                                                   \
      "K tiles that shared memory holds: all but one of them are on their way")                \
  ROW(GROUP, Places, 1, 32, "rows of blocks that are numbered down before the next column")    \
  ROW(CLUSTER, Block, 1, 2,                                                                    \
      "blocks, one below the other, that fetch each tile of B once for all of them")           \
  ROW(SPLIT, Places, 1, 4,                                                                     \
      "blocks, or clusters of them, that share a tile of the last wave along K, where it "     \
      "would leave SMs idle; 1: none do")

#define TILELOOM_ENUMERATOR(name, part, min, max, what) name,
enum class Knob : std::uint8_t { TILELOOM_KNOBS(TILELOOM_ENUMERATOR) };
#undef TILELOOM_ENUMERATOR

struct KnobRow {
  Knob knob;
  std::string_view name;
  KnobPart part;
  int min;  // the range that most rungs allow
  int max;
  std::string_view what;  // one line without a full stop: "rows of C that a block owns"
};

#define TILELOOM_ROW(name, part, min, max, what) \
  KnobRow{Knob::name, #name, KnobPart::part, min, max, what},
inline constexpr std::array kKnobs = {TILELOOM_KNOBS(TILELOOM_ROW)};
#undef TILELOOM_ROW

inline constexpr std::size_t kKnobCount = kKnobs.size();
static_assert(kKnobCount <= TileShape::kMostKnobs, "a tile has no room for so many knobs");

// Other names that people type.
inline constexpr std::array<std::pair<std::string_view, Knob>, 2> kKnobAliases = {
    {{"EDGE", Knob::BLOCKSIZE}, {"BLOCK", Knob::BLOCKSIZE}}};

constexpr const KnobRow& rowOf(Knob knob) {
  return kKnobs[static_cast<std::size_t>(knob)];
}

constexpr std::string_view name(Knob knob) {
  return rowOf(knob).name;
}

// A late knob says how a tile is kept and not what it is: a search sets it last, to few values.
constexpr bool isLate(Knob knob) {
  return rowOf(knob).part >= KnobPart::Buffers;
}

inline constexpr std::array<Knob, kKnobCount> kAllKnobs = [] {
  std::array<Knob, kKnobCount> all{};
  std::ranges::transform(kKnobs, all.begin(), &KnobRow::knob);
  return all;
}();

// Views that set names side by side leave room for this one.
inline constexpr std::string_view kLongestKnobName =
    std::ranges::max(kKnobs, {}, [](const KnobRow& row) { return row.name.size(); }).name;

// The knob with this name or alias, upper or lower case.
std::optional<Knob> knobNamed(std::string_view text);

namespace checks {

constexpr bool knobsStandAtTheirPlaces() {
  for (std::size_t i = 0; i < kKnobs.size(); ++i) {
    if (static_cast<std::size_t>(kKnobs[i].knob) != i) return false;
  }
  return true;
}

constexpr bool isNamedOnce(std::string_view name) {
  return std::ranges::count(kKnobs, name, &KnobRow::name) +
             std::ranges::count(kKnobAliases, name, [](const auto& a) { return a.first; }) ==
         1;
}

static_assert(knobsStandAtTheirPlaces(), "the table and the enumeration have different orders");
static_assert(std::ranges::all_of(kKnobs, isNamedOnce, &KnobRow::name),
              "two knobs have one name, or a knob has the name of an alias");
static_assert(std::ranges::all_of(kKnobAliases, isNamedOnce, [](const auto& a) { return a.first; }),
              "an alias stands for two knobs");
static_assert(std::ranges::all_of(kKnobs, [](const KnobRow& r) { return r.min <= r.max; }),
              "the smallest value of a knob is larger than the largest");
static_assert(std::ranges::none_of(kKnobs, [](const KnobRow& r) { return r.what.empty(); }),
              "a knob has no words");

}  // namespace checks
}  // namespace tileloom
