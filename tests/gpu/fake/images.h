// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code as the fake GPU sees it: real cubins, and the images of its own NVRTC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tileloom::fake {

// ELF64, limited to what is needed:
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
struct ElfHeader {
  unsigned char ident[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, programs, sections;
  std::uint32_t flags;
  std::uint16_t headerSize, programSize, programCount, sectionSize, sectionCount, names;
};
struct ElfSection {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t align, entrySize;
};
static_assert(sizeof(ElfHeader) == 64 && sizeof(ElfSection) == 64);

inline constexpr std::uint32_t kOwnFlags = 0x7a3e10;  // marks the images of this library's NVRTC
inline constexpr std::size_t kNamedAt = 15;  // in ident: 1 where names of kernels follow the header

// Such an image: names and tile parameters, and the code of one kernel that ends at once.
std::vector<char> namedImage(ElfHeader h, const std::string& name, const std::string& parameters);

// Whether the image has this kernel; `any`: an image of another compiler has all kernels.
bool hasKernel(const unsigned char* image, const std::string& name, bool any);

// A cubin for compute capability 9.0 as one for `arch`.
std::vector<char> fileFor(const std::string& path, std::uint32_t arch);

}  // namespace tileloom::fake
