// SPDX-License-Identifier: GPL-3.0-or-later
// The tile knobs and their values. A TileShape says nothing about legality: see constraints.h.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tileloom {

enum class Knob { BLOCKSIZE, BM, BN, BK, WM, WN, WNITER, TM, TN, PAD, STAGES, GROUP };
inline constexpr std::size_t kKnobCount = 12;
inline constexpr std::array<Knob, kKnobCount> kAllKnobs = {
    Knob::BLOCKSIZE, Knob::BM, Knob::BN, Knob::BK,  Knob::WM,     Knob::WN,
    Knob::WNITER,    Knob::TM, Knob::TN, Knob::PAD, Knob::STAGES, Knob::GROUP};

std::string_view name(Knob knob);

// The knob with this name, upper or lower case; EDGE and BLOCK are accepted for BLOCKSIZE.
std::optional<Knob> knobNamed(std::string_view text);

// Values of the knobs, in elements; a knob that a stage does not have is 0.
class TileShape {
 public:
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
  std::array<int, kKnobCount> values_{};
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
