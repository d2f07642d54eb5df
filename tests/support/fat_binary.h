// SPDX-License-Identifier: GPL-3.0-or-later
// A fat binary made by hand, as nvcc puts it into objects.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tests/support/elf_file.h"

namespace tileloom::test {

class FatBinary {
 public:
  // A cubin or PTX. `bytes`: of packed contents, when they are unpacked; 0: they are not packed.
  FatBinary& entry(bool isPtx, int capability, std::span<const char> contents,
                   std::uint64_t flags = 0, std::uint64_t bytes = 0) {
    constexpr std::uint32_t kHeader = 72;
    const std::size_t padded = (contents.size() + 7) / 8 * 8;
    std::vector<char> header(kHeader);
    put(header, 0, static_cast<std::uint16_t>(isPtx ? 1 : 2));
    put(header, 2, std::uint16_t{0x0101});
    put(header, 4, kHeader);
    put(header, 8, std::uint64_t{padded});
    if (bytes != 0) put(header, 16, static_cast<std::uint32_t>(contents.size()));
    put(header, 28, static_cast<std::uint32_t>(capability));
    put(header, 40, flags | 0x11);
    put(header, 56, bytes);
    entries_.insert(entries_.end(), header.begin(), header.end());
    entries_.insert(entries_.end(), contents.begin(), contents.end());
    entries_.resize(entries_.size() + padded - contents.size());
    return *this;
  }
  std::vector<char> made() const {
    std::vector<char> file(16);
    put(file, 0, std::uint32_t{0xba55ed50});
    put(file, 4, std::uint16_t{1});
    put(file, 6, std::uint16_t{16});
    put(file, 8, std::uint64_t{entries_.size()});
    file.insert(file.end(), entries_.begin(), entries_.end());
    return file;
  }

 private:
  std::vector<char> entries_;
};

}  // namespace tileloom::test
