// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of a recording's accesses to shared memory if one of its arrays had another layout. It
// is a calculation on recorded accesses: lanes, masks, widths and merged loads do not change, only
// the words change places. Further needs of the other layout's kernel, such as instructions that
// compute swizzled addresses, are not included.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/analysis/memory/array_layout.h"
#include "kernels/analysis/moment.h"
#include "kernels/tile/architecture.h"

namespace tileloom::analysis {

class Recording;

// The rows of shared array `array` (index in Trace::arrays), by the recording's stores: the
// direction of its matrix in which neighbouring words lie, and the distance of its rows. The error
// is one sentence: nothing of A or B is stored there, or not in rows.
tl::expected<ArrayShape, std::string> arrayShape(const emulator::Trace& trace, std::uint32_t array);

// An access to a shared array, as the hardware executes it, and its number of executions by the
// block.
struct SharedAccess {
  std::uint16_t line = 0;
  emulator::Kind kind = emulator::Kind::SharedLoad;
  std::uint32_t array = 0;
  std::uint32_t width = 1;   // words per lane
  std::uint32_t merged = 1;  // instructions of the trace that it replaces
  std::uint32_t mask = 0;
  std::array<std::uint32_t, 32> addresses{};  // as in AccessCost
  std::array<std::uint32_t, 32> elements{};   // as in copiedElements(), of copies
  std::uint64_t times = 1;
};

// The block's accesses to its shared arrays.
struct SharedUse {
  std::vector<emulator::Array> arrays;  // as Trace::arrays
  std::uint32_t sharedBytes = 0;
  std::vector<SharedAccess> accesses;  // in the order of lines
};

// Everything in the trace; or the accesses to the elements of one K tile of A and B in shared
// memory, at any time.
SharedUse sharedUse(const Recording& recording, std::optional<std::uint32_t> kTile = std::nullopt);

// One array with another layout. The arrays after it move as a whole.
class Relayout {
 public:
  // `layout` must be one that can hold the shape (whyNoLayout).
  Relayout(const std::vector<emulator::Array>& arrays, std::uint32_t array, const ArrayShape& shape,
           const ArrayLayout& layout);

  std::uint32_t array() const { return array_; }
  const ArrayShape& shape() const { return shape_; }
  const ArrayLayout& layout() const { return layout_; }
  std::uint32_t sharedBytes() const { return sharedBytes_; }
  // The array with its new first word and length; another shared one with its new first word.
  const emulator::Array& placed(std::uint32_t array) const { return placed_[array]; }

  // The new place of a word of the block's shared memory; kSpare for a padding word.
  std::uint32_t moved(std::uint32_t word) const;
  // The word that moves to this place; kSpare: none.
  std::uint32_t origin(std::uint32_t word) const;

  // The cost of an access with its lanes' words moved; std::nullopt where the words of one lane are
  // no longer adjacent or aligned to its width: the access could not be executed.
  std::optional<AccessCost> cost(const SharedAccess& access) const;

 private:
  const emulator::Array& was(std::uint32_t array) const { return arrays_[array]; }

  std::vector<emulator::Array> arrays_, placed_;
  std::uint32_t array_ = 0;
  ArrayShape shape_;
  ArrayLayout layout_;
  std::uint32_t sharedBytes_ = 0;
};

// The moment with its access moved; std::nullopt as in Relayout::cost(). It must be an access to
// shared memory.
std::optional<Moment> movedMoment(const Recording& recording, const Moment& moment,
                                  const Relayout& relayout);

struct SharedCount {
  std::uint64_t accesses = 0;  // of warps
  std::uint64_t wavefronts = 0;
  std::uint64_t conflicts = 0;  // wavefronts by bank conflicts
  SharedCount& operator+=(const SharedCount& other);
  bool operator==(const SharedCount&) const = default;
};

// All accesses of one kind and width on one line of the source.
struct LayoutLine {
  std::uint16_t line = 0;
  emulator::Kind kind = emulator::Kind::SharedLoad;
  std::uint32_t array = 0;
  std::uint32_t width = 1;  // words per lane
  SharedCount before, after;
  bool possible = true;  // otherwise `after` is empty: the layout would split its accesses
};

struct LayoutCost {
  ArrayLayout layout;
  std::vector<LayoutLine> lines;  // of all shared arrays
  std::uint32_t bytes = 0;        // shared memory per block
  std::string whyNot;             // empty, or one sentence: not executable, or not on this chip

  bool possible() const { return whyNot.empty(); }
  // The lines of the array, and those of other arrays whose cost would change.
  std::vector<LayoutLine> linesAbout(std::uint32_t array) const;
  // For one array, or for all: stores with copies, loads, or both. `after` counts only if
  // possible().
  enum class Part { Stores, Loads, All };
  SharedCount sum(bool after, Part part = Part::All,
                  std::optional<std::uint32_t> array = std::nullopt) const;
};

// `use` with array number `array` in another layout.
LayoutCost layoutCost(const SharedUse& use, std::uint32_t array, const ArrayShape& shape,
                      const ArrayLayout& layout, const Architecture& arch = defaultArchitecture());

// The possible padding, and the possible swizzle, with the fewest wavefronts of all accesses of
// `use`; among equals the smallest padding, or the swizzle of the fewest bits. std::nullopt: none
// is better than plain rows.
struct BestLayouts {
  std::optional<ArrayLayout> padding, swizzle;
};
BestLayouts bestLayouts(const SharedUse& use, std::uint32_t array, const ArrayShape& shape,
                        const Architecture& arch = defaultArchitecture());

// The layouts for a list: as recorded, plain, small paddings, the usual swizzle, and the best ones;
// each once, paddings and swizzles ascending.
std::vector<ArrayLayout> layoutsToShow(const ArrayShape& shape, const BestLayouts& best);

}  // namespace tileloom::analysis
