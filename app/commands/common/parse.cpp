// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/base/trimmed.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/parameters.h"

namespace tileloom::app {
namespace {

// The trimmed parts between any of `separators`; always at least one.
std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find_first_of(separators);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// std::nullopt: not a whole number. A number too large to hold becomes the largest (or smallest)
// one, so that the error says "out of range".
std::optional<long long> wholeNumber(std::string_view text) {
  long long value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    using Limits = std::numeric_limits<long long>;
    return text.front() == '-' ? Limits::min() : Limits::max();
  }
  return value;
}

std::string parameterList(const Stage& stage) {
  std::string list;
  for (const ParameterSpec& spec : stage.parameters) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name(spec.parameter));
  }
  return list;
}

// "BM=128,BN=128", from the stage's own defaults.
std::string exampleTile(const Stage& stage) {
  std::string text;
  for (const ParameterSpec& spec : stage.parameters) {
    if (&spec - stage.parameters.data() == 2) break;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name(spec.parameter), spec.standard);
  }
  return text;
}

}  // namespace

tl::expected<const Stage*, std::string> parseStage(std::string_view text) {
  return stageNamed(quotable(text));  // this does not change the name of any stage
}

tl::expected<int, std::string> parseNumber(std::string_view what, std::string_view text, int least,
                                           int most) {
  const std::string_view digits = trimmed(text);
  const auto value = wholeNumber(digits);
  if (!value) {
    return tl::unexpected(fmt::format("{} \"{}\" is not a whole number: choose one from {} to {}",
                                      what, quotable(digits), least, most));
  }
  if (*value < least || *value > most) {
    return tl::unexpected(fmt::format("{} {} is out of range: choose a number from {} to {}", what,
                                      quotable(digits), least, most));
  }
  return static_cast<int>(*value);
}

tl::expected<TileShape, std::string> parseTile(const Stage& stage, std::string_view text) {
  if (trimmed(text).empty()) {
    return tl::unexpected(fmt::format("the tile is empty: write it like {}", exampleTile(stage)));
  }
  TileShape tile = stage.standardTile();
  std::vector<Parameter> seen;
  for (const std::string_view part : split(text, ",")) {
    if (part.empty()) {
      return tl::unexpected(
          fmt::format("the tile \"{}\" has an empty part between commas: write it like {}",
                      quotable(trimmed(text)), exampleTile(stage)));
    }
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      return tl::unexpected(fmt::format("\"{}\" in the tile has no \"=\": write it like {}",
                                        quotable(part), exampleTile(stage)));
    }
    const std::string_view label = trimmed(part.substr(0, equals));
    const auto parameter = parameterNamed(label);
    const ParameterSpec* spec = parameter ? stage.spec(*parameter) : nullptr;
    if (spec == nullptr) {
      return tl::unexpected(fmt::format("{} has no tile parameter \"{}\": choose from {}", stage.id,
                                        quotable(label), parameterList(stage)));
    }
    if (std::ranges::find(seen, *parameter) != seen.end()) {
      return tl::unexpected(
          fmt::format("the tile gives {} twice: name each tile parameter once", name(*parameter)));
    }
    seen.push_back(*parameter);
    const auto value = parseNumber(fmt::format("{} of {}:", name(*parameter), stage.id),
                                   part.substr(equals + 1), spec->min, spec->max);
    if (!value)
      return tl::unexpected(
          fmt::format("{}, the range of rung {}", value.error(), rungLabel(stage)));
    tile[*parameter] = *value;
  }
  return tile;
}

tl::expected<Problem, std::string> parseSize(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, "xX");
  if (trimmed(text).empty() || (parts.size() != 1 && parts.size() != 3)) {
    return tl::unexpected(
        fmt::format("the size \"{}\" is not of the form MxNxK: write it like 1024x512x256, or 1024 "
                    "for a cube",
                    quotable(trimmed(text))));
  }
  constexpr std::string_view kNames = "MNK";
  int sizes[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value =
        parseNumber(fmt::format("the size's {}:", kNames.substr(i, 1)),
                    parts.size() == 1 ? parts[0] : parts[i], 1, emulator::kMaxDimension);
    if (!value) return tl::unexpected(value.error());
    sizes[i] = *value;
  }
  return Problem{sizes[0], sizes[1], sizes[2]};
}

tl::expected<Extent, std::string> parseBlock(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ",");
  if (parts.size() != 2) {
    return tl::unexpected(
        fmt::format("the block \"{}\" is not of the form X,Y: write it like 3,0, counted from 0",
                    quotable(trimmed(text))));
  }
  const auto x = parseNumber("the block's X:", parts[0], 0, emulator::kMaxDimension - 1);
  if (!x) return tl::unexpected(x.error());
  const auto y = parseNumber("the block's Y:", parts[1], 0, emulator::kMaxDimension - 1);
  if (!y) return tl::unexpected(y.error());
  return Extent{*x, *y};
}

}  // namespace tileloom::app
