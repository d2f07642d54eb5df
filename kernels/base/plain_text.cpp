// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/plain_text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tileloom {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The first character of a text that is not empty. By the Unicode standard, overlong forms, halves
// of surrogate pairs and codes above 10FFFF are not characters.
Character characterAt(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  char32_t code = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  if (code < kLeast[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes, true};
}

bool isControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

// Line and paragraph separators, and marks that change the direction of the text after them.
bool movesText(char32_t c) {
  return c == 0x2028 || c == 0x2029 || c == 0x200E || c == 0x200F || c == 0x061C ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// Printable ASCII, newline and tab.
bool isUsual(char c) {
  return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
}

struct Cleaned {
  std::string text;
  std::vector<std::size_t> starts;  // of the characters
};

// At most `most` characters of the text, and the first of those that are too many.
Cleaned cleaned(std::string_view text, std::size_t most) {
  Cleaned out;
  while (!text.empty() && out.starts.size() <= most) {
    const Character c = characterAt(text);
    out.starts.push_back(out.text.size());
    if (c.valid && !isControl(c.code) && !movesText(c.code)) {
      out.text.append(text.substr(0, c.bytes));
    } else {
      out.text += '?';
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

constexpr std::string_view kDots = "...";

}  // namespace

std::string quotable(std::string_view text, std::size_t most) {
  Cleaned all = cleaned(text, most);
  if (all.starts.size() <= most) return std::move(all.text);
  all.text.resize(all.starts[most]);
  return all.text.append(kDots);
}

std::string quotableFile(const std::filesystem::path& file) {
  const std::string name = file.string();
  const Cleaned all = cleaned(name, name.size());
  if (all.starts.size() <= kMostQuoted) return all.text;
  return std::string(kDots) + all.text.substr(all.starts[all.starts.size() - kMostQuoted]);
}

std::string terminalText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    // Most of a text is ASCII, and a trace as JSON has a hundred megabytes of it.
    const auto odd = std::ranges::find_if_not(text, isUsual);
    const auto usual = static_cast<std::size_t>(odd - text.begin());
    out.append(text.substr(0, usual));
    text.remove_prefix(usual);
    if (text.empty()) break;
    const Character c = characterAt(text);
    if (c.valid && !isControl(c.code) && !movesText(c.code)) {
      out.append(text.substr(0, c.bytes));
    } else {
      out += '?';
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

bool isPlain(std::string_view text) {
  while (!text.empty()) {
    const Character c = characterAt(text);
    if (!c.valid || isControl(c.code) || movesText(c.code)) return false;
    text.remove_prefix(c.bytes);
  }
  return true;
}

bool hasControlCharacters(std::string_view text) {
  while (!text.empty()) {
    const Character c = characterAt(text);
    if (c.valid && (isControl(c.code) || movesText(c.code))) return true;
    text.remove_prefix(c.bytes);
  }
  return false;
}

}  // namespace tileloom
