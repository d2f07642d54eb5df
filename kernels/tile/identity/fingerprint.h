// SPDX-License-Identifier: GPL-3.0-or-later
// Which code a run or a listing belongs to. The fingerprint of a rung is a hash of the tokens that
// are compiled (tokens.h): those of its source, with the tokens of each header at the place of its
// #include, once where it has `#pragma once`. Comments, white space and the path of a header do not
// change it; a token, a literal or an option of the assembler does.
//
// A header that is not among the device files belongs to the emulator, and the GPU's compiler never
// sees it: it is left out. The name of one of the compiler's own headers, <x>, is included.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/tile/stage.h"

namespace tileloom {

// 16 hex digits (FNV-1a, 64 bits). It does not protect against forgery.
std::string fingerprintOf(const Stage& stage);

// What is compiled, and how.
struct CodeText {
  std::string_view source;            // of the kernel
  std::span<const SourceFile> files;  // that it may include
  std::string assemblerOption;        // empty: none
  int rewriter = 0;                   // see Stage::rewriter
};
CodeText codeTextOf(const Stage& stage);
std::string fingerprintOf(const CodeText& code);

// Whether the text has the form of a fingerprint.
bool isFingerprint(std::string_view text);

}  // namespace tileloom
