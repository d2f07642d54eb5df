// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string_view>

#include "kernels/base/plain_text.h"
#include "kernels/sass/listing.h"

namespace tileloom::sass {
namespace {

// Places in the file.
struct ByteRange {
  std::size_t at = 0;
  std::size_t size = 0;
};

struct Section {
  std::string_view name;
  ByteRange contents;
  std::size_t header = 0;   // offset of its header
  std::uint32_t info = 0;   // of a code section: the number of its symbol, and registers
  std::uint64_t bytes = 0;  // its size, even if the file holds none of it
};

constexpr std::size_t kInfoAt = 44;            // of `info` in a section's header
constexpr std::uint32_t kSymbol = 0xffffff;    // the part of a code section's `info`
constexpr int kRegistersAt = 24;               // the bits above: registers, before 9.0
constexpr int kMostInByte = 255;               // registers that a thread can have
constexpr std::uint32_t kNoContents = 8;       // a section's type: it takes no room in the file
constexpr std::uint8_t kSized = 4;             // an attribute with a payload of this many bytes
constexpr std::uint8_t kRegisterCount = 0x2f;  // the attribute with registers per thread

template <class T>
std::optional<T> read(std::span<const char> bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

template <class T>
void write(std::span<char> bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

bool within(std::span<const char> bytes, std::uint64_t at, std::uint64_t size) {
  return at <= bytes.size() && size <= bytes.size() - at;
}

tl::unexpected<std::string> refuse(std::string text) {
  return tl::unexpected<std::string>(std::move(text));
}

// The file's parts, if needed here.
struct Places {
  Section code;
  std::vector<Section> sections;
  int capability = 0;
};

tl::expected<std::vector<Section>, std::string> sectionsOf(std::span<const char> file) {
  constexpr std::string_view kMagic =
      "\x7f"
      "ELF";
  constexpr char kBits64 = 2, kBigEndian = 2;
  if (file.size() < 64 || std::string_view(file.data(), 4) != kMagic || file[4] != kBits64 ||
      file[5] == kBigEndian)
    return refuse("the file is not a 64-bit ELF file");
  const std::uint64_t table = *read<std::uint64_t>(file, 40);
  const std::uint16_t entry = *read<std::uint16_t>(file, 58);
  const std::uint16_t count = *read<std::uint16_t>(file, 60);
  const std::uint16_t names = *read<std::uint16_t>(file, 62);
  if (entry < 64 || !within(file, table, std::uint64_t{entry} * count) || names >= count)
    return refuse("the file's section table is not within the file");
  std::vector<Section> sections;
  std::vector<std::uint32_t> nameAt;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(table) + i * entry;
    const bool none = *read<std::uint32_t>(file, at + 4) == kNoContents;
    const std::uint64_t begin = *read<std::uint64_t>(file, at + 24);
    Section section;
    section.bytes = *read<std::uint64_t>(file, at + 32);
    if (!none && !within(file, begin, section.bytes))
      return refuse(fmt::format("section {} of the file is not within the file", i));
    if (!none) section.contents = {std::size_t(begin), std::size_t(section.bytes)};
    section.header = at;
    section.info = *read<std::uint32_t>(file, at + kInfoAt);
    sections.push_back(section);
    nameAt.push_back(*read<std::uint32_t>(file, at));
  }
  const ByteRange texts = sections[names].contents;
  for (std::size_t i = 0; i < count; ++i) {
    if (nameAt[i] >= texts.size) continue;
    const std::string_view rest(file.data() + texts.at + nameAt[i], texts.size - nameAt[i]);
    sections[i].name = rest.substr(0, rest.find('\0'));
  }
  return sections;
}

constexpr std::string_view kCode = ".text.";

tl::expected<Places, std::string> placesOf(std::span<const char> file) {
  auto sections = sectionsOf(file);
  if (!sections) return refuse(std::move(sections.error()));
  Places places;
  places.sections = std::move(*sections);
  // A byte of the ELF flags; from version 8 of the format on, the second one.
  const bool second = static_cast<unsigned char>(file[8]) >= 8;
  places.capability = static_cast<unsigned char>(file[second ? 49 : 48]);
  for (const Section& section : places.sections) {
    if (!section.name.starts_with(kCode)) continue;
    if (section.contents.size == 0 || section.contents.size % kCodeWordBytes != 0)
      return refuse(
          fmt::format("the file's code has {} bytes, which is not a positive multiple of 16",
                      section.contents.size));
    places.code = section;
    return places;
  }
  return refuse("the file has no kernel");
}

// The place in the attributes of all kernels with the number of registers per thread of this one.
// The list is a sequence of: a byte for the form, a byte for the kind, 16 bits with the value or
// the size of the payload that follows. The payload is the number of the kernel's symbol and the
// registers.
std::optional<std::size_t> registersAt(std::span<const char> file, const Places& places) {
  for (const Section& section : places.sections) {
    if (section.name != ".nv.info") continue;
    const std::span<const char> list = file.subspan(section.contents.at, section.contents.size);
    for (std::size_t at = 0; at + 4 <= list.size();) {
      const auto form = static_cast<std::uint8_t>(list[at]);
      const auto kind = static_cast<std::uint8_t>(list[at + 1]);
      const std::size_t size = form == kSized ? *read<std::uint16_t>(list, at + 2) : 0;
      at += 4;
      if (form == kSized && kind == kRegisterCount && size == 8 &&
          read<std::uint32_t>(list, at) == (places.code.info & kSymbol) &&
          read<std::uint32_t>(list, at + 4))
        return section.contents.at + at + 4;
      at += size;
    }
  }
  return std::nullopt;
}

std::string_view kernelOf(const Places& places) {
  return places.code.name.substr(kCode.size());
}

}  // namespace

tl::expected<Cubin, std::string> readCubin(std::span<const char> file) {
  const auto places = placesOf(file);
  if (!places) return refuse(places.error());
  Cubin cubin;
  constexpr std::size_t kMostShown = 200;
  cubin.kernel = quotable(kernelOf(*places), kMostShown);
  cubin.capability = places->capability;
  const ByteRange code = places->code.contents;
  cubin.words.reserve(code.size / kCodeWordBytes);
  for (std::size_t at = code.at; at < code.at + code.size; at += kCodeWordBytes)
    cubin.words.push_back({*read<std::uint64_t>(file, at), *read<std::uint64_t>(file, at + 8)});
  std::uint32_t registers = places->code.info >> kRegistersAt;
  if (const auto at = registersAt(file, *places)) registers = *read<std::uint32_t>(file, *at);
  if (registers > std::uint32_t{kMostInByte})
    return refuse(
        fmt::format("the file gives a thread {} registers: the maximum is 255", registers));
  cubin.registers = static_cast<int>(registers);
  constexpr std::uint64_t kMostShared = 1 << 24;
  for (const Section& section : places->sections) {
    if (section.name.starts_with(".nv.shared.") && section.name.substr(11) == kernelOf(*places))
      cubin.sharedBytes = static_cast<int>(std::min(section.bytes, kMostShared));
  }
  return cubin;
}

tl::expected<std::vector<char>, std::string> withCode(std::span<const char> file,
                                                      std::span<const CodeWord> words,
                                                      int registers) {
  const auto places = placesOf(file);
  if (!places) return refuse(places.error());
  const ByteRange code = places->code.contents;
  if (words.size() != code.size / kCodeWordBytes)
    return refuse(fmt::format("the file has room for {} instructions, but was given {}",
                              code.size / kCodeWordBytes, words.size()));
  if (registers < 0 || registers > kMostInByte)
    return refuse(fmt::format("a thread cannot have {} registers: the maximum is 255", registers));
  // Relocations name instructions by their place.
  for (const Section& section : places->sections) {
    const bool relocates = section.name == std::string(".rela") + std::string(places->code.name) ||
                           section.name == std::string(".rel") + std::string(places->code.name);
    if (relocates && section.contents.size > 0)
      return refuse(
          "the file has relocations, which change some of its instructions when it is loaded");
  }
  std::vector<char> changed(file.begin(), file.end());
  for (std::size_t i = 0; i < words.size(); ++i) {
    write(std::span(changed), code.at + i * kCodeWordBytes, words[i].low);
    write(std::span(changed), code.at + i * kCodeWordBytes + 8, words[i].high);
  }
  if (registers == 0) return changed;
  const std::uint32_t info = places->code.info;
  const auto at = registersAt(file, *places);
  const bool inHeader = info >> kRegistersAt != 0;
  if (!at && !inHeader) return refuse("the file does not say the number of registers per thread");
  const auto count = static_cast<std::uint32_t>(registers);
  if (at) write(std::span(changed), *at, count);
  if (inHeader)
    write(std::span(changed), places->code.header + kInfoAt,
          (info & kSymbol) | count << kRegistersAt);
  return changed;
}

}  // namespace tileloom::sass
