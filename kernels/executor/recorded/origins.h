// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the elements of matrices through a block: from global memory through shared memory, local
// memory and registers into the sums that are stored. Whatever an instruction computes otherwise
// has no known origin, which is counted.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/kinds.h"
#include "kernels/executor/observer.h"
#include "kernels/executor/operation.h"
#include "kernels/executor/recorded/tags.h"
#include "kernels/tile/mma.h"

namespace tileloom::executor::recorded {

// A buffer that is a matrix: row by row, without gaps.
struct Role {
  std::size_t buffer = 0;  // its number
  emulator::Provenance::Source matrix = emulator::Provenance::Source::A;
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t bytes = 4;  // of an element: 4 or 2
};

// The place of a matrix in Trace::arrays.
inline std::uint32_t placeOf(emulator::Provenance::Source matrix) {
  return static_cast<std::uint32_t>(matrix) - 1;
}

// Multiply-adds of an instruction: rows of tags in the order of the payload of its kind
// (emulator/kinds.h).
struct Multiplied {
  emulator::Kind kind = emulator::Kind::Fma;
  Mma mma{};
  std::uint32_t lanes = 0;
  std::size_t count = 0;
  std::array<const LaneTags*, 32> rows;
};

// How many origins are known.
struct Known {
  std::uint64_t multiplied = 0, ofMultiplied = 0;  // multiply-adds of lanes, of all of numbers
  std::uint64_t stored = 0, ofStored = 0;          // elements of C that are sums, of all stored
  bool operator==(const Known&) const = default;
};

class Origins {
 public:
  // `sharedBytes`: of the block. The buffers must have their addresses.
  Origins(std::uint32_t warps, std::uint32_t sharedBytes, std::span<const Buffer> buffers,
          std::vector<Role> roles);

  // Before an instruction is executed. The result is valid until the next call.
  std::span<const Multiplied> pass(std::uint32_t warp, std::uint32_t lanes, const Operation& o,
                                   const Warp& state);
  // After an access. The tags of what it has loaded, stored or copied, by word, are in accessed().
  void pass(const Access& access, const Operation& o);
  // Of a word of each lane of the last access; of a matrix access of the four registers of a lane.
  const TagRow& accessed(std::uint32_t word) const { return *accessed_[word]; }

  // The word of shared memory that holds this byte.
  WordTags sharedAt(std::uint64_t byte) const {
    return byte / 4 < shared_.size() ? shared_[byte / 4] : WordTags{};
  }

  // A TMA copy; a load only if the block gets the box.
  void pass(const BoxCopy& copy);
  // Bytes in a row, to or from shared memory of the block with this rank.
  void pass(const BulkCopy& copy, std::uint32_t rank);
  // What an element of a box holds: in shared memory, after a load or before a store.
  std::uint32_t boxTag(const BoxCopy& copy, std::uint32_t row, std::uint32_t column) const;
  // A warp's part of a wgmma. Its factors: 16 x depth of A, row by row, and depth x columns of B.
  struct GroupFactors {
    std::vector<emulator::Provenance> a, b;
    std::uint32_t firstSum = 0;  // the number of the first of its sums in each thread
  };
  GroupFactors pass(const GroupProduct& product);

  // The role of the buffer with this address; nullptr: it has none.
  const Role* roleAt(std::uint64_t address) const;
  std::uint64_t addressOf(const Role& role) const { return buffers_[role.buffer].address; }
  const std::vector<Role>& roles() const { return roles_; }
  const Known& known() const { return known_; }

 private:
  struct WarpTags {
    std::vector<TagRow> rows;
    std::uint32_t nextSum = 0;
    std::array<std::vector<WordTags>, kLanes> local;
  };
  struct Sources;
  static constexpr std::uint32_t kMostWords = 4;

  const TagRow& row(std::uint32_t warp, std::uint16_t number) const;
  const TagRow& row(std::uint32_t warp, const Source& source) const;
  TagRow& written(std::uint32_t warp, const Operation& o, std::uint32_t word);
  std::uint32_t freshSum(std::uint32_t warp) const;
  void lose(std::uint32_t warp, const Operation& o, std::uint32_t lanes);
  void move(std::uint32_t warp, const Operation& o, std::uint32_t lanes, const Source& source);
  void fused(std::uint32_t warp, const Operation& o, std::uint32_t lanes, bool adds);
  void product(std::uint32_t lanes, const LaneTags& a, const LaneTags& b, const LaneTags& sums);
  void pairs(std::uint32_t warp, const Operation& o, std::uint32_t lanes);
  void bytes(std::uint32_t warp, const Operation& o, std::uint32_t lanes, const Warp& state);
  void packed(std::uint32_t warp, const Operation& o, std::uint32_t lanes);
  void shuffled(std::uint32_t warp, const Operation& o, std::uint32_t lanes, const Warp& state);
  void matrices(std::uint32_t warp, const Operation& o, std::uint32_t lanes);
  void transposed(std::uint32_t warp, const Operation& o);
  void loadedMatrices(const Access& access, const Operation& o);
  void storedMatrices(const Access& access, const Operation& o);
  void loadedShared(const Access& access, const Operation& o);
  void loaded(const Access& access, const Operation& o);
  void stored(const Access& access, const Operation& o);
  void copied(const Access& access);
  WordTags readWord(const Access& access, std::uint32_t lane, std::uint64_t at) const;
  WordTags elementsAt(std::uint64_t address) const;
  std::uint32_t elementAt(std::uint64_t address, std::uint32_t bytes) const;
  std::uint32_t sharedTag(std::uint64_t byte) const { return sharedAt(byte)[byte % 4 / 2]; }
  // As other threads see it.
  static std::uint32_t abroad(std::uint32_t tag, std::uint32_t thread);

  std::span<const Buffer> buffers_;
  std::vector<Role> roles_;
  std::vector<WarpTags> warps_;
  std::vector<WordTags> shared_;  // by word
  std::array<TagRow, kMostWords> scratch_;
  std::array<const TagRow*, kMostWords> accessed_{};
  std::array<Multiplied, 2> multiplied_;
  std::size_t products_ = 0;
  // Tags that an instruction reports: of its sources and sums, and of the factors of matrices.
  std::array<LaneTags, 6> made_;
  std::array<LaneTags, 16> factors_;
  Known known_;
};

}  // namespace tileloom::executor::recorded
