// SPDX-License-Identifier: GPL-3.0-or-later
// The memory that a block sees: buffers, variables of its module, and its shared memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/executor/launch.h"

namespace tileloom::executor {

// The upper half of a generic address of shared memory (SR_SWINHI), and of local memory.
inline constexpr std::uint32_t kSharedWindow = 0x00010000;
inline constexpr std::uint32_t kLocalWindow = 0x00020000;
// And of the kernel's parameters, whose first one has the address 0 there.
inline constexpr std::uint32_t kParameterWindow = 0x00030000;

// An address of shared memory has the rank of its block in the cluster in bits 24 to 31
// (hardware.md, rule 91).
inline constexpr std::uint32_t kRankShift = 24;
inline constexpr std::uint32_t kPlaceMask = (1u << kRankShift) - 1;
// The most blocks of a cluster, with cudaFuncAttributeNonPortableClusterSizeAllowed.
inline constexpr std::uint32_t kMostClusterBlocks = 16;

// The most shared memory of a block on any GPU that this program knows, with the part that the
// system keeps. A file may ask for more.
inline constexpr std::uint64_t kMostShared = 228 * 1024;

class BlockMemory {
 public:
  // Buffers and variables must have an address (placeBuffers, variablesOf) and outlive this.
  BlockMemory(const Launch& launch, std::span<Buffer> buffers, std::span<Buffer> variables = {});

  // The bytes at an address; nullptr: they are not within one buffer or the variables.
  std::uint8_t* global(std::uint64_t address, std::uint32_t bytes);
  // Where an address of global memory is that is in no buffer: "12 bytes behind the end of B".
  std::string outside(std::uint64_t address) const;
  // The same of shared memory, from the block's first byte on. The address may have the rank of
  // the block.
  std::uint8_t* shared(std::uint64_t address, std::uint32_t bytes);
  // The same without a rank.
  const std::uint8_t* sharedPlace(std::uint32_t at, std::uint32_t bytes) const {
    return at <= shared_.size() && shared_.size() - at >= bytes ? shared_.data() + at : nullptr;
  }
  // The address without the rank, if it has that of this block.
  std::uint32_t own(std::uint32_t address) const {
    return address >> kRankShift == rank_ ? address & kPlaceMask : address;
  }
  // Shared memory of the block that the address names; nullptr: there is none.
  std::uint8_t* ofCluster(std::uint32_t address, std::uint32_t bytes);
  BlockMemory* peer(std::uint32_t rank);  // nullptr: the cluster has no such block
  std::uint32_t rank() const { return rank_; }
  // The memories of all blocks of its cluster, by rank, with itself. They must outlive this.
  void join(std::span<BlockMemory* const> cluster, std::uint32_t rank);
  // The tensor map at a generic address; nullptr: there is none.
  const TensorMap* tensorMap(std::uint64_t address) const;
  std::uint32_t sharedBytes() const { return static_cast<std::uint32_t>(shared_.size()); }
  void clearShared();

 private:
  const Launch* launch_;
  std::span<Buffer> buffers_;
  std::span<Buffer> variables_;  // of the module
  std::size_t last_ = 0;         // the buffer of the last access
  std::vector<std::uint8_t> shared_;
  std::span<BlockMemory* const> cluster_;
  std::uint32_t rank_ = 0;
};

}  // namespace tileloom::executor
