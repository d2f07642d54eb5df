// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/identity/code_places.h"

#include <algorithm>
#include <map>
#include <string>

#include "kernels/tile/identity/tokens.h"
#include "kernels/tile/placement.h"

namespace tileloom {

CodePlaces::CodePlaces(std::string_view text) {
  for (const Token& token : tokensOf(text).all) {
    if (token.counts()) lines_.push_back(token.line);
  }
}

CodePlaces::CodePlaces(std::span<const int> tokensPerLine) {
  int line = 0;
  for (const int tokens : tokensPerLine)
    lines_.insert(lines_.end(), static_cast<std::size_t>(std::max(0, tokens)), ++line);
}

int CodePlaces::placeOf(int line) const {
  const auto behind = std::ranges::upper_bound(lines_, line);
  if (line <= 0 || behind == lines_.begin()) return 0;
  const auto first = std::ranges::lower_bound(lines_.begin(), behind, *(behind - 1));
  return static_cast<int>(first - lines_.begin()) + 1;
}

int CodePlaces::lineOf(int place) const {
  if (place <= 0 || static_cast<std::size_t>(place) > lines_.size()) return 0;
  return lines_[static_cast<std::size_t>(place) - 1];
}

std::vector<int> CodePlaces::tokensPerLine() const {
  std::vector<int> counts(lines_.empty() ? 0 : static_cast<std::size_t>(lines_.back()));
  for (const int line : lines_) ++counts[static_cast<std::size_t>(line) - 1];
  return counts;
}

const CodePlaces& placesIn(const Stage& stage) {
  static const std::map<std::string_view, CodePlaces> all = [] {
    std::map<std::string_view, CodePlaces> made;
    for (const Stage* each : everyStage()) made.emplace(each->id, sourceText(*each));
    return made;
  }();
  static const CodePlaces none{std::string_view()};
  const auto known = all.find(stage.id);
  return known != all.end() ? known->second : none;
}

}  // namespace tileloom
