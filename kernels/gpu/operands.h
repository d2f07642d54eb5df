// SPDX-License-Identifier: GPL-3.0-or-later
// The matrices of one problem on the device, kept from one measurement to the next.
#pragma once

#include <chrono>
#include <functional>

#include "kernels/gpu/driver.h"
#include "kernels/tile/tile_shape.h"

namespace tileloom::gpu {

// C = kAlpha A B + kBeta C, for kernel and library alike; with this beta C stays finite however
// often it is repeated.
inline constexpr float kAlpha = 0.5f;
inline constexpr float kBeta = 0.5f;

// Random signs and magnitudes from 0.5 to 1: every product counts for more than the tolerance, so
// that a missing or doubled one is seen. `seed` differs between matrices.
std::vector<float> randomMatrix(std::size_t count, std::uint32_t seed);

// The largest difference between two correct FP32 results of K products of such numbers: twice the
// rounding error of a sum of K terms (K eps times the mean product), generously.
float toleranceOf(int k);

struct Operands {
  Problem problem;
  Buffer a, b, c;  // as random as they are; never written
  Buffer want;     // kAlpha A B + kBeta C by the reference
  Buffer scratch;  // the library's C while it is timed

  // The same operands with zeros around them, for kernels without edge checks. Equal to `problem`:
  // `paddedA` and `paddedB` stay empty.
  Problem padded;
  Buffer paddedA, paddedB;
  Buffer work;  // the kernel's C

  const Buffer& kernelA() const { return paddedA ? paddedA : a; }
  const Buffer& kernelB() const { return paddedB ? paddedB : b; }
};

// Makes `o` hold `problem`; does nothing if it does already. The reference is not computed yet:
// returns true if it has to be.
Result<bool> fillOperands(const Context& context, Operands& o, const Problem& problem);
// Pads them to `padded` if they are not.
Result<void> padOperands(const Context& context, Operands& o, const Problem& padded);
// C, with zeros around it, into `work`.
Result<void> resetWork(const Context& context, const Operands& o);

}  // namespace tileloom::gpu
