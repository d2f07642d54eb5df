// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/chosen_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/commands/common/parse.h"
#include "kernels/base/trimmed.h"

namespace tileloom::lecture {
tl::expected<std::vector<std::size_t>, std::string> chosenSteps(std::string_view what,
                                                                std::string_view text,
                                                                std::size_t count) {
  std::vector<std::size_t> steps;
  std::string_view rest = trimmed(text);
  if (rest.empty()) {
    steps.resize(count);
    std::iota(steps.begin(), steps.end(), std::size_t{0});
    return steps;
  }
  const auto number = [&](std::string_view word) {
    return app::parseNumber(what, trimmed(word), 1, static_cast<int>(count));
  };
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    // A minus sign in front makes a negative number, not a range. It is refused below.
    const std::size_t dash = part.find('-', 1);
    const auto first = number(part.substr(0, dash));
    if (!first) return tl::unexpected(first.error());
    const auto last = dash == part.npos ? first : number(part.substr(dash + 1));
    if (!last) return tl::unexpected(last.error());
    if (*last < *first) {
      return tl::unexpected(
          fmt::format("{} \"{}\" ends before it begins: write the smaller number "
                      "first",
                      what, app::quotable(part)));
    }
    if (steps.size() + static_cast<std::size_t>(*last - *first) >= 10 * count) {
      return tl::unexpected(
          fmt::format("{} names more than ten times the lecture's steps: name fewer", what));
    }
    for (int step = *first; step <= *last; ++step)
      steps.push_back(static_cast<std::size_t>(step - 1));
  }
  return steps;
}

}  // namespace tileloom::lecture
