// SPDX-License-Identifier: GPL-3.0-or-later
// The matrices of one problem on the device, which are kept from one measurement to the next.
#pragma once

#include <chrono>
#include <functional>

#include "kernels/gpu/driver.h"
#include "kernels/tile/tile_shape.h"

namespace tileloom::gpu {

// Kernel and library compute C = kAlpha A B + kBeta C. With this beta C stays finite, however often
// that is repeated.
inline constexpr float kAlpha = 0.5f;
inline constexpr float kBeta = 0.5f;

// Numbers with random signs and magnitudes from 0.5 to 1. Every product is larger than the
// tolerance, so that a missing or a doubled one is detected. `seed` differs between matrices.
std::vector<float> randomMatrix(std::size_t count, std::uint32_t seed);

// The largest difference between two correct FP32 results of K products of such numbers: twice the
// rounding error of a sum of K terms (K eps times the mean product), generously.
float toleranceOf(int k);

struct Operands {
  Problem problem;
  Buffer a, b, c;  // random; never written
  Buffer want;     // kAlpha A B + kBeta C by the reference
  Buffer scratch;  // the library's C while it is timed

  // The same operands padded with zeros, for kernels without edge checks. If `padded` is equal to
  // `problem`, `paddedA` and `paddedB` stay empty.
  Problem padded;
  Buffer paddedA, paddedB;
  Buffer work;  // the kernel's C

  const Buffer& kernelA() const { return paddedA ? paddedA : a; }
  const Buffer& kernelB() const { return paddedB ? paddedB : b; }
};

// Fills `o` with the operands of `problem`, unless it has them already. It does not compute the
// reference, but returns true if that has to be computed.
Result<bool> fillOperands(const Context& context, Operands& o, const Problem& problem);
// Pads the operands to `padded`, unless they are already.
Result<void> padOperands(const Context& context, Operands& o, const Problem& padded);
// Copies C, padded with zeros, into `work`.
Result<void> resetWork(const Context& context, const Operands& o);

}  // namespace tileloom::gpu
