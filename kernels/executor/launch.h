// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel is launched with.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/sass/cubin/module.h"

namespace tileloom::executor {

using Extent3 = std::array<std::uint32_t, 3>;

// Memory that the kernel's pointers may refer to. Every access outside of all buffers is refused.
struct Buffer {
  std::string name;
  std::vector<std::uint8_t> bytes;
  std::uint64_t address = 0;  // where the kernel sees it; set by placeBuffers()
  bool operator==(const Buffer&) const = default;
};

// Gives each buffer an address, with room between them: an access a little outside of one is in
// none.
void placeBuffers(std::vector<Buffer>& buffers);

// Describes a tensor for TMA, as the driver encodes it in the 128 bytes of a CUtensorMap, which are
// not documented. Dimensions are in the order of the driver: the innermost one first.
struct TensorMap {
  static constexpr std::size_t kMostDimensions = 5;
  std::uint32_t at = 0;       // bytes from the first parameter of the kernel
  std::uint64_t placed = 0;   // an address in global memory instead; 0: it is a parameter
  std::uint64_t address = 0;  // of the first element, in a buffer
  std::uint32_t dimensions = 2;
  std::uint32_t elementBytes = 2;
  std::array<std::uint64_t, kMostDimensions> extents{};  // elements
  std::array<std::uint64_t, kMostDimensions> strides{};  // bytes; the first one means nothing
  std::array<std::uint32_t, kMostDimensions> box{};      // elements
  std::uint32_t swizzle = 0;                             // 0, 32, 64 or 128 bytes

  std::uint32_t rowBytes() const { return box[0] * elementBytes; }
  std::uint32_t boxRows() const {
    std::uint32_t rows = 1;
    for (std::size_t i = 1; i < dimensions; ++i) rows *= box[i];
    return rows;
  }
  std::uint32_t boxBytes() const { return rowBytes() * boxRows(); }
  bool operator==(const TensorMap&) const = default;
};

// Why a map is none, as one sentence; empty: it is one.
std::string whyNot(const TensorMap& map);

struct Launch {
  const sass::Module* module = nullptr;
  const sass::KernelImage* kernel = nullptr;
  Extent3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamicShared = 0;       // bytes
  std::vector<std::uint8_t> parameters;  // as many bytes as the kernel's parameters have
  std::vector<TensorMap> tensorMaps = {};
  // Only this block is executed, with the blocks of its cluster; nothing: all of the grid.
  std::optional<Extent3> only = {};
};

}  // namespace tileloom::executor
