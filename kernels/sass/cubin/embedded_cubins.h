// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the machine code in any file: a cubin, a fat binary, or an object, executable, library or
// archive with either of them inside. nvcc puts fat binaries into the section .nv_fatbin; here the
// whole file is searched for their first bytes, so that the kind of the file does not matter.
// NVIDIA does not document fat binaries. The numbers were read off files of nvcc 13.0: a header of
// 16 bytes, then entries, each with a header that says what it is, for which architecture, and how
// it is compressed (zstd or an LZ4 block).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace tileloom::sass {

struct EmbeddedCode {
  enum class Kind : std::uint8_t { Cubin, Ptx };
  enum class Packing : std::uint8_t { None, Lz4, Zstd, Unknown };
  Kind kind = Kind::Cubin;
  Packing packing = Packing::None;
  int capability = 0;       // 90 for compute capability 9.0
  std::size_t at = 0;       // of its bytes in the file
  std::size_t size = 0;     // of its bytes in the file
  std::uint64_t bytes = 0;  // unpacked, as the file says
  bool operator==(const EmbeddedCode&) const = default;
};

// In the order of the file; empty: it has none. A fat binary that is damaged ends where it is
// damaged. All ranges are within the file.
std::vector<EmbeddedCode> embeddedIn(std::span<const char> file);

// Its bytes, unpacked: a cubin, or the text of PTX. At most kMostUnpacked. The error is one
// sentence without a full stop.
inline constexpr std::uint64_t kMostUnpacked = std::uint64_t{256} << 20;
tl::expected<std::vector<char>, std::string> unpacked(std::span<const char> file,
                                                      const EmbeddedCode& code);

// Whether these are the first bytes of a cubin: an ELF file for NVIDIA's machines.
bool isCubin(std::span<const char> bytes);

}  // namespace tileloom::sass
