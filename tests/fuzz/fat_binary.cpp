// SPDX-License-Identifier: GPL-3.0-or-later
// A file with machine code inside: all ranges that are found lie within it, what is unpacked has
// the size that was said, and each refusal is a sentence. Names of kernels are demangled.
#include "kernels/sass/cubin/embedded_cubins.h"

#include <algorithm>

#include "kernels/sass/cubin/kernel_name.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {

void attack(std::string_view bytes) {
  for (const sass::EmbeddedCode& code : sass::embeddedIn(bytes)) {
    require(code.at <= bytes.size() && code.size <= bytes.size() - code.at,
            "code lies within the file");
    constexpr std::uint64_t kMost = 16u << 20;  // of the fuzzer's memory
    if (code.bytes > kMost) continue;
    if (const auto whole = sass::unpacked(bytes, code))
      require(whole->size() == code.bytes, "unpacked code has its size");
    else
      requireSentence(whole.error());
  }
  require(sass::kernelTitle(bytes).size() <= std::max<std::size_t>(bytes.size(), 1u << 26),
          "a title is made");
}

}  // namespace tileloom::fuzz
