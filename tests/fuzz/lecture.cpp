// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture that can be read has steps that can be shown: their texts are filled with figures,
// their marks are in the rung's source, and conditions of tasks can be evaluated for the step's
// tile. For one that cannot be read there is a sentence with the line.
#include <algorithm>

#include "app/lecture/figures.h"
#include "app/lecture/lecture_reader.h"
#include "app/lecture/mark_reader.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using namespace tileloom::lecture;

void requireText(const std::string& text, const TileFacts& facts) {
  requirePlain(text);
  require(whyNotFilled(text).empty(), "a text that is read names figures that exist");
  requirePlain(filled(text, facts));
}

void requireTask(const Task& task, const TileFacts& facts) {
  require(!task.until.empty(), "a task has a condition");
  require(task.solution.state.stage != nullptr, "a solution has a rung");
  for (const Condition& condition : task.until) {
    condition.holds(facts, facts);
    requirePlain(condition.state(facts, facts));
    const auto again = Condition::parse(condition.text());
    require(again && again->text() == condition.text(), "a condition reads back as the same");
  }
  for (const std::string* text : {&task.asks, &task.answer, &task.hint}) requireText(*text, facts);
}

void requireQuestion(const Question& question, const TileFacts& facts) {
  require(!question.right || *question.right < question.choices.size(), "the right one is there");
  require(question.choices.empty() || question.right, "one choice is right");
  for (const std::string* text : {&question.asks, &question.answer, &question.hint})
    requireText(*text, facts);
  for (const std::string& choice : question.choices) requirePlain(choice);
}

void requireStep(const Step& step) {
  const ViewState& state = step.session.state;
  require(state.stage != nullptr, "a step has a rung");
  require(step.line > 0, "a step has a line");
  require(step.minutes > 0, "a step takes time");
  const TileFacts facts = factsOf({state.stage, state.tile, state.format()}, state.problem);
  require(!step.headline.empty() && !step.text.empty(), "a step says something");
  requireText(step.headline, facts);
  requireText(step.text, facts);
  for (const std::string& note : step.notes) requireText(note, facts);
  for (const Mark& mark : step.marks) {
    requireText(mark.text, facts);
    if (mark.target.thing == MarkTarget::Thing::Line)
      require(lineWith(*state.stage, mark.target.text) > 0, "a marked line is in the source");
  }
  if (step.at) require(lineWith(*state.stage, step.at->line) > 0, "the instant's line is there");
  require(!step.question || !step.task, "a step asks for one thing");
  if (step.question) requireQuestion(*step.question, facts);
  if (step.task) requireTask(*step.task, facts);
}

}  // namespace

void attack(std::string_view bytes) {
  const auto lecture = parseLecture(bytes, "fuzz");
  if (!lecture) {
    const Complaint& wrong = lecture.error();
    const auto lines = std::count(bytes.begin(), bytes.end(), '\n') + 1;
    require(wrong.line >= 1 && wrong.line <= lines, "the line is one of the file");
    return requireSentence(sentenceOf(wrong, "fuzz.json"));
  }
  require(!lecture->steps.empty(), "a lecture has a step");
  requirePlain(lecture->title);
  requirePlain(lecture->about);
  for (const Step& step : lecture->steps) requireStep(step);
}

}  // namespace tileloom::fuzz
