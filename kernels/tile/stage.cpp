// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/base/plain_text.h"
#include "kernels/tile/parameters.h"

namespace tileloom {

ParameterSpec::ParameterSpec(Parameter its, int usual)
    : ParameterSpec(its, usual, rowOf(its).min, rowOf(its).max) {}

ParameterSpec::ParameterSpec(Parameter its, int usual, int smallest, int largest)
    : parameter(its), standard(usual), min(smallest), max(largest) {}

const ParameterSpec* Stage::spec(Parameter parameter) const {
  const auto it =
      std::find_if(parameters.begin(), parameters.end(),
                   [parameter](const ParameterSpec& s) { return s.parameter == parameter; });
  return it == parameters.end() ? nullptr : &*it;
}

TileShape Stage::standardTile() const {
  TileShape tile;
  for (const ParameterSpec& s : parameters) tile[s.parameter] = s.standard;
  return tile;
}

std::span<const Stage> ladderOf(Format format) {
  return format == Format::Fp32 ? stages() : tensorStages();
}

std::span<const Stage> ladderOf(const Stage& stage) {
  return ladderOf(stage.usualFormat());
}

std::span<const FormatRow* const> formatsOfRungs() {
  static const std::vector<const FormatRow*> rows = [] {
    std::vector<const FormatRow*> found;
    for (const FormatRow& row : formats()) {
      const auto calculates = [&row](const Stage* stage) {
        return stage->calculatesIn(row.format);
      };
      if (std::ranges::any_of(everyStage(), calculates)) found.push_back(&row);
    }
    return found;
  }();
  return rows;
}

tl::expected<Format, std::string> formatNamed(std::string_view text) {
  const auto rows = formatsOfRungs();
  const auto found = std::ranges::find(rows, text, &FormatRow::name);
  if (found != rows.end()) return (*found)->format;
  std::string known;
  for (const FormatRow* row : rows)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row->name);
  return tl::unexpected(
      fmt::format("there is no arithmetic \"{}\": choose one of {}", quotable(text), known));
}

std::string rungLabel(const Stage& stage) {
  if (!stage.isRung()) return "own";
  return fmt::format("{}{}", stage.ladder == Ladder::Tensor ? "T" : "", stage.rung);
}

const Stage& openingStage() {
  return **stageNamed("warptiled");
}

tl::expected<const Stage*, std::string> stageNamed(std::string_view text) {
  constexpr std::size_t kMostShown = 24;  // characters: the list after them is long enough
  const auto startsWith = [text](char lower, char upper) {
    return !text.empty() && (text.front() == lower || text.front() == upper);
  };
  const bool byLiterature = startsWith('k', 'K'), byTensor = startsWith('t', 'T');
  const std::string_view digits = byLiterature || byTensor ? text.substr(1) : text;
  int number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool isNumber =
      parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() && !digits.empty();
  std::string known;
  for (const Stage& stage : tensorStages()) {
    if (text == stage.id || (isNumber && byTensor && number == stage.rung)) return &stage;
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", rungLabel(stage), stage.id);
  }
  if (isNumber && byTensor) {
    return tl::unexpected(fmt::format("there is no rung \"{}\" on the tensor ladder, which has {}",
                                      quotable(text, kMostShown), known));
  }
  for (const Stage& stage : stages()) {
    if (text == stage.id || (isNumber && !byLiterature && number == stage.rung)) return &stage;
  }
  for (const Stage& stage : stages()) {
    if (isNumber && byLiterature && number > 0 && number == stage.literature) return &stage;
  }
  known.clear();
  for (const Stage* stage : everyStage())
    known += fmt::format("{}{}", known.empty() ? "" : ", ", stage->id);
  return tl::unexpected(
      fmt::format("there is no stage \"{}\": choose one of {}, or 1 to {} or {} to {}",
                  quotable(text, kMostShown), known, stages().size(),
                  rungLabel(tensorStages().front()), rungLabel(tensorStages().back())));
}

}  // namespace tileloom
