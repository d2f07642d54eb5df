// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/elf.h"

#include <fmt/format.h>

#include <algorithm>

namespace tileloom::sass {
namespace {

constexpr std::uint32_t kNoContents = 8;  // the type of a section that takes no room in the file
constexpr std::uint32_t kSymbolTable = 2;
constexpr std::size_t kSymbolBytes = 24;

bool within(std::span<const char> bytes, std::uint64_t at, std::uint64_t size) {
  return at <= bytes.size() && size <= bytes.size() - at;
}

// The text that begins here and ends with a zero or with the table.
std::string_view textAt(std::span<const char> table, std::uint32_t at) {
  if (at >= table.size()) return {};
  const std::string_view rest(table.data() + at, table.size() - at);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

tl::expected<Elf, std::string> Elf::read(std::span<const char> file) {
  const auto refuse = [](std::string text) { return tl::unexpected<std::string>(std::move(text)); };
  constexpr std::string_view kMagic =
      "\x7f"
      "ELF";
  constexpr char kBits64 = 2, kBigEndian = 2;
  if (file.size() < 64 || std::string_view(file.data(), 4) != kMagic || file[4] != kBits64 ||
      file[5] == kBigEndian)
    return refuse("the file is not a 64-bit ELF file");
  const std::uint64_t table = *numberAt<std::uint64_t>(file, 40);
  const std::uint16_t entry = *numberAt<std::uint16_t>(file, 58);
  const std::uint16_t count = *numberAt<std::uint16_t>(file, 60);
  const std::uint16_t names = *numberAt<std::uint16_t>(file, 62);
  if (entry < 64 || !within(file, table, std::uint64_t{entry} * count) || names >= count)
    return refuse("the file's section table is not within the file");
  Elf elf(file);
  std::vector<std::uint32_t> nameAt;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(table) + i * entry;
    ElfSection section;
    section.type = *numberAt<std::uint32_t>(file, at + 4);
    section.bytes = *numberAt<std::uint64_t>(file, at + 32);
    const std::uint64_t begin = *numberAt<std::uint64_t>(file, at + 24);
    const bool none = section.type == kNoContents;
    if (!none && !within(file, begin, section.bytes))
      return refuse(fmt::format("section {} of the file is not within the file", i));
    if (!none) section.contents = {std::size_t(begin), std::size_t(section.bytes)};
    section.header = at;
    section.info = *numberAt<std::uint32_t>(file, at + kElfInfoAt);
    section.align = *numberAt<std::uint64_t>(file, at + 48);
    elf.sections_.push_back(section);
    nameAt.push_back(*numberAt<std::uint32_t>(file, at));
  }
  const auto texts = elf.contents(elf.sections_[names]);
  for (std::size_t i = 0; i < count; ++i) elf.sections_[i].name = textAt(texts, nameAt[i]);
  elf.readSymbols();
  return elf;
}

void Elf::readSymbols() {
  const auto table = std::ranges::find(sections_, kSymbolTable, &ElfSection::type);
  const ElfSection* texts = named(".strtab");
  if (table == sections_.end() || texts == nullptr) return;
  const auto bytes = contents(*table);
  for (std::size_t at = 0; at + kSymbolBytes <= bytes.size(); at += kSymbolBytes)
    symbols_.push_back({textAt(contents(*texts), *numberAt<std::uint32_t>(bytes, at)),
                        *numberAt<std::uint64_t>(bytes, at + 8),
                        *numberAt<std::uint64_t>(bytes, at + 16),
                        *numberAt<std::uint16_t>(bytes, at + 6)});
}

const ElfSection* Elf::named(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &ElfSection::name);
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<ElfRelocation> Elf::relocationsOf(std::string_view section) const {
  std::vector<ElfRelocation> all;
  for (const bool addends : {true, false}) {
    const ElfSection* list = named((addends ? ".rela" : ".rel") + std::string(section));
    if (list == nullptr) continue;
    const auto bytes = contents(*list);
    const std::size_t size = addends ? 24 : 16;
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
      const std::uint64_t what = *numberAt<std::uint64_t>(bytes, at + 8);
      all.push_back({*numberAt<std::uint64_t>(bytes, at), static_cast<std::uint32_t>(what),
                     static_cast<std::uint32_t>(what >> 32),
                     addends ? *numberAt<std::int64_t>(bytes, at + 16) : 0});
    }
  }
  return all;
}

}  // namespace tileloom::sass
