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

// The most shared memory of a block on any GPU that this program knows, with the part that the
// system keeps. A file may ask for more.
inline constexpr std::uint64_t kMostShared = 228 * 1024;

class BlockMemory {
 public:
  // Buffers must have an address (placeBuffers) and outlive this.
  BlockMemory(const Launch& launch, std::span<Buffer> buffers);

  // The bytes at an address; nullptr: they are not within one buffer.
  std::uint8_t* global(std::uint64_t address, std::uint32_t bytes);
  // Where an address of global memory is that is in no buffer: "12 bytes behind the end of B".
  std::string outside(std::uint64_t address) const;
  // The same of shared memory, from the block's first byte on.
  std::uint8_t* shared(std::uint64_t address, std::uint32_t bytes);
  std::uint32_t sharedBytes() const { return static_cast<std::uint32_t>(shared_.size()); }
  void clearShared();

 private:
  std::span<Buffer> buffers_;
  std::size_t last_ = 0;  // the buffer of the last access
  std::vector<std::uint8_t> shared_;
};

}  // namespace tileloom::executor
