// SPDX-License-Identifier: GPL-3.0-or-later
// Values of the tile knobs. A TileShape says nothing about legality: see constraints.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace tileloom {

// The list of knobs stands in knobs.h, which only those include that name one or list them: a new
// knob must not compile again all that knows tiles.
enum class Knob : std::uint8_t;

// Values of the knobs, in elements; a knob that a stage does not have is 0.
class TileShape {
 public:
  static constexpr std::size_t kMostKnobs = 20;  // room for more than there are

  TileShape() = default;
  TileShape(std::initializer_list<std::pair<Knob, int>> values) {
    for (const auto& [knob, value] : values) (*this)[knob] = value;
  }

  int operator[](Knob knob) const { return values_[static_cast<std::size_t>(knob)]; }
  int& operator[](Knob knob) { return values_[static_cast<std::size_t>(knob)]; }
  bool operator==(const TileShape&) const = default;

  TileShape with(Knob knob, int value) const {
    TileShape copy = *this;
    copy[knob] = value;
    return copy;
  }

 private:
  std::array<int, kMostKnobs> values_{};
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
