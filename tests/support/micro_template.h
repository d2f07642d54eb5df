// SPDX-License-Identifier: GPL-3.0-or-later
// An ELF file that replaces the compiled kernels/gpu/measure/micro_case.cu: only the parts that the
// program needs to insert the instructions of a micro-case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tileloom::test {

struct MicroTemplate {
  std::size_t length = 256;         // instructions of the loop except for those that close it
  std::size_t placeholders = 2;     // before the loop
  std::uint64_t ffma = 0x05057223;  // low half of a placeholder: it reads R5
  std::uint32_t registers = 13;

  static constexpr std::uint64_t kFfmaHigh = 0x000fe20000000005;

  // Instructions, 16 bytes each, as pairs of halves.
  std::vector<std::uint64_t> words() const {
    std::vector<std::uint64_t> all;
    const auto add = [&all](std::uint64_t low, std::uint64_t high) {
      all.push_back(low);
      all.push_back(high);
    };
    for (std::size_t i = 0; i < placeholders; ++i) add(ffma | std::uint64_t{5} << 32, kFfmaHigh);
    for (std::size_t i = 0; i < length + 2; ++i) add(ffma | std::uint64_t{5} << 32, kFfmaHigh);
    // BRA to the first instruction of the loop: a distance in units of 4 bytes.
    const auto units = -static_cast<std::int64_t>((length + 3) * 16 / 4);
    const auto bits = static_cast<std::uint64_t>(units);
    add(0x947 | (bits & 0xff) << 16 | (bits >> 8) << 34,
        ((bits >> 8) >> 30 & 0x3ffff) | 0x000fea0003800000);
    add(0x94d | 7 << 12, 0x000fea0003800000);  // EXIT
    return all;
  }

  std::string file() const {
    const std::vector<std::uint64_t> code = words();
    std::vector<std::uint32_t> info = {0x00082f04, 1, registers};  // registers of the symbol 1
    const std::string names = std::string("\0.shstrtab\0.text.micro_case\0.nv.info\0", 37);
    std::string bytes(64, '\0');
    const auto put = [&bytes](std::size_t at, auto value) {
      std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    std::memcpy(bytes.data(), "\177ELF\2\1\1", 7);
    bytes[8] = 8;    // version of the format: the second byte of flags has
    bytes[49] = 90;  // the compute capability
    struct Section {
      std::uint32_t name, type, info;
      std::size_t at, size;
    };
    std::vector<Section> sections = {{0, 0, 0, 0, 0}};
    const auto append = [&](std::uint32_t name, std::uint32_t type, std::uint32_t symbol,
                            const void* data, std::size_t size) {
      sections.push_back({name, type, symbol, bytes.size(), size});
      bytes.append(static_cast<const char*>(data), size);
    };
    append(1, 3, 0, names.data(), names.size());
    append(11, 1, 1, code.data(), code.size() * 8);
    append(28, 0x70000000, 0, info.data(), info.size() * 4);
    put(40, std::uint64_t{bytes.size()});
    put(58, std::uint16_t{64});
    put(60, static_cast<std::uint16_t>(sections.size()));
    put(62, std::uint16_t{1});
    for (const Section& section : sections) {
      const std::size_t header = bytes.size();
      bytes.append(64, '\0');
      put(header, section.name);
      put(header + 4, section.type);
      put(header + 24, std::uint64_t{section.at});
      put(header + 32, std::uint64_t{section.size});
      put(header + 44, section.info);
    }
    return bytes;
  }
};

}  // namespace tileloom::test
