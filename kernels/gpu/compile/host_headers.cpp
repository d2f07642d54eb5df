// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/host_headers.h"

#include <array>
#include <vector>

namespace tileloom::gpu {
namespace {

// The same types as of NVIDIA's libcu++: a typedef may be repeated.
constexpr std::string_view kIntegers = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
}
)";
constexpr std::string_view kFloats = R"(#pragma once
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
)";
constexpr std::string_view kLimits = R"(#pragma once
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#endif
)";
// Functions that fail end a host program; a kernel has no such call.
constexpr std::array<std::string_view, 39> kEmpty = {"cuda_runtime.h",
                                                     "cuda_runtime_api.h",
                                                     "device_launch_parameters.h",
                                                     "helper_cuda.h",
                                                     "helper_functions.h",
                                                     "cublas_v2.h",
                                                     "curand.h",
                                                     "cuda_profiler_api.h",
                                                     "nvToolsExt.h",
                                                     "assert.h",
                                                     "math.h",
                                                     "stddef.h",
                                                     "stdio.h",
                                                     "stdlib.h",
                                                     "string.h",
                                                     "time.h",
                                                     "sys/time.h",
                                                     "unistd.h",
                                                     "algorithm",
                                                     "cassert",
                                                     "chrono",
                                                     "cmath",
                                                     "cstddef",
                                                     "cstdio",
                                                     "cstdlib",
                                                     "cstring",
                                                     "ctime",
                                                     "fstream",
                                                     "functional",
                                                     "iomanip",
                                                     "iostream",
                                                     "memory",
                                                     "numeric",
                                                     "random",
                                                     "sstream",
                                                     "stdexcept",
                                                     "string",
                                                     "thread",
                                                     "vector"};

std::vector<SourceFile> headers() {
  std::vector<SourceFile> all = {{"stdint.h", kIntegers}, {"cstdint", kIntegers},
                                 {"float.h", kFloats},    {"cfloat", kFloats},
                                 {"limits.h", kLimits},   {"climits", kLimits}};
  for (const std::string_view name : kEmpty) all.push_back({name, "\n"});
  return all;
}

}  // namespace

std::span<const SourceFile> hostHeaders() {
  static const std::vector<SourceFile> all = headers();
  return all;
}

}  // namespace tileloom::gpu
