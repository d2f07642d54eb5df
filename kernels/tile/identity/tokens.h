// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a CUDA source, as the preprocessor sees them before it expands a macro. Comments,
// white space and the end of a line are not tokens; the end of a directive is one, because a
// macro's definition ends there.
//
// Three things look like white space and are kept, because they matter to the compiler:
//   * `F(` of `#define F(x)` is one token; in `#define F (x)` it is two.
//   * A prefix or suffix belongs to its literal: `L"x"` is one token, `L "x"` is two.
//   * `a b` and `ab`, `+ +` and `++` are different tokens in any case.
// One thing is not kept: the white space inside a macro's argument that the operator # turns into a
// string. Our headers make strings of single tokens only.
//
// Three directives are special:
//   * `#line` and `#pragma once` say where text is and not what it is: they are left out.
//   * The message of `#error` and `#warning` is left out: it is for the reader, and no code depends
//     on it.
//   * `#include "x"` is one token of the kind Include.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tileloom {

struct Token {
  enum class Kind : std::uint8_t {
    Code,
    Directive,     // the # that begins a directive
    DirectiveEnd,  // the end of its line
    Include,       // `text` is "kernels/device/portable.cuh", with its quotation marks, or <x>
  };
  Kind kind = Kind::Code;
  std::string text;  // without line continuations
  int line = 0;      // of the text, from 1: where the token begins
  bool operator==(const Token&) const = default;

  // Whether it is code, which a place can name.
  bool counts() const { return kind == Kind::Code || kind == Kind::Directive; }
};

struct Tokens {
  std::vector<Token> all;
  bool once = false;  // the text has `#pragma once`
};

Tokens tokensOf(std::string_view text);

}  // namespace tileloom
