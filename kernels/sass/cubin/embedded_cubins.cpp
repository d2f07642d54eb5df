// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/embedded_cubins.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <string_view>

#include "kernels/sass/cubin/elf.h"

namespace tileloom::sass {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kFatMagic = "\x50\xed\x55\xba"sv, kElfMagic =
                                                                 "\x7f"sv
                                                                 "ELF"sv;
constexpr std::uint16_t kCudaMachine = 190;
constexpr std::size_t kFatHeader = 16, kEntryHeader = 64, kElfHeader = 64;
constexpr std::uint64_t kPackedLz4 = 0x2000, kPackedZstd = 0x8000;

// The bytes of the ELF file that begins here, up to the end of its last section; 0: it is damaged.
std::size_t elfSize(std::span<const char> bytes) {
  const auto elf = Elf::read(bytes);
  if (!elf) return 0;
  std::size_t end =
      *numberAt<std::uint64_t>(bytes, 40) +
      std::size_t{*numberAt<std::uint16_t>(bytes, 58)} * *numberAt<std::uint16_t>(bytes, 60);
  for (const ElfSection& section : elf->sections())
    end = std::max(end, section.contents.at + section.contents.size);
  return end;
}

// Adds the entries of the fat binary at `at`, and returns its end; 0: there is none here.
std::size_t addFatBinary(std::span<const char> file, std::size_t at,
                         std::vector<EmbeddedCode>& all) {
  const auto version = numberAt<std::uint16_t>(file, at + 4);
  const auto header = numberAt<std::uint16_t>(file, at + 6);
  const auto size = numberAt<std::uint64_t>(file, at + 8);
  if (!size || *version != 1 || *header < kFatHeader || *header > file.size() - at) return 0;
  std::size_t entry = at + *header;
  const std::size_t end =
      entry + static_cast<std::size_t>(std::min<std::uint64_t>(*size, file.size() - entry));
  while (end - entry >= kEntryHeader) {
    const auto kind = *numberAt<std::uint16_t>(file, entry);
    const std::size_t headerBytes = *numberAt<std::uint32_t>(file, entry + 4);
    const std::uint64_t held = *numberAt<std::uint64_t>(file, entry + 8);
    const std::size_t packed = *numberAt<std::uint32_t>(file, entry + 16);
    const std::uint64_t flags = *numberAt<std::uint64_t>(file, entry + 40);
    if (headerBytes < kEntryHeader || headerBytes > end - entry ||
        held > end - entry - headerBytes || packed > held)
      break;
    EmbeddedCode code;
    code.kind = kind == 1 ? EmbeddedCode::Kind::Ptx : EmbeddedCode::Kind::Cubin;
    code.capability = static_cast<int>(*numberAt<std::uint32_t>(file, entry + 28) & 0xffff);
    code.at = entry + headerBytes;
    code.size = static_cast<std::size_t>(held);
    code.bytes = held;
    if (packed != 0) {
      code.packing = (flags & kPackedZstd) != 0  ? EmbeddedCode::Packing::Zstd
                     : (flags & kPackedLz4) != 0 ? EmbeddedCode::Packing::Lz4
                                                 : EmbeddedCode::Packing::Unknown;
      code.size = packed;
      code.bytes = *numberAt<std::uint64_t>(file, entry + 56);
    }
    // Others are options and code of other compilers.
    if (kind == 1 || kind == 2) all.push_back(code);
    entry = code.at + static_cast<std::size_t>(held);
  }
  return end;
}

}  // namespace

bool isCubin(std::span<const char> bytes) {
  return bytes.size() >= kElfHeader && std::string_view(bytes.data(), 4) == kElfMagic &&
         *numberAt<std::uint16_t>(bytes, 18) == kCudaMachine;
}

std::vector<EmbeddedCode> embeddedIn(std::span<const char> file) {
  std::vector<EmbeddedCode> all;
  const std::string_view text(file.data(), file.size());
  std::size_t fat = text.find(kFatMagic), elf = text.find(kElfMagic);
  for (std::size_t from = 0; fat != text.npos || elf != text.npos;) {
    const std::size_t at = std::min(fat, elf);
    std::size_t end = 0;
    if (at == fat) {
      end = addFatBinary(file, at, all);
    } else if (const auto rest = file.subspan(at); isCubin(rest)) {
      if (const std::size_t size = elfSize(rest); size != 0) {
        const auto second = static_cast<unsigned char>(rest[8]) >= 8;
        EmbeddedCode code;
        code.capability = static_cast<unsigned char>(rest[second ? 49 : 48]);
        code.at = at;
        code.size = code.bytes = size;
        all.push_back(code);
        end = at + size;
      }
    }
    from = std::max(end, at + kFatMagic.size());
    if (fat != text.npos && fat < from) fat = text.find(kFatMagic, from);
    if (elf != text.npos && elf < from) elf = text.find(kElfMagic, from);
  }
  return all;
}

tl::expected<std::vector<char>, std::string> unpacked(std::span<const char> file,
                                                      const EmbeddedCode& code) {
  const auto refuse = [](std::string text) { return tl::unexpected<std::string>(std::move(text)); };
  const auto held = file.subspan(code.at, code.size);
  if (code.packing == EmbeddedCode::Packing::None) return std::vector(held.begin(), held.end());
  if (code.packing == EmbeddedCode::Packing::Unknown)
    return refuse(
        "the machine code is compressed in a way that is not known: compile it again "
        "with nvcc -compress-mode=none");
  // What zstd and LZ4 can reach at most: a larger number is wrong, and would only take memory.
  constexpr std::uint64_t kMostRatio = 100'000;
  if (code.bytes > kMostUnpacked || code.bytes > kMostRatio * (code.size + 1))
    return refuse(
        fmt::format("the machine code says that it has {} bytes when unpacked, and {} are possible",
                    code.bytes, std::min(kMostUnpacked, kMostRatio * (code.size + 1))));
  std::vector<char> all(static_cast<std::size_t>(code.bytes));
  std::size_t made = 0;
  if (code.packing == EmbeddedCode::Packing::Zstd) {
    made = ZSTD_decompress(all.data(), all.size(), held.data(), held.size());
    if (ZSTD_isError(made) != 0) made = 0;
  } else {
    made = static_cast<std::size_t>(
        std::max(0, LZ4_decompress_safe(held.data(), all.data(), static_cast<int>(held.size()),
                                        static_cast<int>(all.size()))));
  }
  if (made == 0 || made != all.size())
    return refuse("the compressed machine code is damaged: compile it again");
  return all;
}

}  // namespace tileloom::sass
