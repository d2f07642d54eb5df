// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/cubin.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "kernels/base/plain_text.h"
#include "kernels/sass/cubin/code.h"
#include "kernels/sass/cubin/kernel_info.h"

namespace tileloom::sass {
namespace {

constexpr int kMostInByte = 255;  // registers that a thread can have

template <class T>
void write(std::span<char> bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

tl::unexpected<std::string> refuse(std::string text) {
  return tl::unexpected<std::string>(std::move(text));
}

}  // namespace

tl::expected<Cubin, std::string> readCubin(std::span<const char> file) {
  const auto elf = Elf::read(file);
  if (!elf) return refuse(elf.error());
  const auto codes = codesOf(*elf);
  if (!codes) return refuse(codes.error());
  const Code& code = codes->front();
  Cubin cubin;
  constexpr std::size_t kMostShown = 200;
  cubin.kernel = quotable(code.kernel, kMostShown);
  cubin.capability = capabilityOf(*elf);
  cubin.words = wordsOf(*elf, code);
  const auto registers = registersOf(*elf, code);
  if (!registers) return refuse(registers.error());
  cubin.registers = *registers;
  cubin.sharedBytes = sharedBytesOf(*elf, code);
  return cubin;
}

tl::expected<std::vector<char>, std::string> withCode(std::span<const char> file,
                                                      std::span<const CodeWord> words,
                                                      int registers) {
  const auto elf = Elf::read(file);
  if (!elf) return refuse(elf.error());
  const auto codes = codesOf(*elf);
  if (!codes) return refuse(codes.error());
  const ElfSection& section = *codes->front().section;
  const ByteRange code = section.contents;
  if (words.size() != code.size / kCodeWordBytes)
    return refuse(fmt::format("the file has room for {} instructions, but was given {}",
                              code.size / kCodeWordBytes, words.size()));
  if (registers < 0 || registers > kMostInByte)
    return refuse(fmt::format("a thread cannot have {} registers: the maximum is 255", registers));
  // Relocations name instructions by their place.
  if (!elf->relocationsOf(section.name).empty())
    return refuse(
        "the file has relocations, which change some of its instructions when it is loaded");
  std::vector<char> changed(file.begin(), file.end());
  for (std::size_t i = 0; i < words.size(); ++i) {
    write(std::span(changed), code.at + i * kCodeWordBytes, words[i].low);
    write(std::span(changed), code.at + i * kCodeWordBytes + 8, words[i].high);
  }
  if (registers == 0) return changed;
  const std::uint32_t info = section.info;
  const auto at = registersAt(*elf, info & kCodeSymbol);
  const bool inHeader = info >> kCodeRegistersAt != 0;
  if (!at && !inHeader) return refuse("the file does not say the number of registers per thread");
  const auto count = static_cast<std::uint32_t>(registers);
  if (at) write(std::span(changed), *at, count);
  if (inHeader)
    write(std::span(changed), section.header + kElfInfoAt,
          (info & kCodeSymbol) | count << kCodeRegistersAt);
  return changed;
}

}  // namespace tileloom::sass
