// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/knob_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/parse.h"
#include "kernels/tile/knobs.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

tl::expected<tuning::KnobValues, std::string> parseOne(const Stage& stage,
                                                       const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto knob = knobNamed(text.substr(0, equals));
  const KnobSpec* spec = knob ? stage.spec(*knob) : nullptr;
  if (spec == nullptr || equals == std::string::npos) {
    return tl::unexpected(fmt::format(
        "\"{}\" names no knob of {} and its values: write it like {}={}, with one of {}",
        quotable(text), stage.id, name(stage.knobs[0].knob), stage.knobs[0].standard,
        knobNames(stage)));
  }
  tuning::KnobValues listed{*knob, {}};
  const std::string rest = text.substr(equals + 1);
  for (std::size_t at = 0; at <= rest.size();) {
    const std::size_t end = std::min(rest.find(',', at), rest.size());
    const auto value = parseNumber(fmt::format("{} of {}:", name(*knob), stage.id),
                                   rest.substr(at, end - at), spec->min, spec->max);
    if (!value) return tl::unexpected(value.error());
    listed.values.push_back(*value);
    at = end + 1;
  }
  std::ranges::sort(listed.values);
  return listed;
}

}  // namespace

tl::expected<std::vector<tuning::KnobValues>, std::string> parseKnobLists(
    const Stage& stage, std::span<const std::string> texts) {
  std::vector<tuning::KnobValues> all;
  for (const std::string& text : texts) {
    auto listed = parseOne(stage, text);
    if (!listed) return tl::unexpected(listed.error());
    if (std::ranges::find(all, listed->knob, &tuning::KnobValues::knob) != all.end()) {
      return tl::unexpected(fmt::format("{} is listed twice: list its values once, like {}=64,128",
                                        name(listed->knob), name(listed->knob)));
    }
    all.push_back(std::move(*listed));
  }
  return all;
}

}  // namespace tileloom::app
