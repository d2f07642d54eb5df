// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, found at run time: the reference for results and for speed.
#pragma once

#include <memory>
#include <string>

#include "kernels/gpu/driver.h"
#include "kernels/tile/tile_shape.h"

namespace tileloom::gpu {

class Cublas {
 public:
  // The version of the library, which needs no GPU.
  static Result<std::string> version();

  // A handle on the context's stream, with CUBLAS_PEDANTIC_MATH: FP32 throughout, never TF32.
  static Result<std::unique_ptr<Cublas>> open(const Context& context);
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
  ~Cublas();

  // C = alpha A B + beta C, all row-major and without gaps: A is m x k, B is k x n, C is m x n.
  Result<void> sgemm(const Problem& problem, float alpha, const Buffer& a, const Buffer& b,
                     float beta, const Buffer& c) const;

 private:
  Cublas() = default;
  using Handle = struct HandleTag*;
  Result<void> check(int status, std::string_view doing) const;

  const Driver* driver_ = nullptr;  // of the context, which outlives this
  int (*destroy_)(Handle) = nullptr;
  const char* (*statusName_)(int) = nullptr;
  int (*sgemm_)(Handle, int, int, int, int, int, const float*, const float*, int, const float*, int,
                const float*, float*, int) = nullptr;
  Handle handle_ = nullptr;
};

// The version of cuBLASLt, such as "13.0.0". cuBLAS needs that library, so the program reports
// separately if it is missing.
Result<std::string> cublasLtVersion();

}  // namespace tileloom::gpu
