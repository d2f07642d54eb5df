// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch of any cubin takes on a GPU, in alternation with cuBLAS where that multiplies
// the same matrices, and whether both have the same result.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kernels/base/error.h"
#include "kernels/executor/arguments.h"
#include "kernels/executor/launch.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/tile/tile_shape.h"

namespace tileloom::gpu {

struct TimedQuestion {
  std::span<const char> cubin;
  const executor::Launch* launch = nullptr;
  const executor::Arguments* arguments = nullptr;
  Problem problem;
  // For cuBLAS: FP32 matrices by rows without gaps, by the numbers of their buffers.
  struct Product {
    std::size_t a = 0, b = 0, c = 0;
    float alpha = 1, beta = 0;
  };
  std::optional<Product> product;
  int rounds = 20;
  std::chrono::milliseconds limit{10'000};  // of each wait
};

struct TimedLaunch {
  struct Times {
    double median = 0, least = 0, most = 0;  // milliseconds of a launch
    double gflops(const Problem& p) const {
      return median > 0 ? 2e-6 * p.m * p.n * p.k / median : 0;
    }
  };
  Times kernel;
  std::optional<Times> cublas;
  std::string whyNoCublas;  // one sentence without a full stop, if it is not compared
  std::uint64_t elements = 0, different = 0;  // of C, from cuBLAS's result, in any bit
  int blocksPerSm = 0;
};

// The kernel runs natively, in this process.
Result<TimedLaunch> timedLaunch(const Context& context, const TimedQuestion& question);

}  // namespace tileloom::gpu
