// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code inside a compiled kernel.
#pragma once

#include <QtTest>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tileloom::gpu {

// The section ".text.<kernel>" of a 64-bit ELF file; empty: it has none.
inline std::string codeOf(const std::vector<char>& cubin, std::string_view kernel) {
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    if (at + bytes > cubin.size()) qFatal("the cubin is cut short");
    std::memcpy(&value, cubin.data() + at, bytes);
    return value;
  };
  const std::uint64_t table = number(40, 8), entry = number(58, 2), count = number(60, 2),
                      names = number(62, 2);
  const auto section = [&](std::uint64_t i) { return table + i * entry; };
  const std::uint64_t text = number(section(names) + 24, 8);
  const std::string wanted = ".text." + std::string(kernel);
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* name = cubin.data() + text + number(section(i), 4);
    if (wanted != name) continue;
    const std::uint64_t offset = number(section(i) + 24, 8), size = number(section(i) + 32, 8);
    number(offset + size - 1, 1);
    return std::string(cubin.data() + offset, size);
  }
  return {};
}

}  // namespace tileloom::gpu
