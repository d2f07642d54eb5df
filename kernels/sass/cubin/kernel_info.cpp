// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/kernel_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/plain_text.h"

namespace tileloom::sass {
namespace {

// How the value of an attribute is written.
enum : std::uint8_t { kNoValue = 1, kByte = 2, kHalf = 3, kSized = 4 };
// What it says.
enum : std::uint8_t {
  kMostThreads = 0x05,
  kParameterBank = 0x0a,  // the symbol of constant bank 0, then offset and size of the parameters
  kRequiredThreads = 0x10,
  kFrame = 0x11,      // of all kernels: symbol, bytes
  kParameter = 0x17,  // an index, its number, its offset, and its size from bit 18 on
  kExits = 0x1c,
  kRegisterCount = 0x2f,  // of all kernels: symbol, registers per thread
  kClusterSize = 0x3d,
  kBarriers = 0x4c,
};
constexpr std::string_view kAll = ".nv.info";
constexpr std::size_t kMostParameters = 4096;  // CUDA's limit is 32,764 bytes of parameters

struct Attribute {
  std::uint8_t kind = 0;
  std::uint16_t value = 0;        // of one without a payload
  std::span<const char> payload;  // of one with a size
  std::size_t at = 0;             // of the payload, in the file

  std::uint32_t word(std::size_t i) const {
    return numberAt<std::uint32_t>(payload, 4 * i).value_or(0);
  }
};

// A sequence of: a byte for the form, a byte for the kind, 16 bits with the value or the size of
// the payload that follows.
template <class See>
void eachAttribute(const Elf& elf, const ElfSection& section, See&& see) {
  const auto list = elf.contents(section);
  for (std::size_t at = 0; at + 4 <= list.size();) {
    Attribute each;
    const auto form = static_cast<std::uint8_t>(list[at]);
    each.kind = static_cast<std::uint8_t>(list[at + 1]);
    each.value = *numberAt<std::uint16_t>(list, at + 2);
    if (form == kByte) each.value &= 0xff;
    at += 4;
    if (form == kSized) {
      each.at = section.contents.at + at;
      each.payload = list.subspan(at, std::min<std::size_t>(each.value, list.size() - at));
      at += each.value;
    }
    see(each);
  }
}

Sizes sizesOf(const Attribute& attribute) {
  return {attribute.word(0), attribute.word(1), attribute.word(2)};
}

}  // namespace

std::optional<std::size_t> registersAt(const Elf& elf, std::uint32_t symbol) {
  std::optional<std::size_t> at;
  for (const ElfSection& section : elf.sections()) {
    if (section.name != kAll || at) continue;
    eachAttribute(elf, section, [&](const Attribute& each) {
      if (!at && each.kind == kRegisterCount && each.payload.size() == 8 && each.word(0) == symbol)
        at = each.at + 4;
    });
  }
  return at;
}

tl::expected<KernelInfo, std::string> kernelInfoOf(const Elf& elf, std::string_view name,
                                                   std::uint32_t symbol) {
  const auto refuse = [&](std::string text) {
    return tl::unexpected<std::string>(std::move(text));
  };
  KernelInfo info;
  std::uint32_t registers = 0, frame = 0;
  if (const auto at = registersAt(elf, symbol))
    registers = *numberAt<std::uint32_t>(elf.file(), *at);
  if (const ElfSection* all = elf.named(kAll)) {
    eachAttribute(elf, *all, [&](const Attribute& each) {
      if (each.kind == kFrame && each.payload.size() == 8 && each.word(0) == symbol)
        frame = each.word(1);
    });
  }
  constexpr std::uint32_t kMostOfThread = 255;
  if (registers > kMostOfThread)
    return refuse(
        fmt::format("the file gives a thread {} registers: the maximum is 255", registers));
  constexpr std::uint32_t kMostFrame = 512 * 1024;  // CUDA's limit for local memory of a thread
  if (frame > kMostFrame)
    return refuse(fmt::format("the file gives a thread {} bytes of local memory: the maximum is {}",
                              frame, kMostFrame));
  info.registers = static_cast<int>(registers);
  info.frameBytes = static_cast<int>(frame);

  const ElfSection* own = elf.named(std::string(kAll) + '.' + std::string(name));
  if (own == nullptr) return info;
  std::vector<std::pair<std::uint16_t, KernelParameter>> parameters;
  eachAttribute(elf, *own, [&](const Attribute& each) {
    switch (each.kind) {
      case kMostThreads:
        info.mostThreads = sizesOf(each);
        break;
      case kRequiredThreads:
        info.requiredThreads = sizesOf(each);
        break;
      case kClusterSize:
        info.cluster = sizesOf(each);
        break;
      case kBarriers:
        info.barriers = each.value;
        break;
      case kParameterBank:
        info.parametersAt = static_cast<int>(each.word(1) & 0xffff);
        info.parameterBytes = static_cast<int>(each.word(1) >> 16);
        break;
      case kParameter: {
        const std::uint32_t place = each.word(1);
        if (parameters.size() < kMostParameters)
          parameters.push_back(
              {static_cast<std::uint16_t>(place & 0xffff),
               {static_cast<int>(place >> 16), static_cast<int>(each.word(2) >> 18)}});
        break;
      }
      case kExits:
        for (std::size_t i = 0; i < each.payload.size() / 4; ++i)
          info.exits.push_back(each.word(i));
        break;
      default:
        break;
    }
  });
  std::ranges::stable_sort(parameters, {}, [](const auto& each) { return each.first; });
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [number, parameter] = parameters[i];
    if (number != i || parameter.at + parameter.bytes > info.parameterBytes)
      return refuse(fmt::format("the file places parameter {} of {} outside of its parameters", i,
                                quotable(name)));
    info.parameters.push_back(parameter);
  }
  return info;
}

}  // namespace tileloom::sass
