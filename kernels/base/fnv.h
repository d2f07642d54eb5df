// SPDX-License-Identifier: GPL-3.0-or-later
// FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo): the same on every machine. It
// distinguishes versions and does not protect against forgery.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tileloom {

class Fnv {
 public:
  void add(std::string_view text) {
    for (const char c : text) addByte(static_cast<unsigned char>(c));
  }
  // The lowest byte first.
  void add(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) addByte(static_cast<unsigned char>(value >> (8 * i)));
  }
  std::uint64_t value() const { return hash_; }
  std::string text() const { return fmt::format("{:016x}", hash_); }  // 16 hex digits

 private:
  void addByte(unsigned char byte) {
    hash_ ^= byte;
    hash_ *= 1099511628211ull;
  }

  std::uint64_t hash_ = 14695981039346656037ull;
};

}  // namespace tileloom
