// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler or assembler of NVIDIA complains about, from its log.
#pragma once

#include <string>
#include <string_view>

namespace tileloom::gpu {

struct LoggedError {
  std::string text;  // "identifier "x" is undefined"; empty: the log has none
  std::string file;  // as the log names it; empty: it does not say
  int line = 0;      // from 1; 0: it does not say
  bool operator==(const LoggedError&) const = default;
};

// The first error, in the words of NVRTC, nvcc, its host compiler, or ptxas.
LoggedError firstErrorOf(std::string_view log);

}  // namespace tileloom::gpu
