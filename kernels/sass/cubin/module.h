// SPDX-License-Identifier: GPL-3.0-or-later
// All that a cubin says about its kernels: code, parameters, memory, constants, source lines. It
// knows nothing of who made it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/code_word.h"
#include "kernels/sass/cubin/kernel_info.h"
#include "kernels/sass/cubin/line_table.h"

namespace tileloom::sass {

// A place that loading changes: it gets the address of a symbol.
struct Relocation {
  std::uint64_t at = 0;    // bytes from the start of the code or bank
  std::uint32_t type = 0;  // 2 in a bank, 4 in initial values: the 64-bit address
  std::string symbol;
  std::int64_t addend = 0;
  bool operator==(const Relocation&) const = default;
};

// The contents of a constant bank before a launch.
struct ConstantBank {
  int bank = 0;
  std::vector<char> bytes;
  std::vector<Relocation> relocations;
};

// A variable of the whole module (__device__, __constant__) or a shared one of a kernel.
struct Variable {
  enum class Space : std::uint8_t { Global, Constant, Shared };
  std::string name;  // mangled
  Space space = Space::Global;
  std::uint64_t at = 0;  // from the start of its section
  std::uint64_t bytes = 0;
  bool operator==(const Variable&) const = default;
};

struct KernelImage {
  std::string name;  // mangled
  std::vector<CodeWord> words;
  KernelInfo info;
  int sharedBytes = 0;  // per block, without those that a launch adds; from 9.0 on with 1,024
                        // that the system keeps
  int sharedAlign = 1;  // of its static part, in bytes
  std::vector<ConstantBank> constants;  // its own: bank 0 has the size of the parameters
  std::vector<Variable> shared;
  std::vector<Relocation> relocations;  // of its code
  LineTable lines;
};

struct Module {
  int capability = 0;  // 90 for compute capability 9.0
  std::vector<KernelImage> kernels;
  std::vector<ConstantBank> constants;  // of all kernels: bank 3 has __constant__, 4 addresses
  std::vector<Variable> variables;
  std::uint64_t globalBytes = 0;              // of __device__ variables, zero at first
  std::vector<char> globals;                  // initial values of others, behind them
  std::vector<Relocation> globalRelocations;  // of `globals`

  const KernelImage* named(std::string_view kernel) const;  // nullptr: there is none
};

// The error is one sentence without a full stop.
tl::expected<Module, std::string> readModule(std::span<const char> file);

}  // namespace tileloom::sass
