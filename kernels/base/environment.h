// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own environment variables; `tileloom --help` shows this table.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tileloom {

inline constexpr const char* kCacheVariable = "TILELOOM_CACHE";
inline constexpr const char* kDriverVariable = "TILELOOM_LIBCUDA";
inline constexpr const char* kNvrtcVariable = "TILELOOM_NVRTC";
inline constexpr const char* kCublasVariable = "TILELOOM_CUBLAS";
inline constexpr const char* kCublasLtVariable = "TILELOOM_CUBLASLT";
inline constexpr const char* kNvmlVariable = "TILELOOM_NVML";
inline constexpr const char* kCuptiVariable = "TILELOOM_CUPTI";
inline constexpr const char* kDisassemblerVariable = "TILELOOM_NVDISASM";
inline constexpr const char* kNvccVariable = "TILELOOM_NVCC";

struct Variable {
  std::string_view name;
  std::string_view what;
};

std::span<const Variable> variables();
// A line for each.
std::string variablesText();

}  // namespace tileloom
