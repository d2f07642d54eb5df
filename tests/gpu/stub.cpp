// SPDX-License-Identifier: GPL-3.0-or-later
// A library that is too old: it has only the first function of each API.
extern "C" {
int cuInit(unsigned) {
  return 0;
}
int nvrtcVersion(int*, int*) {
  return 0;
}
int cublasCreate_v2(void**) {
  return 0;
}
int nvmlInit_v2() {
  return 0;
}
}
