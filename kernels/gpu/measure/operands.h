// SPDX-License-Identifier: GPL-3.0-or-later
// The matrices of one problem on the device, which are kept from one measurement to the next.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/gpu/driver/driver.h"
#include "kernels/tile/format.h"
#include "kernels/tile/tile_shape.h"

namespace tileloom::gpu {

// In FP32, kernel and library compute C = kAlpha A B + kBeta C. With this beta C stays finite,
// however often that is repeated. In a 16-bit arithmetic they compute C = A B.
inline constexpr float kAlpha = 0.5f;
inline constexpr float kBeta = 0.5f;

// Numbers with random signs and magnitudes from 0.5 to 1. Every product is larger than the
// tolerance, so that a missing or doubled product is detected. `seed` differs between matrices.
std::vector<float> randomMatrix(std::size_t count, std::uint32_t seed);

// The largest difference between two correct FP32 results of K products of such numbers: twice the
// rounding error of a sum of K terms (K eps times the mean product), generously rounded.
float toleranceOf(int k);

// The values of A and B.
enum class Values : std::uint8_t {
  Uniform,  // of FP32: randomMatrix()
  Normal,   // of 16 bits: normally distributed. Integers and zeros draw less power, and would
            // make a kernel look faster than it is
  Signs     // of 16 bits: +1 and -1. Every sum is an exact integer, so that two kernels
            // agree in every bit, unless a product is missing or doubled
};

// Normally distributed numbers (mean 0, deviation 1), or signs, as elements of the arithmetic.
std::vector<std::uint16_t> randomHalves(std::size_t count, std::uint32_t seed, Format format,
                                        Values values);

// The largest difference between two correct 16-bit results: `absolute` for sums in another order,
// and `relative` for their rounding, one unit of the format. Both are 0 for signs.
struct HalfTolerance {
  float absolute = 0;
  float relative = 0;
};
HalfTolerance toleranceOf(int k, Format format, Values values);

struct Operands {
  Format format = Format::Fp32;
  Values values = Values::Uniform;
  Problem problem;
  Buffer a, b, c;        // random; never written. There is no `c` in a 16-bit arithmetic
  Buffer want;           // kAlpha A B + kBeta C, or A B, by the reference
  std::string wantedBy;  // source of `want`: "cuBLAS" or a stage's id; empty: not computed
  Buffer scratch;        // the library's C while it is timed

  // The same operands padded with zeros, for kernels without edge checks. If `padded` equals
  // `problem`, `paddedA` and `paddedB` stay empty.
  Problem padded;
  Buffer paddedA, paddedB;
  Buffer work;  // the kernel's C
  Buffer left;  // where its blocks store sums for each other (leftMemory)

  std::size_t bytesOf(int rows, int columns) const;  // of a matrix
  const Buffer& kernelA() const { return paddedA ? paddedA : a; }
  const Buffer& kernelB() const { return paddedB ? paddedB : b; }
};

// Fills `o` with the operands of `problem`, unless it has them already. It does not compute the
// reference: `wantedBy` is empty if that has to be computed.
Result<void> fillOperands(const Context& context, Operands& o, const Problem& problem,
                          Format format = Format::Fp32, Values values = Values::Uniform);
// Pads the operands to `padded`, unless they are already.
Result<void> padOperands(const Context& context, Operands& o, const Problem& padded);
// Gives `left` this size, and fills its beginning with `head`, or all of it with zeros if that is
// empty.
Result<void> fillLeft(const Context& context, Operands& o, std::size_t bytes,
                      std::span<const std::uint32_t> head);
// Copies C, padded with zeros, into `work`; clears `work` if there is no C.
Result<void> resetWork(const Context& context, const Operands& o);

}  // namespace tileloom::gpu
