// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_shown.h"

#include <fmt/format.h>

namespace tileloom {

tl::expected<PatternShown, std::string> patternShown(const PatternChoice& choice) {
  const auto request = requestOf(choice);
  if (!request) return tl::unexpected(request.error());
  const auto pattern = own::accessPattern(*request);
  if (!pattern) return tl::unexpected(pattern.error());
  auto one = own::oneAccess(*pattern, choice.warp, choice.step);
  if (!one)
    return tl::unexpected(
        fmt::format("the pattern has no warp {} in step {}", choice.warp, choice.step));
  PatternShown shown{std::move(*one), {}};
  shown.hint = own::accessHint(shown.pattern);
  return shown;
}

}  // namespace tileloom
