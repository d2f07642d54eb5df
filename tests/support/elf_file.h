// SPDX-License-Identifier: GPL-3.0-or-later
// An ELF file made by hand, section by section.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tileloom::test {

template <class T>
void put(std::vector<char>& bytes, std::size_t at, const T& value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

class ElfFile {
 public:
  explicit ElfFile(int capability) : capability_(capability) {
    section("", 0, {});
    section(".shstrtab", 3, {});
    symbol("", 0, 0, 0);
  }

  // Returns its index. A section without contents in the file (type 8) has `bytes`.
  std::uint16_t section(const std::string& name, std::uint32_t type, std::vector<char> contents,
                        std::uint32_t info = 0, std::uint64_t bytes = 0, std::uint64_t align = 1) {
    const std::uint64_t size = bytes != 0 ? bytes : contents.size();
    sections_.push_back({name, type, std::move(contents), size, info, align});
    return static_cast<std::uint16_t>(sections_.size() - 1);
  }
  // Returns its number.
  std::uint32_t symbol(const std::string& name, std::uint16_t section, std::uint64_t value,
                       std::uint64_t size) {
    const std::size_t at = symbols_.size();
    put(symbols_, at, static_cast<std::uint32_t>(names_.size()));
    put(symbols_, at + 4, std::uint16_t{0});
    put(symbols_, at + 6, section);
    put(symbols_, at + 8, value);
    put(symbols_, at + 16, size);
    names_.insert(names_.end(), name.c_str(), name.c_str() + name.size() + 1);
    return static_cast<std::uint32_t>(at / 24);
  }
  // Of a place in the section of this name.
  void relocation(const std::string& section, std::uint64_t at, std::uint32_t type,
                  std::uint32_t symbol) {
    std::vector<char> row;
    put(row, 0, at);
    put(row, 8, std::uint64_t{symbol} << 32 | type);
    put(row, 16, std::int64_t{0});
    for (Section& each : sections_) {
      if (each.name != ".rela" + section) continue;
      each.contents.insert(each.contents.end(), row.begin(), row.end());
      each.bytes = each.contents.size();
      return;
    }
    this->section(".rela" + section, 4, row);
  }

  std::vector<char> made() const {
    std::vector<Section> all = sections_;
    if (symbols_.size() > 24) {
      all.push_back({".symtab", 2, symbols_, symbols_.size(), 0, 8});
      all.push_back({".strtab", 3, names_, names_.size(), 0, 1});
    }
    std::vector<char>& names = all[1].contents;
    std::vector<std::uint32_t> nameAt;
    for (std::size_t i = 0; i < all.size(); ++i) {
      nameAt.push_back(static_cast<std::uint32_t>(names.size()));
      const std::string name = all[i].name;
      names.insert(names.end(), name.c_str(), name.c_str() + name.size() + 1);
    }
    all[1].bytes = names.size();

    std::vector<char> file(kHeader * (1 + all.size()));
    put(file, 0, std::uint32_t{0x464c457f});  // 0x7f, "ELF"
    put(file, 4, std::uint32_t{0x41010102});  // 64 bits, little-endian
    put(file, 8, char{8});
    put(file, 40, std::uint64_t{kHeader});
    put(file, 49, static_cast<char>(capability_));
    put(file, 58, static_cast<std::uint16_t>(kHeader));
    put(file, 60, static_cast<std::uint16_t>(all.size()));
    put(file, 62, std::uint16_t{1});
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Section& section = all[i];
      const std::size_t at = kHeader * (1 + i);
      put(file, at, nameAt[i]);
      put(file, at + 4, section.type);
      put(file, at + 24, std::uint64_t{file.size()});
      put(file, at + 32, section.bytes);
      put(file, at + 44, section.info);
      put(file, at + 48, section.align);
      file.insert(file.end(), section.contents.begin(), section.contents.end());
    }
    return file;
  }

 private:
  static constexpr std::size_t kHeader = 64;

  struct Section {
    std::string name;
    std::uint32_t type = 0;
    std::vector<char> contents;
    std::uint64_t bytes = 0;
    std::uint32_t info = 0;
    std::uint64_t align = 1;
  };

  int capability_;
  std::vector<Section> sections_;
  std::vector<char> symbols_, names_;
};

}  // namespace tileloom::test
