// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/cublas.h"

#include <fmt/format.h>

namespace tileloom::gpu {
namespace {

// cublas_api.h: cublasMath_t, cublasOperation_t, cublasStatus_t.
constexpr int kPedanticMath = 2;
constexpr int kNoReducedPrecision = 16;  // default math, reductions in full precision
constexpr int kNoTranspose = 0;
constexpr int kComputeFloat = 68;  // cublasComputeType_t
constexpr int kDefaultAlgorithm = -1;
constexpr int kTypeBf16 = 14, kTypeFp16 = 2;  // library_types.h: cudaDataType_t
constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;
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
  cublas->context_ = &context;
  library->bind(cublas->create_, "cublasCreate_v2");
  library->bind(cublas->destroy_, "cublasDestroy_v2");
  library->bind(cublas->setStream_, "cublasSetStream_v2");
  library->bind(cublas->setMath_, "cublasSetMathMode");
  library->bind(cublas->sgemm_, "cublasSgemm_v2");
  library->bind(cublas->statusName_, "cublasGetStatusName");
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  // FP32 needs none of these.
  cublas->setWorkspace_ =
      reinterpret_cast<decltype(setWorkspace_)>(library->find("cublasSetWorkspace_v2"));
  cublas->gemmEx_ = reinterpret_cast<decltype(gemmEx_)>(library->find("cublasGemmEx"));
  auto handle = cublas->makeHandle(kPedanticMath);
  if (!handle) return tl::unexpected(handle.error());
  cublas->handle_ = *handle;
  return cublas;
}

Result<Cublas::Handle> Cublas::makeHandle(int math) const {
  constexpr std::string_view kDoing = "on start";
  Handle handle = nullptr;
  auto done = check(create_(&handle), kDoing);
  if (done) done = check(setStream_(handle, context_->stream()), kDoing);
  if (done) done = check(setMath_(handle, math), kDoing);
  if (done) return handle;
  if (handle != nullptr) destroy_(handle);
  return tl::unexpected(done.error());
}

Cublas::~Cublas() {
  if (context_ == nullptr || context_->driver().abandoned()) return;
  for (const Handle handle : {handle_, halves_}) {
    if (handle != nullptr) destroy_(handle);
  }
}

Result<void> Cublas::check(int status, std::string_view doing) const {
  if (status == 0) return {};
  const Trouble trouble = status == kAllocFailed       ? Trouble::OutOfMemory
                          : status == kArchMismatch    ? Trouble::Unsupported
                          : status == kExecutionFailed ? Trouble::Lost
                                                       : Trouble::Failed;
  const std::string_view advice = trouble == Trouble::OutOfMemory
                                      ? "choose a smaller size, or end other programs on this GPU"
                                      : "check that cuBLAS and the driver are compatible";
  return fail(trouble, fmt::format("cuBLAS said {} {}: {}", statusName_(status), doing, advice));
}

Result<void> Cublas::sgemm(const Problem& p, float alpha, const Buffer& a, const Buffer& b,
                           float beta, const Buffer& c) const {
  // cuBLAS is column-major: it sees C^T = B^T A^T.
  return check(sgemm_(handle_, kNoTranspose, kNoTranspose, p.n, p.m, p.k, &alpha,
                      reinterpret_cast<const float*>(b.address()), p.n,
                      reinterpret_cast<const float*>(a.address()), p.k, &beta,
                      reinterpret_cast<float*>(c.address()), p.n),
               "while multiplying");
}

Result<void> Cublas::gemmHalves(const Problem& p, Format format, const Buffer& a, const Buffer& b,
                                const Buffer& c) {
  if (gemmEx_ == nullptr || setWorkspace_ == nullptr) {
    return fail(Trouble::Missing,
                fmt::format("this cuBLAS has no {}, which multiplies {} numbers: install cuBLAS of "
                            "CUDA 12 or later",
                            gemmEx_ == nullptr ? "cublasGemmEx" : "cublasSetWorkspace_v2",
                            rowOf(format).name));
  }
  if (halves_ == nullptr) {
    auto workspace = context_->allocate(kWorkspaceBytes);
    if (!workspace) return tl::unexpected(workspace.error());
    auto handle = makeHandle(kNoReducedPrecision);
    if (!handle) return tl::unexpected(handle.error());
    halves_ = *handle;
    workspace_ = std::move(*workspace);
    if (auto done = check(setWorkspace_(halves_, reinterpret_cast<void*>(workspace_.address()),
                                        workspace_.bytes()),
                          "on start");
        !done) {
      return done;
    }
  }
  const float one = 1, zero = 0;
  const int type = format == Format::Bf16 ? kTypeBf16 : kTypeFp16;
  const auto at = [](const Buffer& buffer) { return reinterpret_cast<void*>(buffer.address()); };
  return check(gemmEx_(halves_, kNoTranspose, kNoTranspose, p.n, p.m, p.k, &one, at(b), type, p.n,
                       at(a), type, p.k, &zero, at(c), type, p.n, kComputeFloat, kDefaultAlgorithm),
               "while multiplying");
}

}  // namespace tileloom::gpu
