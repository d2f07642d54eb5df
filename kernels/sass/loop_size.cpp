// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/loop_size.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace tileloom::sass {
namespace {

constexpr std::size_t kInstruction = 16;  // bytes

template <class T>
std::optional<T> read(std::span<const char> bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::span<const char> part(std::span<const char> bytes, std::uint64_t at, std::uint64_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return {};
  return bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
}

// The instructions of the first kernel: the first section of an ELF file (64 bits, little-endian)
// whose name begins with ".text".
std::span<const char> codeOf(std::span<const char> elf) {
  constexpr std::string_view kMagic =
      "\x7f"
      "ELF";
  if (elf.size() < 64 || std::string_view(elf.data(), 4) != kMagic || elf[4] != 2) return {};
  const auto table = read<std::uint64_t>(elf, 40);
  const auto entry = read<std::uint16_t>(elf, 58);
  const auto count = read<std::uint16_t>(elf, 60);
  const auto names = read<std::uint16_t>(elf, 62);
  if (!table || !entry || !count || !names || *entry < 64) return {};
  const auto section = [&](std::size_t i) { return part(elf, *table + i * *entry, *entry); };
  const auto contents = [&](std::span<const char> header) -> std::span<const char> {
    const auto at = read<std::uint64_t>(header, 24);
    const auto size = read<std::uint64_t>(header, 32);
    return at && size ? part(elf, *at, *size) : std::span<const char>{};
  };
  const std::span<const char> texts = contents(section(*names));
  for (std::size_t i = 0; i < *count; ++i) {
    const auto name = read<std::uint32_t>(section(i), 0);
    if (!name || *name >= texts.size()) continue;
    const std::string_view text(texts.data() + *name, texts.size() - *name);
    if (text.starts_with(".text.")) return contents(section(i));
  }
  return {};
}

struct Code {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// The bits above say where operands come from.
std::uint64_t opcodeOf(const Code& code) {
  return code.low & 0x1ff;
}

bool isFfma(const Code& code) {
  return opcodeOf(code) == 0x023;
}

bool isHmma(const Code& code) {
  return opcodeOf(code) == 0x03c;
}

bool isHgmma(const Code& code) {
  return opcodeOf(code) == 0x1f0;
}

struct Products {
  int ffmas = 0;
  int hmmas = 0;
  int hgmmas = 0;
  // As sass::multiplyAddsOf counts them, but for the width of a warpgroup's products: it is 64 at
  // least, and a kernel has one only.
  std::int64_t multiplyAdds() const {
    return 32 * std::int64_t{ffmas} + 2048 * std::int64_t{hmmas} + 16384 * std::int64_t{hgmmas};
  }
};

// 90 for compute capability 9.0: a byte of the ELF flags, since version 8 of the format the second.
int capability(std::span<const char> elf) {
  const bool second = static_cast<unsigned char>(elf[8]) >= 8;
  return static_cast<unsigned char>(elf[second ? 49 : 48]);
}

// Where a branch goes, in instructions from the one after it.
std::optional<std::int64_t> distance(const Code& code, int capability) {
  if ((code.low & 0xfff) != 0x947) return std::nullopt;
  // 48 bits from bit 34 on; since 9.0 also 8 bits from bit 16 on, as the lowest ones. The unit is 4
  // bytes.
  std::uint64_t units = (code.low >> 34) | ((code.high & 0x3ffff) << 30);
  int bits = 48;
  if (capability >= 90) {
    units = units << 8 | (code.low >> 16 & 0xff);
    bits += 8;
  }
  const auto signedUnits = static_cast<std::int64_t>(units << (64 - bits)) >> (64 - bits);
  return signedUnits * 4 / static_cast<std::int64_t>(kInstruction);
}

}  // namespace

std::optional<LoopSize> loopSize(std::span<const char> cubin) {
  const std::span<const char> code = codeOf(cubin);
  const auto count = static_cast<std::int64_t>(code.size() / kInstruction);
  const auto at = [&](std::int64_t i) {
    const std::size_t place = static_cast<std::size_t>(i) * kInstruction;
    return Code{*read<std::uint64_t>(code, place), *read<std::uint64_t>(code, place + 8)};
  };
  if (count == 0) return std::nullopt;
  const int target = capability(cubin);
  // Loops may lie in one another: their multiply-adds are counted once.
  std::vector<Products> before(static_cast<std::size_t>(count) + 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    before[place + 1] = {before[place].ffmas + (isFfma(at(i)) ? 1 : 0),
                         before[place].hmmas + (isHmma(at(i)) ? 1 : 0),
                         before[place].hgmmas + (isHgmma(at(i)) ? 1 : 0)};
  }
  LoopSize best;
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto way = distance(at(i), target);
    if (!way || *way >= 0 || -*way > i + 1) continue;
    const Products& first = before[static_cast<std::size_t>(i + 1 + *way)];
    const Products& last = before[static_cast<std::size_t>(i + 1)];
    const Products here{last.ffmas - first.ffmas, last.hmmas - first.hmmas,
                        last.hgmmas - first.hgmmas};
    const LoopSize loop{static_cast<int>(-*way), here.ffmas, here.hmmas, here.hgmmas};
    const std::int64_t products = here.multiplyAdds();
    const bool more = products > most;
    const bool shorter = products == most && loop.instructions < best.instructions;
    if (more || shorter) best = loop;
    most = std::max(most, products);
  }
  if (most == 0) return std::nullopt;
  return best;
}

}  // namespace tileloom::sass
