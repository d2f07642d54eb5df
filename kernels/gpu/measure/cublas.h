// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, found at run time: the reference for results and for speed.
#pragma once

#include <memory>
#include <string>

#include "kernels/gpu/driver/driver.h"
#include "kernels/tile/format.h"
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

  // C = A B of 16-bit elements with FP32 accumulators, laid out in the same way: cublasGemmEx on a
  // separate handle, with default math, without reduced-precision reductions, and with a workspace
  // of 32 MiB. Trouble::Missing: this cuBLAS has no such function.
  Result<void> gemmHalves(const Problem& problem, Format format, const Buffer& a, const Buffer& b,
                          const Buffer& c);

 private:
  Cublas() = default;
  using Handle = struct HandleTag*;
  Result<void> check(int status, std::string_view doing) const;
  Result<Handle> makeHandle(int math) const;

  const Context* context_ = nullptr;  // outlives this
  int (*create_)(Handle*) = nullptr;
  int (*setStream_)(Handle, cu::Stream) = nullptr;
  int (*setMath_)(Handle, int) = nullptr;
  int (*setWorkspace_)(Handle, void*, std::size_t) = nullptr;  // nullptr where missing, as gemmEx_
  int (*gemmEx_)(Handle, int, int, int, int, int, const void*, const void*, int, int, const void*,
                 int, int, const void*, void*, int, int, int, int) = nullptr;
  int (*destroy_)(Handle) = nullptr;
  const char* (*statusName_)(int) = nullptr;
  int (*sgemm_)(Handle, int, int, int, int, int, const float*, const float*, int, const float*, int,
                const float*, float*, int) = nullptr;
  Handle handle_ = nullptr;
  Handle halves_ = nullptr;  // made by the first gemmHalves()
  Buffer workspace_;
};

// The version of cuBLASLt, such as "13.0.0". cuBLAS needs that library, so the program reports
// separately if it is missing.
Result<std::string> cublasLtVersion();

}  // namespace tileloom::gpu
