// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, and the version of cuBLASLt.
#include "tests/gpu/fake/state.h"
#include "tests/gpu/fake/words.h"

using namespace tileloom::fake;

extern "C" {

int cublasCreate_v2(void** handle) {
  LOCK;
  if (const int forced = s.forced("cublasCreate_v2"); forced != 0) return forced;
  if (s.current == nullptr || s.sticky != 0) return 1;  // NOT_INITIALIZED
  auto* made = new CublasHandle;
  s.handles.insert(made);
  *handle = made;
  return 0;
}

int cublasDestroy_v2(void* handle) {
  LOCK;
  const int answer = s.forced("cublasDestroy_v2");
  s.drainAll(lock);  // it gives memory back
  auto* known = static_cast<CublasHandle*>(handle);
  if (s.handles.erase(known) == 0) return 1;
  delete known;
  return answer;
}

int cublasSetStream_v2(void* handle, cu::Stream stream) {
  LOCK;
  if (const int forced = s.forced("cublasSetStream_v2"); forced != 0) return forced;
  static_cast<CublasHandle*>(handle)->stream = stream;
  return 0;
}

int cublasSetMathMode(void* handle, int mode) {
  LOCK;
  if (const int forced = s.forced("cublasSetMathMode"); forced != 0) return forced;
  static_cast<CublasHandle*>(handle)->math = mode;
  return 0;
}

int cublasGetProperty(int type, int* value) {
  LOCK;
  if (const int forced = s.forced("cublasGetProperty"); forced != 0) return forced;
  if (type < 0 || type > 2) return 7;
  *value = type == 0 ? 13 : type == 1 ? 1 : 2;
  return 0;
}

const char* cublasGetStatusName(int status) {
  switch (status) {
    case 0:
      return "CUBLAS_STATUS_SUCCESS";
    case 1:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case 3:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case 7:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case 8:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case 13:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case 15:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_OF_THE_FAKE";
  }
}

// Column-major: C (m x n) = alpha A (m x k) B (k x n) + beta C. No transposition and no gaps: this
// program needs nothing else.
int cublasSgemm_v2(void* handle, int transA, int transB, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                   int ldc) {
  LOCK;
  if (const int forced = s.forced("cublasSgemm_v2"); forced != 0) return forced;
  auto* known = static_cast<CublasHandle*>(handle);
  if (s.handles.count(known) == 0 || s.streams.count(known->stream) == 0) return 1;
  if (transA != 0 || transB != 0 || lda != m || ldb != k || ldc != m) return 15;
  if (m < 0 || n < 0 || k < 0) return 7;
  if (s.sticky != 0) return 13;
  s.note(text("sgemm %dx%dx%d %d", n, m, k, known->math));
  s.pass(known->stream, "cublas", m, n, k);
  // The same row-major is C^T = B^T A^T.
  known->stream->queue.emplace_back([&s, m, n, k, x = *alpha, y = *beta, a, b, c] {
    s.gemm(n, m, k, x, reinterpret_cast<DevicePtr>(b), reinterpret_cast<DevicePtr>(a), y,
           reinterpret_cast<DevicePtr>(c));
  });
  return 0;
}

int cublasSetWorkspace_v2(void* handle, void* workspace, std::size_t bytes) {
  LOCK;
  if (const int forced = s.forced("cublasSetWorkspace_v2"); forced != 0) return forced;
  if (s.handles.count(static_cast<CublasHandle*>(handle)) == 0) return 1;
  return s.holder(reinterpret_cast<DevicePtr>(workspace), bytes) != nullptr ? 0 : 7;
}

// As above, for 16-bit elements with FP32 sums, alpha 1 and beta 0: again all that is needed.
int cublasGemmEx(void* handle, int transA, int transB, int m, int n, int k, const void* alpha,
                 const void* a, int typeA, int lda, const void* b, int typeB, int ldb,
                 const void* beta, void* c, int typeC, int ldc, int compute, int algorithm) {
  LOCK;
  if (const int forced = s.forced("cublasGemmEx"); forced != 0) return forced;
  auto* known = static_cast<CublasHandle*>(handle);
  if (s.handles.count(known) == 0 || s.streams.count(known->stream) == 0) return 1;
  const bool types = (typeA == kTypeBf16 || typeA == kTypeFp16) && typeB == typeA && typeC == typeA;
  if (transA != 0 || transB != 0 || lda != m || ldb != k || ldc != m || !types || compute != 68 ||
      algorithm != -1 || *static_cast<const float*>(alpha) != 1.0f ||
      *static_cast<const float*>(beta) != 0.0f) {
    return 15;
  }
  if (s.sticky != 0) return 13;
  s.note(text("gemmex %dx%dx%d type %d math %d", n, m, k, typeA, known->math));
  s.halfType = typeA;
  s.pass(known->stream, "cublas", m, n, k);
  known->stream->queue.emplace_back([&s, m, n, k, a, b, c] {
    s.gemmHalves(n, m, k, reinterpret_cast<DevicePtr>(b), reinterpret_cast<DevicePtr>(a),
                 reinterpret_cast<DevicePtr>(c));
  });
  return 0;
}

std::size_t cublasLtGetVersion() {
  return 130102;  // 13.1.2
}

}  // extern "C"
