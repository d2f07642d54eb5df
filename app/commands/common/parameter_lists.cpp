// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/parameter_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/commands/common/parse.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

tl::expected<tuning::ParameterValues, std::string> parseOne(std::span<const Stage* const> stages,
                                                            const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto parameter = parameterNamed(text.substr(0, equals));
  const auto has = [&](const Stage* stage) { return stage->spec(*parameter) != nullptr; };
  if (!parameter || equals == std::string::npos || std::ranges::none_of(stages, has)) {
    // The highest rung has the most tile parameters.
    const Stage& last = *stages.back();
    return tl::unexpected(fmt::format(
        "\"{}\" is not a tile parameter of {} with its values: write it like {}={}, with one of {}",
        quotable(text), last.id, name(last.parameters[0].parameter), last.parameters[0].standard,
        parameterNames(last)));
  }
  tuning::ParameterValues listed{*parameter, {}};
  const std::string rest = text.substr(equals + 1);
  for (std::size_t at = 0; at <= rest.size();) {
    const std::size_t end = std::min(rest.find(',', at), rest.size());
    std::optional<int> known;
    for (const Stage* stage : stages) {
      const ParameterSpec* spec = stage->spec(*parameter);
      if (spec == nullptr) continue;
      const auto value = parseNumber(fmt::format("{} of {}:", name(*parameter), stage->id),
                                     rest.substr(at, end - at), spec->min, spec->max);
      if (!value) return tl::unexpected(value.error());
      known = *value;
    }
    if (known) listed.values.push_back(*known);
    at = end + 1;
  }
  std::ranges::sort(listed.values);
  return listed;
}

}  // namespace

tl::expected<std::vector<tuning::ParameterValues>, std::string> parseParameterLists(
    std::span<const Stage* const> stages, std::span<const std::string> texts) {
  std::vector<tuning::ParameterValues> all;
  for (const std::string& text : texts) {
    auto listed = parseOne(stages, text);
    if (!listed) return tl::unexpected(listed.error());
    if (std::ranges::find(all, listed->parameter, &tuning::ParameterValues::parameter) !=
        all.end()) {
      return tl::unexpected(fmt::format("{} is listed twice: list its values once, like {}=64,128",
                                        name(listed->parameter), name(listed->parameter)));
    }
    all.push_back(std::move(*listed));
  }
  return all;
}

}  // namespace tileloom::app
