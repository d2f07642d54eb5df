// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/file_identity.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>

#include "kernels/base/fnv.h"

namespace tileloom {

std::string fileIdentity(const std::filesystem::path& file) {
  constexpr std::uint64_t kPart = 4096, kParts = 64;
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const std::streamoff end = stream.tellg();
  if (!stream || end < 0) return {};
  const auto size = static_cast<std::uint64_t>(end);
  // All of a small file: the parts touch or overlap.
  const std::uint64_t between = size > kPart ? (size - kPart + kParts - 2) / (kParts - 1) : 1;
  const std::uint64_t step = size <= kPart * kParts ? kPart : between;
  Fnv hash;
  std::array<char, kPart> part;
  for (std::uint64_t at = 0; at < size; at += step) {
    stream.seekg(static_cast<std::streamoff>(at));
    stream.read(part.data(), part.size());
    hash.add(std::string_view(part.data(), static_cast<std::size_t>(stream.gcount())));
    stream.clear();
  }
  if (size > kPart) {
    stream.seekg(static_cast<std::streamoff>(size - kPart));
    stream.read(part.data(), part.size());
    if (!stream) return {};
    hash.add(std::string_view(part.data(), part.size()));
  }
  return fmt::format("{}-{}", size, hash.text());
}

}  // namespace tileloom
