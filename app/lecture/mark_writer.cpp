// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/mark_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/lecture/mark_reader.h"
#include "kernels/base/trimmed.h"

namespace tileloom::lecture {

using nlohmann::ordered_json;

std::string elementText(const analysis::Element& element) {
  return fmt::format("{}[{},{}]", "ABC"[static_cast<std::size_t>(element.matrix)], element.row,
                     element.column);
}

ordered_json targetJson(const MarkTarget& target) {
  using Thing = MarkTarget::Thing;
  switch (target.thing) {
    case Thing::Element:
      return {{"element", elementText(target.element)}};
    case Thing::Lane:
      if (target.page == "banks") return {{"lane", target.number}, {"in", target.page}};
      return {{"lane", target.number}};
    case Thing::Warp:
      return {{"warp", target.number}};
    case Thing::Block:
      return {{"block", true}};
    case Thing::Bank:
      return {{"bank", target.number}};
    case Thing::Line:
      return {{"line", target.text}};
    case Thing::Parameter:
      return {{"parameter", target.text}};
    case Thing::Rung:
      return {{"rung", target.text}};
    case Thing::Area:
      return {{"area", target.text}};
  }
  return ordered_json::object();
}

ordered_json markJson(const Mark& mark) {
  constexpr const char* kForms[] = {"ring", "arrow", "label"};
  ordered_json made = {{kForms[static_cast<std::size_t>(mark.form)], targetJson(mark.target)}};
  if (!mark.text.empty()) made["text"] = mark.text;
  return made;
}

std::string textOfLine(const Stage& stage, int line) {
  constexpr std::size_t kLongest = 80;
  std::string_view source = sourceText(stage);
  for (int at = 1; at < line; ++at) {
    const std::size_t end = source.find('\n');
    if (end == source.npos) return {};
    source.remove_prefix(end + 1);
  }
  const std::string_view text = trimmed(source.substr(0, source.find('\n')));
  // Its beginning, or its end if other lines have the same beginning.
  for (const std::string_view part :
       {text.substr(0, kLongest), text.substr(text.size() - std::min(text.size(), kLongest))}) {
    if (!part.empty() && lineWith(stage, part) == line) return std::string(part);
  }
  return {};
}

}  // namespace tileloom::lecture
