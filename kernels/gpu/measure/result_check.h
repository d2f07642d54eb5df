// SPDX-License-Identifier: GPL-3.0-or-later
// Compares results of a kernel on the device, with the kernels of check.cu.
#pragma once

#include <chrono>
#include <memory>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/gpu/measure/operands.h"

namespace tileloom::gpu {

class ResultCheck {
 public:
  // After which a comparison, and what was launched before it, counts as hanging.
  using Deadline = std::chrono::steady_clock::time_point;

  // Compiles check.cu, or takes it from `cache`, which may be nullptr. `context` outlives this.
  static Result<std::unique_ptr<ResultCheck>> open(const Context& context, const Nvrtc& nvrtc,
                                                   const BuildCache* cache);

  // The largest difference of the kernel's C from the reference. Trouble::WrongResult names the
  // first element that differs by more than the tolerance.
  Result<double> check(const Operands& o, Deadline deadline) const;

  // The number of elements in which two matrices of m x n floats differ, even by the last bit only.
  Result<unsigned long long> differing(const Buffer& one, const Buffer& other, unsigned m,
                                       unsigned n, Deadline deadline) const;

 private:
  ResultCheck() = default;

  const Context* context_ = nullptr;
  Kernel check_, checkHalves_;
  Buffer verdict_;
};

}  // namespace tileloom::gpu
