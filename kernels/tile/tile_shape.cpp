// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/tile_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tileloom {
namespace {

constexpr std::array<std::string_view, kKnobCount> kNames = {
    "BLOCKSIZE", "BM", "BN", "BK", "WM", "WN", "WNITER", "TM", "TN", "PAD", "STAGES", "GROUP"};

}  // namespace

std::string_view name(Knob knob) {
  return kNames[static_cast<std::size_t>(knob)];
}

std::optional<Knob> knobNamed(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (upper == "EDGE" || upper == "BLOCK") return Knob::BLOCKSIZE;
  for (const Knob knob : kAllKnobs) {
    if (upper == name(knob)) return knob;
  }
  return std::nullopt;
}

std::string toString(const Problem& problem) {
  return fmt::format("{}x{}x{}", problem.m, problem.n, problem.k);
}

}  // namespace tileloom
