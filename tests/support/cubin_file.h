// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled kernel made by hand: an ELF file with the few sections that this program reads.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tileloom::test {

struct CubinFile {
  std::string kernel = "k";
  int capability = 90;
  int registers = 32;             // per thread, in the list of attributes; 0: nothing says it
  int registersInHeader = 0;      // in the header of the code, as files before 9.0 have it
  std::uint64_t sharedBytes = 0;  // 0: no section

  // Code of any length, in bytes: a whole number of instructions where it is to be accepted.
  std::vector<char> with(std::span<const char> code) const {
    struct Section {
      std::string name;
      std::uint32_t type = 1;
      std::string contents;
      std::uint64_t bytes = 0;
      std::uint32_t info = 0;
    };
    constexpr std::uint32_t kSymbol = 5, kNoContents = 8;
    std::vector<Section> sections = {{}, {".shstrtab", 3, {}, 0, 0}};
    if (registers != 0) {
      std::string list("\x03\x1b\xff\x00\x04\x2f\x08\x00", 8);
      list += number<std::uint32_t>(kSymbol) + number(static_cast<std::uint32_t>(registers));
      sections.push_back({".nv.info", 0x70000000, list, list.size(), 0});
    }
    const auto inHeader = static_cast<std::uint32_t>(registersInHeader) << 24;
    sections.push_back({".text." + kernel, 1, std::string(code.begin(), code.end()), code.size(),
                        kSymbol | inHeader});
    if (sharedBytes != 0)
      sections.push_back({".nv.shared." + kernel, kNoContents, {}, sharedBytes, 0});
    std::string names;
    std::vector<std::uint32_t> nameAt;
    for (const Section& section : sections) {
      nameAt.push_back(static_cast<std::uint32_t>(names.size()));
      names += section.name;
      names += '\0';
    }
    sections[1].contents = names;
    sections[1].bytes = names.size();

    constexpr std::size_t kHeader = 64;
    std::string file(kHeader + kHeader * sections.size(), '\0');
    const auto put = [&file](std::size_t at, const std::string& bytes) {
      file.replace(at, bytes.size(), bytes);
    };
    put(0, std::string("\x7f"
                       "ELF\x02\x01\x01\x41\x08",
                       9));
    put(49, std::string(1, static_cast<char>(capability)));
    put(40, number<std::uint64_t>(kHeader));
    put(58, number<std::uint16_t>(kHeader));
    put(60, number(static_cast<std::uint16_t>(sections.size())));
    put(62, number<std::uint16_t>(1));
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& section = sections[i];
      const std::size_t at = kHeader + kHeader * i;
      put(at, number(nameAt[i]));
      put(at + 4, number(section.type));
      put(at + 24, number<std::uint64_t>(file.size()));
      put(at + 32, number(section.bytes));
      put(at + 44, number(section.info));
      file += section.contents;
    }
    return {file.begin(), file.end()};
  }

  // The lower and the upper half of each instruction.
  std::vector<char> with(const std::vector<std::array<std::uint64_t, 2>>& code) const {
    std::string bytes;
    for (const auto& word : code) bytes += number(word[0]) + number(word[1]);
    return with(std::span<const char>(bytes));
  }

 private:
  template <class T>
  static std::string number(T value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }
};

}  // namespace tileloom::test
