// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording's accesses to shared memory would cost if one of its arrays had another layout.
// It is a calculation on recorded accesses: lanes, masks, widths and merged loads stay what they
// are, only the words change places. What the other layout's kernel would need besides, such as the
// instructions that compute swizzled addresses, is not in it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/access_cost.h"
#include "kernels/analysis/array_layout.h"
#include "kernels/analysis/moment.h"
#include "kernels/tile/architecture.h"

namespace tileloom::analysis {

class Recording;

// The rows of shared array `array` (index in Trace::arrays), as the recording's stores tell: in
// which direction of its matrix neighbouring words lie, and how far apart its rows are. The error
// is one sentence: nothing of A or B is stored there, or not in rows.
tl::expected<ArrayShape, std::string> arrayShape(const emulator::Trace& trace, std::uint32_t array);

// An access to a shared array, as the hardware executes it, and how often the block does.
struct SharedAccess {
  std::uint16_t line = 0;
  emulator::Kind kind = emulator::Kind::SharedLoad;
  std::uint32_t array = 0;
  std::uint32_t width = 1;   // words per lane
  std::uint32_t merged = 1;  // instructions of the trace that it stands for
  std::uint32_t mask = 0;
  std::array<std::uint32_t, 32> addresses{};  // as in AccessCost
  std::array<std::uint32_t, 32> elements{};   // as in copiedElements(), of copies
  std::uint64_t times = 1;
};

// What the block does with its shared arrays.
struct SharedUse {
  std::vector<emulator::Array> arrays;  // as Trace::arrays
  std::uint32_t sharedBytes = 0;
  std::vector<SharedAccess> accesses;  // in the order of lines
};

// All that the trace holds; or what moves the elements of one K tile of A and B through shared
// memory, whenever that is executed.
SharedUse sharedUse(const Recording& recording, std::optional<std::uint32_t> kTile = std::nullopt);

// One array moved into another layout. The arrays behind it move as a whole.
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

  // Where a word of the block's shared memory goes; kSpare for a spare word.
  std::uint32_t moved(std::uint32_t word) const;
  // Which word comes to stand there; kSpare where none does.
  std::uint32_t origin(std::uint32_t word) const;

  // The cost of an access with its lanes' words moved; std::nullopt where the words of one lane
  // come apart or are not aligned to its width: the access could not be executed.
  std::optional<AccessCost> cost(const SharedAccess& access) const;

 private:
  const emulator::Array& was(std::uint32_t array) const { return arrays_[array]; }

  std::vector<emulator::Array> arrays_, placed_;
  std::uint32_t array_ = 0;
  ArrayShape shape_;
  ArrayLayout layout_;
  std::uint32_t sharedBytes_ = 0;
};

// The moment with the access that it shows moved; std::nullopt as in Relayout::cost(). It must be
// one of shared memory.
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
  bool possible = true;  // otherwise `after` counts nothing: the layout would split its accesses
};

struct LayoutCost {
  ArrayLayout layout;
  std::vector<LayoutLine> lines;  // of all shared arrays
  std::uint32_t bytes = 0;        // shared memory per block
  std::string whyNot;  // empty, or one sentence: it could not be executed, or not on this chip

  bool possible() const { return whyNot.empty(); }
  // The lines of the array, and those of other arrays that would cost something else.
  std::vector<LayoutLine> linesAbout(std::uint32_t array) const;
  // Of one array, or of all: stores with copies, loads, or both. After counts only where
  // possible().
  enum class Part { Stores, Loads, All };
  SharedCount sum(bool after, Part part = Part::All,
                  std::optional<std::uint32_t> array = std::nullopt) const;
};

// `use` with array number `array` in another layout.
LayoutCost layoutCost(const SharedUse& use, std::uint32_t array, const ArrayShape& shape,
                      const ArrayLayout& layout, const Architecture& arch = defaultArchitecture());

// The possible padding, and the possible swizzle, with the fewest wavefronts of all accesses of
// `use`; the smallest padding, or the swizzle of the fewest bits, where several have as few.
// std::nullopt: none is better than plain rows.
struct BestLayouts {
  std::optional<ArrayLayout> padding, swizzle;
};
BestLayouts bestLayouts(const SharedUse& use, std::uint32_t array, const ArrayShape& shape,
                        const Architecture& arch = defaultArchitecture());

// What a list of layouts shows: as recorded, plain, small paddings, the usual
// swizzle, and the best ones; each once, paddings and swizzles ascending.
std::vector<ArrayLayout> layoutsToShow(const ArrayShape& shape, const BestLayouts& best);

}  // namespace tileloom::analysis
