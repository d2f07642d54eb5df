// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled kernel as NVRTC gives it: an ELF file of 64 bits. What is read of it is documented by
// the ELF format; the numbers that NVIDIA adds were read off files of compute capability 8.0 to
// 12.0 (docs/hardware.md, rule 28).
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

// The same file with other instructions of the first kernel (as many as it had) and another number
// of registers per thread (0: unchanged). The lists of addresses that the file has beside the code
// stay as they are, those of EXIT instructions for example; a file whose code has relocations is
// refused. The error is one sentence without a full stop.
tl::expected<std::vector<char>, std::string> withCode(std::span<const char> file,
                                                      std::span<const CodeWord> words,
                                                      int registers);

}  // namespace tileloom::sass
