// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled kernel made by hand: an ELF file with the few sections that this program reads.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

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
    const std::vector<char> none;
    std::vector<Section> sections = {{"", 0, none, 0, 0}, {".shstrtab", 3, none, 0, 0}};
    if (registers != 0) {
      std::vector<char> list(16);
      put(list, 0, std::uint32_t{0x00ff1b03});  // an attribute of another kind
      put(list, 4, std::uint32_t{0x00082f04});
      put(list, 8, kSymbol);
      put(list, 12, static_cast<std::uint32_t>(registers));
      sections.push_back({".nv.info", 0x70000000, list, list.size(), 0});
    }
    const auto inHeader = static_cast<std::uint32_t>(registersInHeader) << 24;
    sections.push_back({".text." + kernel, 1, std::vector<char>(code.begin(), code.end()),
                        code.size(), kSymbol | inHeader});
    if (sharedBytes != 0) sections.push_back({".nv.shared." + kernel, 8, none, sharedBytes, 0});
    if (relocations != 0)
      sections.push_back(
          {".rela.text." + kernel, 4, std::vector<char>(relocations), relocations, 0});
    std::vector<char>& names = sections[1].contents;
    std::vector<std::uint32_t> nameAt;
    for (const Section& section : sections) {
      nameAt.push_back(static_cast<std::uint32_t>(names.size()));
      const std::string& name = section.name;
      names.insert(names.end(), name.c_str(), name.c_str() + name.size() + 1);
    }
    sections[1].bytes = names.size();

    std::vector<char> file(kHeader * (1 + sections.size()));
    put(file, 0, std::uint32_t{0x464c457f});  // 0x7f, "ELF"
    put(file, 4, std::uint32_t{0x41010102});  // 64 bits, little-endian
    put(file, 8, char{8});
    put(file, 40, std::uint64_t{kHeader});
    put(file, 49, static_cast<char>(capability));
    put(file, 58, static_cast<std::uint16_t>(kHeader));
    put(file, 60, static_cast<std::uint16_t>(sections.size()));
    put(file, 62, std::uint16_t{1});
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& section = sections[i];
      const std::size_t at = kHeader * (1 + i);
      put(file, at, nameAt[i]);
      put(file, at + 4, section.type);
      put(file, at + 24, std::uint64_t{file.size()});
      put(file, at + 32, section.bytes);
      put(file, at + 44, section.info);
      file.insert(file.end(), section.contents.begin(), section.contents.end());
    }
    return file;
  }

  // The lower and the upper half of each instruction.
  std::vector<char> with(const std::vector<std::array<std::uint64_t, 2>>& code) const {
    std::vector<char> bytes(16 * code.size());
    for (std::size_t i = 0; i < code.size(); ++i) put(bytes, 16 * i, code[i]);
    return with(std::span<const char>(bytes));
  }

 private:
  static constexpr std::size_t kHeader = 64;
  static constexpr std::uint32_t kSymbol = 5;  // the kernel's number in the table of symbols

  struct Section {
    std::string name;
    std::uint32_t type = 0;
    std::vector<char> contents;
    std::uint64_t bytes = 0;
    std::uint32_t info = 0;
  };

  template <class T>
  static void put(std::vector<char>& bytes, std::size_t at, const T& value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
};

}  // namespace tileloom::test
