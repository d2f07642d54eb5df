// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/code.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/sass/cubin/kernel_info.h"

namespace tileloom::sass {
namespace {

constexpr std::string_view kPrefix = ".text.";

}  // namespace

tl::expected<std::vector<Code>, std::string> codesOf(const Elf& elf) {
  std::vector<Code> codes;
  for (const ElfSection& section : elf.sections()) {
    if (!section.name.starts_with(kPrefix)) continue;
    if (section.contents.size == 0 || section.contents.size % kCodeWordBytes != 0)
      return tl::unexpected(
          fmt::format("the file's code has {} bytes, which is not a positive multiple of 16",
                      section.contents.size));
    codes.push_back({section.name.substr(kPrefix.size()), &section, section.info & kCodeSymbol});
  }
  if (codes.empty()) return tl::unexpected(std::string("the file has no kernel"));
  return codes;
}

int capabilityOf(const Elf& elf) {
  // A byte of the ELF flags; from version 8 of the format on, the second one.
  const auto file = elf.file();
  const bool second = static_cast<unsigned char>(file[8]) >= 8;
  return static_cast<unsigned char>(file[second ? 49 : 48]);
}

std::vector<CodeWord> wordsOf(const Elf& elf, const Code& code) {
  const auto bytes = elf.contents(*code.section);
  std::vector<CodeWord> words;
  words.reserve(bytes.size() / kCodeWordBytes);
  for (std::size_t at = 0; at + kCodeWordBytes <= bytes.size(); at += kCodeWordBytes)
    words.push_back({*numberAt<std::uint64_t>(bytes, at), *numberAt<std::uint64_t>(bytes, at + 8)});
  return words;
}

tl::expected<int, std::string> registersOf(const Elf& elf, const Code& code) {
  std::uint32_t registers = code.section->info >> kCodeRegistersAt;
  if (const auto at = registersAt(elf, code.symbol))
    registers = *numberAt<std::uint32_t>(elf.file(), *at);
  constexpr std::uint32_t kMost = 255;
  if (registers > kMost)
    return tl::unexpected(
        fmt::format("the file gives a thread {} registers: the maximum is 255", registers));
  return static_cast<int>(registers);
}

int sharedBytesOf(const Elf& elf, const Code& code) {
  constexpr std::uint64_t kMost = 1 << 24;
  constexpr std::string_view kShared = ".nv.shared.";
  int bytes = 0;
  for (const ElfSection& section : elf.sections()) {
    if (section.name.starts_with(kShared) && section.name.substr(kShared.size()) == code.kernel)
      bytes = static_cast<int>(std::min(section.bytes, kMost));
  }
  return bytes;
}

}  // namespace tileloom::sass
