// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/mark_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "app/commands/common/parse.h"
#include "app/lecture/figures.h"
#include "app/lecture/part.h"
#include "kernels/base/plain_text.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::lecture {
namespace {

using nlohmann::json;

constexpr std::size_t kLongest = 60, kLine = 80;
constexpr std::string_view kTargets =
    "element, lane, warp, block, bank, line, parameter, rung or area";

// "C[12,40]"
std::optional<analysis::Element> elementIn(std::string_view text) {
  constexpr std::string_view kMatrices = "ABC";
  if (text.size() < 6 || text[1] != '[' || text.back() != ']') return std::nullopt;
  const std::size_t matrix = kMatrices.find(text[0]);
  if (matrix == kMatrices.npos) return std::nullopt;
  analysis::Element element{static_cast<analysis::Matrix>(matrix), 0, 0};
  const char* end = text.data() + text.size() - 1;
  const auto row = std::from_chars(text.data() + 2, end, element.row);
  if (row.ec != std::errc() || row.ptr == end || *row.ptr != ',') return std::nullopt;
  const auto column = std::from_chars(row.ptr + 1, end, element.column);
  if (column.ec != std::errc() || column.ptr != end || element.row < 0 || element.column < 0)
    return std::nullopt;
  return element;
}

int linesWith(const Stage& stage, std::string_view text, int& first) {
  std::string_view source = sourceText(stage);
  int found = 0;
  for (int line = 1; !source.empty(); ++line) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    if (source.substr(0, end).find(text) != source.npos && ++found == 1) first = line;
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return found;
}

MarkTarget readTarget(const json& value, const std::string& pointer, const Session& session,
                      Trouble& trouble) {
  using Thing = MarkTarget::Thing;
  MarkTarget target;
  Part part(value, pointer, "the target's \"", trouble);
  part.only({"element", "lane", "warp", "block", "bank", "line", "parameter", "rung", "area", "in"},
            "a target");
  if (!trouble.empty()) return target;
  const Stage& stage = *session.state.stage;
  target.page = "loom";
  if (part.has("element")) {
    target.thing = Thing::Element;
    const auto element = elementIn(part.text("element", kLongest));
    if (!element) part.complain("element", "such as \"C[12,40]\": matrix, row and column");
    target.element = element.value_or(analysis::Element{});
  } else if (part.has("lane")) {
    target.thing = Thing::Lane;
    target.number = static_cast<std::uint32_t>(part.whole("lane", 0, 31));
    if (part.has("in")) {
      constexpr std::string_view kPages[] = {"loom", "banks"};
      target.page = part.word("in", kPages);
    }
  } else if (part.has("warp")) {
    target.thing = Thing::Warp;
    target.number = static_cast<std::uint32_t>(part.whole("warp", 0, 31));
  } else if (part.has("block")) {
    target.thing = Thing::Block;
    if (!part.flag("block", false)) part.complain("block", "true");
  } else if (part.has("bank")) {
    target.thing = Thing::Bank;
    target.page = "banks";
    target.number = static_cast<std::uint32_t>(part.whole("bank", 0, 31));
  } else if (part.has("line")) {
    target.thing = Thing::Line;
    target.page = "source";
    target.text = part.text("line", kLine);
    if (trouble.empty()) {
      if (const std::string wrong = whyNoLine(stage, target.text); !wrong.empty())
        part.take("line", wrong);
    }
  } else if (part.has("parameter")) {
    target.thing = Thing::Parameter;
    target.page.clear();
    const auto parameter = parameterNamed(part.text("parameter", kLongest));
    if (!parameter || stage.spec(*parameter) == nullptr)
      part.complain("parameter",
                    fmt::format("a tile parameter of this rung: {}", parameterNames(stage)));
    if (parameter) target.text = name(*parameter);
    if (!session.tilePanel) part.say("parameter", "is in the tile panel, which this step hides");
  } else if (part.has("rung")) {
    target.thing = Thing::Rung;
    target.page.clear();
    const auto rung = app::parseStage(part.text("rung", kLongest));
    if (!rung) part.take("rung", rung.error());
    if (rung) target.text = (*rung)->id;
    if (!session.ladderPanel) part.say("rung", "is in the ladder panel, which this step hides");
  } else if (part.has("area")) {
    target.thing = Thing::Area;
    target.page.clear();
    target.text = part.word("area", kAreas);
    const bool hidden = target.text == kLadderArea  ? !session.ladderPanel
                        : target.text == kTileArea  ? !session.tilePanel
                        : target.text == kPagesArea ? session.lower == 0
                                                    : false;
    if (hidden) part.say("area", "is one that this step hides");
  } else {
    trouble.set(pointer, fmt::format("a mark needs a target: {}", kTargets));
  }
  if (trouble.empty() && !target.page.empty() && target.page != "loom" &&
      (target.page != session.tab || session.lower == 0)) {
    trouble.set(pointer,
                fmt::format("this is on the page \"{}\", which the step does not show: give its "
                            "session \"tab\": \"{}\" and a \"lower half\" above 0",
                            target.page, target.page));
  }
  return target;
}

}  // namespace

int lineWith(const Stage& stage, std::string_view text) {
  int line = 0;
  return linesWith(stage, text, line) == 1 ? line : 0;
}

std::string whyNoLine(const Stage& stage, std::string_view text) {
  int first = 0;
  const int found = text.empty() ? 0 : linesWith(stage, text, first);
  if (found == 1) return {};
  return fmt::format("{} of {} has \"{}\" in it: choose a text that only one line has",
                     found == 0 ? "no line" : "more than one line", stage.file, quotable(text));
}

Mark readMark(const json& value, const std::string& pointer, const Session& session,
              Trouble& trouble) {
  constexpr std::pair<std::string_view, MarkForm> kForms[] = {
      {"ring", MarkForm::Ring}, {"arrow", MarkForm::Arrow}, {"label", MarkForm::Label}};
  Mark mark;
  Part part(value, pointer, "the mark's \"", trouble);
  part.only({"ring", "arrow", "label", "text"}, "a mark");
  mark.text = part.text("text", kLongest, "");
  if (!trouble.empty()) return mark;
  if (const std::string wrong = whyNotFilled(mark.text); !wrong.empty()) part.take("text", wrong);
  int forms = 0;
  for (const auto& [name, form] : kForms) {
    const json* target = part.object(name);
    if (target == nullptr) continue;
    ++forms;
    mark.form = form;
    mark.target = readTarget(*target, pointer + "/" + std::string(name), session, trouble);
  }
  if (trouble.empty() && forms != 1)
    trouble.set(pointer, "a mark is one of ring, arrow and label, with its target");
  if (trouble.empty() && mark.form == MarkForm::Label && mark.text.empty())
    part.take("label", "a label needs a \"text\"");
  return mark;
}

}  // namespace tileloom::lecture
