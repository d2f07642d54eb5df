// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/figures.h"

#include <fmt/format.h>

#include <functional>

#include "app/commands/common/parse.h"

namespace tileloom::lecture {
namespace {

// The parsed text between two braces.
struct Figure {
  Named quantity;
  const Stage* stage = nullptr;  // nullptr: that of the step
  std::optional<Problem> problem;
};

tl::expected<Figure, std::string> figureIn(std::string_view words) {
  constexpr std::string_view kOf = " of ", kAt = " at ";
  const std::size_t of = words.find(kOf);
  const auto quantity = Named::find(words.substr(0, of));
  if (!quantity) return tl::unexpected(quantity.error());
  Figure figure{*quantity, nullptr, std::nullopt};
  if (of == words.npos) return figure;
  std::string_view rest = words.substr(of + kOf.size());
  if (const std::size_t at = rest.find(kAt); at != rest.npos) {
    const auto size = app::parseSize(rest.substr(at + kAt.size()));
    if (!size) return tl::unexpected(size.error());
    figure.problem = *size;
    rest = rest.substr(0, at);
  }
  const auto stage = app::parseStage(rest);
  if (!stage) return tl::unexpected(stage.error());
  if (quantity->counted()) {
    return tl::unexpected(fmt::format("\"{}\" is counted in the shown kernel: leave out \" of {}\"",
                                      quantity->name(), rest));
  }
  figure.stage = *stage;
  return figure;
}

// Calls `take` with each part of the text: plain text, or the text between braces. The error is a
// sentence without a full stop.
std::string walk(std::string_view text,
                 const std::function<std::string(std::string_view part, bool figure)>& take) {
  while (!text.empty()) {
    const std::size_t brace = std::min(text.find_first_of("{}"), text.size());
    if (brace > 0) take(text.substr(0, brace), false);
    text.remove_prefix(brace);
    if (text.empty()) break;
    if (text.starts_with("{{") || text.starts_with("}}")) {
      take(text.substr(0, 1), false);
      text.remove_prefix(2);
      continue;
    }
    const std::size_t end = text.find('}');
    if (text.front() == '}' || end == text.npos)
      return "a brace is unpaired: write \"{{\" or \"}}\" for a brace";
    if (std::string wrong = take(text.substr(1, end - 1), true); !wrong.empty()) return wrong;
    text.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace

std::string whyNotFilled(std::string_view text) {
  return walk(text, [](std::string_view part, bool isFigure) -> std::string {
    if (!isFigure) return {};
    const auto figure = figureIn(part);
    return figure ? std::string() : figure.error();
  });
}

std::string filled(std::string_view text, const TileFacts& own) {
  std::string whole;
  walk(text, [&](std::string_view part, bool isFigure) -> std::string {
    if (!isFigure) {
      whole += part;
      return {};
    }
    const auto figure = figureIn(part);
    std::optional<double> value;
    if (figure && figure->stage == nullptr) value = figure->quantity.value(own);
    if (figure && figure->stage != nullptr) {
      const Stage& stage = *figure->stage;
      const Format format = stage.ladder == own.rung()->ladder ? own.format : stage.usualFormat();
      value = figure->quantity.value(
          factsOf({&stage, stage.standardTile(), format}, figure->problem.value_or(own.problem)));
    }
    whole += value ? figure->quantity.text(*value) : std::string(kNotKnown);
    return {};
  });
  // A percent sign must not be separated from its number.
  constexpr std::string_view kLoose = " %", kFast = "\xC2\xA0%";
  for (std::size_t at = whole.find(kLoose); at != whole.npos; at = whole.find(kLoose, at))
    whole.replace(at, kLoose.size(), kFast);
  return whole;
}

}  // namespace tileloom::lecture
