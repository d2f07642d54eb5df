// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/cublas.h"

#include <fmt/format.h>

namespace tileloom::gpu {
namespace {

// cublas_api.h: cublasMath_t, cublasOperation_t, cublasStatus_t.
constexpr int kPedanticMath = 2;
constexpr int kNoTranspose = 0;
constexpr int kAllocFailed = 3;
constexpr int kArchMismatch = 8;
constexpr int kExecutionFailed = 13;

std::string versionText(std::size_t v) {  // 130002: 13.0.2 since 12; 120304 likewise
  return fmt::format("{}.{}.{}", v / 10000, v / 100 % 100, v % 100);
}

}  // namespace

Result<std::string> Cublas::version() {
  auto library = Library::open(cublasLibrary());
  if (!library) return tl::unexpected(library.error());
  int (*property)(int, int*) = nullptr;
  library->bind(property, "cublasGetProperty");
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  int parts[3] = {};
  for (int i = 0; i < 3; ++i) property(i, &parts[i]);
  return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
}

Result<std::string> cublasLtVersion() {
  auto library = Library::open(cublasLtLibrary());
  if (!library) return tl::unexpected(library.error());
  std::size_t (*version)() = nullptr;
  library->bind(version, "cublasLtGetVersion");
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  return versionText(version());
}

Result<std::unique_ptr<Cublas>> Cublas::open(const Context& context) {
  auto library = Library::open(cublasLibrary());
  if (!library) return tl::unexpected(library.error());
  std::unique_ptr<Cublas> cublas(new Cublas);
  cublas->driver_ = &context.driver();
  int (*create)(Handle*) = nullptr;
  int (*setStream)(Handle, cu::Stream) = nullptr;
  int (*setMath)(Handle, int) = nullptr;
  library->bind(create, "cublasCreate_v2");
  library->bind(cublas->destroy_, "cublasDestroy_v2");
  library->bind(setStream, "cublasSetStream_v2");
  library->bind(setMath, "cublasSetMathMode");
  library->bind(cublas->sgemm_, "cublasSgemm_v2");
  library->bind(cublas->statusName_, "cublasGetStatusName");
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  constexpr std::string_view kDoing = "on start";
  if (const auto done = cublas->check(create(&cublas->handle_), kDoing); !done)
    return tl::unexpected(done.error());
  if (const auto done = cublas->check(setStream(cublas->handle_, context.stream()), kDoing);
      !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done = cublas->check(setMath(cublas->handle_, kPedanticMath), kDoing); !done) {
    return tl::unexpected(done.error());
  }
  return cublas;
}

Cublas::~Cublas() {
  if (handle_ != nullptr && !driver_->abandoned()) destroy_(handle_);
}

Result<void> Cublas::check(int status, std::string_view doing) const {
  if (status == 0) return {};
  const Trouble trouble = status == kAllocFailed       ? Trouble::OutOfMemory
                          : status == kArchMismatch    ? Trouble::Unsupported
                          : status == kExecutionFailed ? Trouble::Lost
                                                       : Trouble::Failed;
  const std::string_view advice = trouble == Trouble::OutOfMemory
                                      ? "choose a smaller size, or end other programs on this GPU"
                                      : "check that cuBLAS and the driver fit together";
  return fail(trouble, fmt::format("cuBLAS said {} {}: {}", statusName_(status), doing, advice));
}

Result<void> Cublas::sgemm(const Problem& p, float alpha, const Buffer& a, const Buffer& b,
                           float beta, const Buffer& c) const {
  // cuBLAS counts by columns: what it sees is C^T = B^T A^T.
  return check(sgemm_(handle_, kNoTranspose, kNoTranspose, p.n, p.m, p.k, &alpha,
                      reinterpret_cast<const float*>(b.address()), p.n,
                      reinterpret_cast<const float*>(a.address()), p.k, &beta,
                      reinterpret_cast<float*>(c.address()), p.n),
               "while multiplying");
}

}  // namespace tileloom::gpu
