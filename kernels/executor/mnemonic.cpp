// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/mnemonic.h"

#include <algorithm>

namespace tileloom::executor {

Mnemonic::Mnemonic(std::string text) : text_(std::move(text)) {
  for (std::size_t begin = 0; begin <= text_.size();) {
    const std::size_t end = std::min(text_.find('.', begin), text_.size());
    words_.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end + 1;
  }
}

bool Mnemonic::has(std::string_view word) const {
  return std::find(words_.begin() + 1, words_.end(), word) != words_.end();
}

std::uint8_t relationOf(const Mnemonic& mnemonic) {
  struct Name {
    std::string_view word;
    std::uint8_t relation;
  };
  static constexpr Name kNames[] = {
      {"LT", kLess},
      {"EQ", kEqual},
      {"LE", kLess | kEqual},
      {"GT", kGreater},
      {"NE", kLess | kGreater},
      {"GE", kGreater | kEqual},
      {"NUM", kLess | kEqual | kGreater},
      {"NAN", kUnordered},
      {"LTU", kLess | kUnordered},
      {"EQU", kEqual | kUnordered},
      {"LEU", kLess | kEqual | kUnordered},
      {"GTU", kGreater | kUnordered},
      {"NEU", kLess | kGreater | kUnordered},
      {"GEU", kGreater | kEqual | kUnordered},
      {"T", kLess | kEqual | kGreater | kUnordered},
  };
  for (const Name& each : kNames)
    if (mnemonic.has(each.word)) return each.relation;
  return 0;
}

Rounding roundingOf(const Mnemonic& mnemonic) {
  if (mnemonic.has("RM") || mnemonic.has("FLOOR")) return Rounding::Down;
  if (mnemonic.has("RP") || mnemonic.has("CEIL")) return Rounding::Up;
  if (mnemonic.has("RZ") || mnemonic.has("TRUNC")) return Rounding::ToZero;
  return Rounding::Nearest;
}

Combine combineOf(const Mnemonic& mnemonic) {
  return mnemonic.has("OR") ? Combine::Or : mnemonic.has("XOR") ? Combine::Xor : Combine::And;
}

}  // namespace tileloom::executor
