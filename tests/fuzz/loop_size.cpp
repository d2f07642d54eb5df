// SPDX-License-Identifier: GPL-3.0-or-later
// The main loop of a compiled kernel: whatever the file holds, the loop lies within it. The bytes
// are tried as a file, and as the code of one.
#include "kernels/sass/loop_size.h"

#include <cstring>
#include <vector>

#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

constexpr std::size_t kInstruction = 16;  // bytes

void read(std::span<const char> file) {
  const auto loop = sass::loopSize(file);
  if (!loop) return;
  const int products = loop->ffmas + loop->hmmas;
  require(products > 0 && products <= loop->instructions, "a loop has multiply-adds");
  require(static_cast<std::size_t>(loop->instructions) <= file.size() / kInstruction,
          "a loop is no longer than the file");
}

// An ELF file with this code in the last of three sections.
std::vector<char> fileOf(std::string_view code, char capability) {
  constexpr std::string_view kNames("\0.shstrtab\0.text.k\0", 19);
  constexpr std::size_t kNamesAt = 256, kCodeAt = 288;
  std::vector<char> file(kCodeAt + code.size());
  const auto put = [&](std::size_t at, auto value) {
    std::memcpy(file.data() + at, &value, sizeof value);
  };
  put(0, std::uint32_t{0x464c457f});
  put(4, char{2});
  put(8, char{8});
  put(49, capability);
  put(40, std::uint64_t{64});
  put(58, std::uint16_t{64});
  put(60, std::uint16_t{3});
  put(62, std::uint16_t{1});
  const auto section = [&](std::size_t i, std::uint32_t name, std::uint64_t at, std::size_t size) {
    put(64 + 64 * i, name);
    put(64 + 64 * i + 24, at);
    put(64 + 64 * i + 32, std::uint64_t{size});
  };
  section(1, 1, kNamesAt, kNames.size());
  section(2, 11, kCodeAt, code.size());
  std::memcpy(file.data() + kNamesAt, kNames.data(), kNames.size());
  if (!code.empty()) std::memcpy(file.data() + kCodeAt, code.data(), code.size());
  return file;
}

}  // namespace

void attack(std::string_view bytes) {
  read(bytes);
  for (const char capability : {char{86}, char{90}}) read(fileOf(bytes, capability));
}

}  // namespace tileloom::fuzz
