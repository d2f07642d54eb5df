// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a mnemonic, and what the usual ones mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// IMAD.WIDE.U32: its base is IMAD, and it has WIDE and U32.
class Mnemonic {
 public:
  explicit Mnemonic(std::string text);
  Mnemonic(const Mnemonic&) = delete;
  Mnemonic& operator=(const Mnemonic&) = delete;

  std::string_view base() const { return words_.front(); }
  bool has(std::string_view word) const;
  // Its words after the base, in their order.
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  std::string text_;
  std::vector<std::string_view> words_;
};

std::uint8_t relationOf(const Mnemonic& mnemonic);  // 0: it has none, or never holds
Rounding roundingOf(const Mnemonic& mnemonic);
Combine combineOf(const Mnemonic& mnemonic);

}  // namespace tileloom::executor
