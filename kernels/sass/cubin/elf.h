// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the sections, symbols and relocations of a 64-bit ELF file. Each range that it names lies
// within the file, whatever the file says.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace tileloom::sass {

// Places in the file.
struct ByteRange {
  std::size_t at = 0;
  std::size_t size = 0;
};

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  ByteRange contents;       // of size 0 if it takes no room in the file
  std::uint64_t bytes = 0;  // its size, even if the file holds none of it
  std::size_t header = 0;   // offset of its header
  std::uint32_t info = 0;   // what it means depends on the type
  std::uint64_t align = 0;  // in bytes; 0 and 1: none
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  std::uint16_t section = 0;  // its index; not checked
};

// A place that is changed when the file is loaded.
struct ElfRelocation {
  std::uint64_t at = 0;  // from the start of the section that is changed
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;  // its index; not checked
  std::int64_t addend = 0;
};

inline constexpr std::size_t kElfInfoAt = 44;  // of ElfSection::info in a section's header

class Elf {
 public:
  // The error is one sentence without a full stop. `file` must outlive the result.
  static tl::expected<Elf, std::string> read(std::span<const char> file);

  std::span<const ElfSection> sections() const { return sections_; }
  std::span<const ElfSymbol> symbols() const { return symbols_; }
  std::span<const char> file() const { return file_; }
  // The contents of a section.
  std::span<const char> contents(const ElfSection& section) const {
    return file_.subspan(section.contents.at, section.contents.size);
  }
  const ElfSection* named(std::string_view name) const;  // nullptr: there is none
  // The relocations of the section of this name, with and without addends.
  std::vector<ElfRelocation> relocationsOf(std::string_view section) const;

 private:
  explicit Elf(std::span<const char> file) : file_(file) {}
  void readSymbols();

  std::span<const char> file_;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
};

// A number at this place, little-endian as the file; nothing beyond the end.
template <class T>
std::optional<T> numberAt(std::span<const char> bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

}  // namespace tileloom::sass
