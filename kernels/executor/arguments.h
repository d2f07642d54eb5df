// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a launch as text, one for each parameter of the kernel, in their order:
//
//   128, -1, 0x20     a whole number
//   1.5, 1e-3, 2.0f   a number of FP32 or FP64, by the size of the parameter
//   A:f32:128x64      a pointer to a buffer of 128 x 64 elements, random ones
//   C:f16:128x64:zero the same with another content: zero, one, index
//   A                 a buffer of an earlier argument again
//   hex:0a00ff00      the bytes of a structure, the first byte first
//   hex:0a00+A:f32:64 a structure in parts: bytes, and pointers to buffers
//
// A cubin has the sizes of its parameters, but neither their names nor their types.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/executor/launch.h"

namespace tileloom::executor {

// Of a buffer with rows and columns; otherwise both are 0.
struct BufferShape {
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t bytes = 0;  // of an element
  bool real = false;        // no whole number
};

// Where the address of a buffer is written.
struct PointerPlace {
  std::size_t at = 0;      // in Arguments::bytes
  std::size_t buffer = 0;  // its number
};

struct Arguments {
  std::vector<std::uint8_t> bytes;    // as Launch::parameters
  std::vector<Buffer> buffers;        // placed
  std::vector<std::string> shapes;    // of each buffer: "f32 128 x 64"
  std::vector<BufferShape> elements;  // of each buffer
  std::vector<PointerPlace> pointers;
};

// The most bytes of all buffers together.
inline constexpr std::uint64_t kMostBufferBytes = std::uint64_t{1} << 30;

// The error is one sentence without a full stop: which argument, and what to give instead. Another
// seed makes other random numbers.
tl::expected<Arguments, std::string> argumentsFrom(const sass::KernelInfo& kernel,
                                                   std::span<const std::string> texts,
                                                   unsigned seed = 0);

}  // namespace tileloom::executor
