// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/base64.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tileloom {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kBytes = 3, kText = 4;  // of a group
constexpr int kBits = 6;                      // of a digit
constexpr char kPadding = '=';

}  // namespace

std::string toBase64(std::span<const char> bytes) {
  std::string text;
  text.reserve((bytes.size() + kBytes - 1) / kBytes * kText);
  for (std::size_t i = 0; i < bytes.size(); i += kBytes) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < kBytes; ++k) {
      const bool there = i + k < bytes.size();
      group = group << 8 | (there ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    const std::size_t digits = std::min(kBytes, bytes.size() - i) + 1;
    for (std::size_t k = 0; k < kText; ++k) {
      const int shift = kBits * static_cast<int>(kText - 1 - k);
      text += k < digits ? kDigits[group >> shift & 63] : kPadding;
    }
  }
  return text;
}

std::optional<std::vector<char>> fromBase64(std::string_view text) {
  if (text.size() % kText != 0) return std::nullopt;
  std::vector<char> bytes;
  bytes.reserve(text.size() / kText * kBytes);
  for (std::size_t i = 0; i < text.size(); i += kText) {
    std::string_view group = text.substr(i, kText);
    const bool last = i + kText == text.size();
    while (last && group.size() > 2 && group.back() == kPadding) group.remove_suffix(1);
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < kText; ++k) {
      const std::size_t digit = k < group.size() ? kDigits.find(group[k]) : 0;
      if (digit == std::string_view::npos) return std::nullopt;
      value = value << kBits | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k + 1 < group.size(); ++k)
      bytes.push_back(static_cast<char>(value >> (16 - 8 * k) & 255));
    // The bits that the padding leaves over must be 0, so that no two texts have the same bytes.
    if (group.size() < kText && (value & ((1u << (8 * (kText - group.size()))) - 1)) != 0)
      return std::nullopt;
  }
  return bytes;
}

}  // namespace tileloom
