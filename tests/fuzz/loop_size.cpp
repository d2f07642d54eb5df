// SPDX-License-Identifier: GPL-3.0-or-later
// The main loop of a compiled kernel: the loop is within the file, whatever the file has. The input
// is tried as a file, and as the code of one.
#include "kernels/sass/loop_size.h"

#include "kernels/sass/code_word.h"

#include "tests/fuzz/support.h"
#include "tests/support/cubin_file.h"

namespace tileloom::fuzz {
namespace {

void read(std::span<const char> file) {
  const auto loop = sass::loopSize(file);
  if (!loop) return;
  const int products = loop->ffmas + loop->hmmas + loop->hgmmas;
  require(products > 0 && products <= loop->instructions, "a loop has multiply-adds");
  require(static_cast<std::size_t>(loop->instructions) <= file.size() / sass::kCodeWordBytes,
          "a loop is no longer than the file");
}

}  // namespace

void attack(std::string_view bytes) {
  read(bytes);
  for (const int capability : {86, 90})
    read(test::CubinFile{.capability = capability}.with(
        bytes.substr(0, bytes.size() / sass::kCodeWordBytes * sass::kCodeWordBytes)));
}

}  // namespace tileloom::fuzz
