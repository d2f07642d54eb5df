// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/parameters.h"

#include <cctype>
#include <string>

namespace tileloom {

std::optional<Parameter> parameterNamed(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const ParameterRow& row : kParameters) {
    if (upper == row.name) return row.parameter;
  }
  for (const auto& [alias, parameter] : kParameterAliases) {
    if (upper == alias) return parameter;
  }
  return std::nullopt;
}

}  // namespace tileloom
