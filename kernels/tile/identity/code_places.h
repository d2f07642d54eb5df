// SPDX-License-Identifier: GPL-3.0-or-later
// How a file names a line of a kernel: by its place, which is the number of the first token on that
// line, counted from 1 over the tokens of the kernel's own text (tokens.h). A place stays the same
// when a comment above it grows, when a blank line is added or removed, and when a long line is
// wrapped. In memory and on the screen a line is a line of the present text; files are converted
// when they are written and read.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kernels/tile/placement.h"
#include "kernels/tile/stage.h"

namespace tileloom {

class CodePlaces {
 public:
  explicit CodePlaces(std::string_view text);
  // Of a text for which only the number of tokens that begin on each of its lines is known.
  explicit CodePlaces(std::span<const int> tokensPerLine);

  // For a line without a token: the place of the last line above it that has one. 0: there is none,
  // or the line is 0.
  int placeOf(int line) const;
  // The line, from 1, on which that token begins. 0: there is no such token.
  int lineOf(int place) const;

  std::vector<int> tokensPerLine() const;

 private:
  std::vector<int> lines_;  // of each token
};

const CodePlaces& placesIn(const Stage& stage);

}  // namespace tileloom
