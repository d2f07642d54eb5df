// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/environment.h"

#include <fmt/format.h>

#include <array>

namespace tileloom {
namespace {

constexpr std::array kVariables = {
    Variable{kCacheVariable,
             "a folder of your own for compiled kernels, instead of ~/.cache/tileloom/kernels"},
    Variable{kDriverVariable, "the file of NVIDIA's driver library to load, or none"},
    Variable{kNvrtcVariable, "the file of NVRTC, or none"},
    Variable{kCublasVariable, "the file of cuBLAS, or none"},
    Variable{kCublasLtVariable, "the file of cuBLASLt, or none"},
    Variable{kNvmlVariable, "the file of NVML, or none"},
    Variable{kCuptiVariable, "the file of CUPTI, or none"},
    Variable{kDisassemblerVariable,
             "nvdisasm or cuobjdump, to read machine code instead of Tileloom; none: neither"},
    Variable{kNvccVariable, "nvcc, for kernels in .cu files that NVRTC refuses, or none"},
};

}  // namespace

std::span<const Variable> variables() {
  return kVariables;
}

std::string variablesText() {
  std::string text;
  for (const Variable& each : kVariables)
    text += fmt::format("  {:<18} {}\n", each.name, each.what);
  return text;
}

}  // namespace tileloom
