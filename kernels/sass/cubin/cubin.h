// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes a compiled kernel as NVRTC returns it: a 64-bit ELF file. The parts used are
// documented by the ELF format; the numbers that NVIDIA adds were read off files of compute
// capability 8.0 to 12.0 (docs/hardware.md, rule 28).
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/code_word.h"

namespace tileloom::sass {

struct Cubin {
  std::string kernel;           // the name of the first kernel
  std::vector<CodeWord> words;  // its instructions, with the padding at the end
  int capability = 0;           // 90 for compute capability 9.0
  int registers = 0;            // per thread; 0: the file does not say
  int sharedBytes = 0;          // per block, without those that a launch adds
};

// The first kernel of the file. The error is one sentence without a full stop.
tl::expected<Cubin, std::string> readCubin(std::span<const char> file);

// The same file with other instructions of the first kernel (the same number) and another number of
// registers per thread (0: unchanged). The lists of addresses that the file has beside the code
// stay the same, for example those of EXIT instructions; a file with relocations in its code is
// refused. The error is one sentence without a full stop.
tl::expected<std::vector<char>, std::string> withCode(std::span<const char> file,
                                                      std::span<const CodeWord> words,
                                                      int registers);

}  // namespace tileloom::sass
