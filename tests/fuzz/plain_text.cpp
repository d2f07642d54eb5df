// SPDX-License-Identifier: GPL-3.0-or-later
// Text made printable: always UTF-8 without control characters, of bounded length if promised, and
// unchanged by a second pass.
#include "kernels/base/plain_text.h"

#include <algorithm>

#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

// For a text that is known to be UTF-8.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

template <class Make>
void requireShort(std::string_view text, Make make) {
  constexpr std::size_t kDots = 3;
  const std::string made = make(text);
  requirePlain(made);
  require(characters(made) <= kMostQuoted + kDots, "what is quoted is short");
  require(make(made) == made, "what can be quoted is quoted as it is");
}

}  // namespace

void attack(std::string_view bytes) {
  requireShort(bytes, [](std::string_view text) { return quotable(text); });
  requireShort(bytes, [](std::string_view text) { return quotableFile(std::string(text)); });
  std::string shown = terminalText(bytes);
  require(terminalText(shown) == shown, "what can be shown is shown as it is");
  std::ranges::replace_if(
      shown, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  requirePlain(shown);
  require(isPlain(bytes) == (quotable(bytes, bytes.size()) == bytes),
          "a text is plain if it is quoted as it is");
  require(!isPlain(bytes) || !hasControlCharacters(bytes), "a plain text can be shown");
}

}  // namespace tileloom::fuzz
