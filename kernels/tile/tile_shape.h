// SPDX-License-Identifier: GPL-3.0-or-later
// Values of the tile parameters. A TileShape does not check legality: see constraints.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace tileloom {

// The list of tile parameters is in parameters.h, which is included only where a parameter is named
// or all are listed: a new parameter must not recompile all code that uses tiles.
enum class Parameter : std::uint8_t;

// Values of the tile parameters, in elements; a tile parameter that a stage does not have is 0.
class TileShape {
 public:
  static constexpr std::size_t kMostParameters = 20;  // room for more than there are

  TileShape() = default;
  TileShape(std::initializer_list<std::pair<Parameter, int>> values) {
    for (const auto& [parameter, value] : values) (*this)[parameter] = value;
  }

  int operator[](Parameter parameter) const { return values_[static_cast<std::size_t>(parameter)]; }
  int& operator[](Parameter parameter) { return values_[static_cast<std::size_t>(parameter)]; }
  bool operator==(const TileShape&) const = default;

  TileShape with(Parameter parameter, int value) const {
    TileShape copy = *this;
    copy[parameter] = value;
    return copy;
  }

 private:
  std::array<int, kMostParameters> values_{};
};

// The size of one multiplication: A is m x k, B is k x n, C is m x n.
struct Problem {
  int m = 0;
  int n = 0;
  int k = 0;
  bool operator==(const Problem&) const = default;
};

std::string toString(const Problem& problem);  // "1024x1024x512" (M x N x K)

}  // namespace tileloom
