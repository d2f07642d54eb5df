// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled kernel made by hand: an ELF file with the few sections that this program reads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/support/elf_file.h"

namespace tileloom::test {

struct CubinFile {
  std::string kernel = "k";
  int capability = 90;
  int registers = 32;             // per thread, in the list of attributes; 0: not given
  int registersInHeader = 0;      // in the header of the code, as files before 9.0 have it
  std::uint64_t sharedBytes = 0;  // 0: no section
  std::size_t relocations = 0;    // bytes of a list of them

  // Code of any length, in bytes: a multiple of an instruction's length if it is to be accepted.
  std::vector<char> with(std::span<const char> code) const {
    ElfFile file(capability);
    if (registers != 0) {
      std::vector<char> list;
      put(list, 0, std::uint32_t{0x00ff1b03});  // an attribute of another kind
      put(list, 4, std::uint32_t{0x00082f04});
      put(list, 8, kSymbol);
      put(list, 12, static_cast<std::uint32_t>(registers));
      file.section(".nv.info", 0x70000000, list);
    }
    const auto inHeader = static_cast<std::uint32_t>(registersInHeader) << 24;
    file.section(".text." + kernel, 1, std::vector<char>(code.begin(), code.end()),
                 kSymbol | inHeader);
    if (sharedBytes != 0) file.section(".nv.shared." + kernel, 8, {}, 0, sharedBytes);
    if (relocations != 0) file.section(".rela.text." + kernel, 4, std::vector<char>(relocations));
    return file.made();
  }

  // The lower and the upper half of each instruction.
  std::vector<char> with(const std::vector<std::array<std::uint64_t, 2>>& code) const {
    std::vector<char> bytes(16 * code.size());
    for (std::size_t i = 0; i < code.size(); ++i) put(bytes, 16 * i, code[i]);
    return with(std::span<const char>(bytes));
  }

 private:
  static constexpr std::uint32_t kSymbol = 5;  // the kernel's number in the table of symbols
};

}  // namespace tileloom::test
