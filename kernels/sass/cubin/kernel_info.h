// SPDX-License-Identifier: GPL-3.0-or-later
// The attributes of a kernel in a cubin (sections .nv.info and .nv.info.KERNEL). NVIDIA does not
// document them. The numbers were read off files of ptxas 13.0 for compute capability 8.0 to 12.0,
// by kernels that differ in one property (docs/hardware.md, rule 89).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/cubin/elf.h"

namespace tileloom::sass {

// A parameter of a kernel, in the order of its declaration.
struct KernelParameter {
  int at = 0;     // bytes from the first parameter
  int bytes = 0;  // 8 of a pointer
  bool operator==(const KernelParameter&) const = default;
};

// Three sizes, along x, y and z; 0: not given.
using Sizes = std::array<std::uint32_t, 3>;

struct KernelInfo {
  int registers = 0;       // per thread; 0: the file does not say
  int frameBytes = 0;      // local memory of a thread
  int barriers = 0;        // of bar.sync that the kernel names
  int parametersAt = 0;    // of the first one, in constant bank 0
  int parameterBytes = 0;  // of all, with gaps
  std::vector<KernelParameter> parameters;
  Sizes mostThreads{};               // __launch_bounds__
  Sizes requiredThreads{};           // .reqntid
  Sizes cluster{};                   // blocks, as __cluster_dims__ says
  std::vector<std::uint32_t> exits;  // addresses of EXIT, in bytes from the start of the code
};

// The attributes of the kernel of this name, whose symbol has this number. The error is one
// sentence without a full stop.
tl::expected<KernelInfo, std::string> kernelInfoOf(const Elf& elf, std::string_view name,
                                                   std::uint32_t symbol);

// The place in the file with the number of registers per thread of this kernel.
std::optional<std::size_t> registersAt(const Elf& elf, std::uint32_t symbol);

}  // namespace tileloom::sass
