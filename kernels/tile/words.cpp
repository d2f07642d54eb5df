// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/words.h"

#include <fmt/format.h>

#include <cmath>

#include <algorithm>

#include "kernels/tile/parameters.h"

namespace tileloom {

const Stage* stageWithId(std::string_view id) {
  const auto found = std::ranges::find(stages(), id, &Stage::id);
  return found == stages().end() ? nullptr : &*found;
}

const Stage* stageOfEitherLadder(std::string_view id) {
  if (const Stage* stage = stageWithId(id)) return stage;
  const auto found = std::ranges::find(tensorStages(), id, &Stage::id);
  return found == tensorStages().end() ? nullptr : &*found;
}

std::vector<std::string_view> formatNames(const Stage& stage) {
  std::vector<std::string_view> names;
  for (const Format each : stage.formats) names.push_back(rowOf(each).name);
  return names;
}

std::string parameterNames(const Stage& stage) {
  std::string names;
  for (const ParameterSpec& spec : stage.parameters)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name(spec.parameter));
  return names;
}

std::string tileText(const Stage& stage, const TileShape& tile) {
  std::string text;
  for (const ParameterSpec& spec : stage.parameters) {
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : ",", name(spec.parameter), tile[spec.parameter]);
  }
  return text;
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string wholeText(double value) {
  return grouped(static_cast<std::uint64_t>(std::llround(std::max(0.0, value))));
}

std::string speedNumber(double gflops) {
  constexpr double kSmall = 10;
  return gflops < kSmall ? fmt::format("{:.2g}", gflops) : wholeText(gflops);
}

std::string percentText(double share, int digits) {
  const double step = std::pow(10, -digits), percent = 100 * share;
  constexpr double kRounding = 1e-9;  // of sums that would come to all
  if (share > 0 && percent < step / 2) return fmt::format("< {:.{}f} %", step, digits);
  if (share < 1 - kRounding && percent >= 100 - step / 2)
    return fmt::format("> {:.{}f} %", 100 - step, digits);
  return fmt::format("{:.{}f} %", percent, digits);
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return fmt::format("{} {}{}", grouped(count), many.empty() ? one : many, many.empty() ? "s" : "");
}

}  // namespace tileloom
