// SPDX-License-Identifier: GPL-3.0-or-later
// The name of a value: an element of A, B or C, or a word of a shared array.
#pragma once

#include <cstdint>

namespace tileloom::analysis {

enum class Matrix : std::uint8_t { A, B, C };

struct Element {
  Matrix matrix = Matrix::A;
  std::int64_t row = 0;
  std::int64_t column = 0;
  bool operator==(const Element&) const = default;
};

// A word of a shared array: the array's index in Trace::arrays and the element within it.
struct SharedWord {
  std::uint32_t array = 0;
  std::uint32_t index = 0;
  bool operator==(const SharedWord&) const = default;
};

// Rows and columns of a matrix, in elements.
struct Region {
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  bool empty() const { return rows <= 0 || columns <= 0; }
  bool contains(std::int64_t r, std::int64_t c) const {
    return r >= row && r < row + rows && c >= column && c < column + columns;
  }
  void add(std::int64_t r, std::int64_t c);  // grows to hold this element
  bool operator==(const Region&) const = default;
};

}  // namespace tileloom::analysis
