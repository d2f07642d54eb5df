// SPDX-License-Identifier: GPL-3.0-or-later
// A cuBLAS that multiplies FP32 and has no cublasGemmEx. It accepts every call and computes
// nothing.
extern "C" {
int cublasCreate_v2(void** handle) {
  static int only = 0;
  *handle = &only;
  return 0;
}
int cublasDestroy_v2(void*) {
  return 0;
}
int cublasSetStream_v2(void*, void*) {
  return 0;
}
int cublasSetMathMode(void*, int) {
  return 0;
}
int cublasGetProperty(int, int* value) {
  *value = 7;
  return 0;
}
const char* cublasGetStatusName(int) {
  return "CUBLAS_STATUS_SUCCESS";
}
int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                   int, const float*, float*, int) {
  return 0;
}
}
