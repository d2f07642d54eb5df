// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a launch as text, one for each parameter of the kernel, in their order:
//
//   128, -1, 0x20     a whole number
//   1.5, 1e-3, 2.0f   a number of FP32 or FP64, by the size of the parameter
//   A:f32:128x64      a pointer to a buffer of 128 x 64 elements, random ones
//   C:f16:128x64:zero the same with another content: zero, one, index, small
//   A                 a buffer of an earlier argument again
//   hex:0a00ff00      the bytes of a structure, the first byte first
//   hex:0a00+A:f32:64 a structure in parts: bytes, and pointers to buffers
//   A:f16:128x64@64x32:64  a tensor map (CUtensorMap) of such a buffer: boxes of 64 x 32 elements,
//   in
//                     shared memory with a swizzle of 64 bytes
//   A@64x32           another one of an earlier buffer, without a swizzle
//   A@1x64x64:128:4x128x64:64x256  one of a tensor of 4 x 128 x 64 elements in the buffer, whose
//   outer
//                     two sides have strides of 64 and 256 elements
//   *A@64x32          a pointer to a tensor map in global memory
//
// A cubin has the sizes of its parameters, but neither their names nor their types.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/executor/launch.h"

namespace tileloom::executor {

// Of a buffer with rows and columns; otherwise both are 0.
struct BufferShape {
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t bytes = 0;                // of an element
  bool real = false;                      // no whole number
  std::vector<std::uint64_t> sides = {};  // all of them, in the order of the text
};

// Where the address of a buffer is written.
struct PointerPlace {
  std::size_t at = 0;      // in Arguments::bytes
  std::size_t buffer = 0;  // its number
};

// The tensor map of a buffer. TensorMap::at is in Arguments::bytes.
struct MapPlace {
  TensorMap map;
  std::size_t buffer = 0;                  // its number
  std::optional<std::size_t> holder = {};  // the buffer that has the map, in global memory
};

struct Arguments {
  std::vector<std::uint8_t> bytes;    // as Launch::parameters
  std::vector<Buffer> buffers;        // placed
  std::vector<std::string> shapes;    // of each buffer: "f32 128 x 64"
  std::vector<BufferShape> elements;  // of each buffer
  std::vector<PointerPlace> pointers;
  std::vector<MapPlace> maps;

  // Whether this buffer has a tensor map, whose bytes are the driver's.
  bool holdsMap(std::size_t buffer) const;
  // As Launch::tensorMaps.
  std::vector<TensorMap> tensorMaps() const;
};

// The most bytes of all buffers together.
inline constexpr std::uint64_t kMostBufferBytes = std::uint64_t{1} << 30;

// The error is one sentence without a full stop: which argument, and what to give instead. Another
// seed makes other random numbers.
tl::expected<Arguments, std::string> argumentsFrom(const sass::KernelInfo& kernel,
                                                   std::span<const std::string> texts,
                                                   unsigned seed = 0);

}  // namespace tileloom::executor
