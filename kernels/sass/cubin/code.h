// SPDX-License-Identifier: GPL-3.0-or-later
// The code sections of a cubin, one for each kernel, and what belongs to each by its name.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/code_word.h"
#include "kernels/sass/cubin/elf.h"

namespace tileloom::sass {

// A code section's `info`: the number of its symbol, and before 9.0 the registers in the bits
// above.
inline constexpr std::uint32_t kCodeSymbol = 0xffffff;
inline constexpr int kCodeRegistersAt = 24;

struct Code {
  std::string_view kernel;  // mangled
  const ElfSection* section = nullptr;
  std::uint32_t symbol = 0;  // the number of its symbol
};

// At least one. The error is one sentence without a full stop.
tl::expected<std::vector<Code>, std::string> codesOf(const Elf& elf);

// 90 for compute capability 9.0.
int capabilityOf(const Elf& elf);

// The instructions, with the padding at the end.
std::vector<CodeWord> wordsOf(const Elf& elf, const Code& code);

// Registers per thread; 0: the file does not say. The error is as above.
tl::expected<int, std::string> registersOf(const Elf& elf, const Code& code);

// Static shared memory of a block, in bytes.
int sharedBytesOf(const Elf& elf, const Code& code);

}  // namespace tileloom::sass
