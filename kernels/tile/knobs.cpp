// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/knobs.h"

#include <cctype>
#include <string>

namespace tileloom {

std::optional<Knob> knobNamed(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const KnobRow& row : kKnobs) {
    if (upper == row.name) return row.knob;
  }
  for (const auto& [alias, knob] : kKnobAliases) {
    if (upper == alias) return knob;
  }
  return std::nullopt;
}

}  // namespace tileloom
