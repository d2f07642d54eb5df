// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lecture/figures.h"
#include "app/lecture/mark_reader.h"
#include "app/services/explorer.h"
#include "kernels/analysis/totals.h"
#include "kernels/base/plain_text.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "viz/base/scene.h"

namespace tileloom::lecture {
namespace {

class Checker {
 public:
  explicit Checker(const Lecture& lecture) : lecture_(lecture) {}

  std::vector<Complaint> all() {
    for (const Step& step : lecture_.steps) {
      step_ = &step;
      const auto recording = recordingOf(step.session);
      const TileFacts facts = factsOf(step.session, recording.get());
      texts(step, facts);
      if (recording == nullptr) {
        untraced(step, facts);
        continue;
      }
      if (step.at && !instructionOf(step, *recording)) {
        say(fmt::format("warp {} executes no instruction of the line with \"{}\" in K tile {}",
                        step.session.state.warp, step.at->line, step.at->kTile + 1));
      }
      for (const Mark& mark : step.marks) check(mark, *recording);
      if (step.task) check(*step.task, facts);
    }
    return std::move(complaints_);
  }

 private:
  void say(std::string sentence) {
    Complaint& complaint = complaints_.emplace_back();
    complaint.line = step_->line;
    complaint.sentence = std::move(sentence);
  }

  void untraced(const Step& step, const TileFacts& facts) {
    if (step.at) say("this tile cannot be traced, and so has no instruction to begin at");
    if (step.task) check(*step.task, facts);
    // An illegal tile keeps the last legal recording, which is the one of the step before.
    if (facts.legal)
      say("this tile is legal and cannot be traced: choose a smaller size or another block");
  }

  void texts(const Step& step, const TileFacts& facts) {
    std::vector<std::string_view> all = {step.headline, step.text};
    all.insert(all.end(), step.notes.begin(), step.notes.end());
    if (step.question)
      all.insert(all.end(), {step.question->asks, step.question->answer, step.question->hint});
    if (step.task) all.insert(all.end(), {step.task->asks, step.task->answer, step.task->hint});
    for (const Mark& mark : step.marks) all.push_back(mark.text);
    for (const std::string_view text : all) {
      if (filled(text, facts).find(kNotKnown) != std::string::npos)
        say(fmt::format("a figure is not known for this step: \"{}\"", quotable(text, 120)));
    }
  }

  void check(const Mark& mark, const analysis::Recording& recording) {
    using Thing = MarkTarget::Thing;
    const emulator::Trace& trace = recording.trace;
    const MarkTarget& t = mark.target;
    if (t.thing == Thing::Warp && t.number >= trace.warps)
      say(fmt::format("a mark points at warp {}, and the block has {}", t.number, trace.warps));
    if (t.thing == Thing::Element) {
      const Problem& p = trace.problem;
      const bool a = t.element.matrix == analysis::Matrix::A;
      const bool b = t.element.matrix == analysis::Matrix::B;
      const std::int64_t rows = b ? p.k : p.m, columns = a ? p.k : p.n;
      if (t.element.row >= rows || t.element.column >= columns)
        say(fmt::format("a mark points at an element outside of its matrix, which has {} x {}",
                        rows, columns));
    }
  }

  void check(const Task& task, const TileFacts& before) {
    if (firstUnmet(task, before, before) == nullptr)
      say("the task is met before anybody has done anything");
    const auto recording = recordingOf(task.solution);
    const TileFacts solved = factsOf(task.solution, recording.get());
    for (const Condition& condition : task.until) {
      if (!condition.holds(solved, before))
        say(fmt::format("the solution does not meet \"{}\": {}", condition.text(),
                        condition.state(solved, before)));
    }
  }

  const Lecture& lecture_;
  const Step* step_ = nullptr;
  std::vector<Complaint> complaints_;
};

}  // namespace

std::shared_ptr<const analysis::Recording> recordingOf(const Session& session) {
  const ViewState& state = session.state;
  const auto request = Explorer::requestFor(*state.stage, state.tile, state);
  if (!request) return nullptr;
  emulator::Workspace workspace;
  return analysis::record(workspace, *request);
}

TileFacts factsOf(const Session& session, const analysis::Recording* recording,
                  std::optional<int> registers) {
  const ViewState& state = session.state;
  return factsOf(*state.stage, state.tile, state.problem, state.arithmetic(), registers,
                 recording != nullptr ? &recording->totals() : nullptr);
}

std::optional<std::uint32_t> instructionOf(const Step& step, const analysis::Recording& recording) {
  const std::uint32_t warp = std::min(step.session.state.warp, recording.trace.warps - 1);
  if (!step.at) return step.instruction ? step.session.state.index : openingIndex(recording);
  const int line = lineWith(*step.session.state.stage, step.at->line);
  for (std::uint32_t i = 0; i < recording.trace.length(warp); ++i) {
    const auto place = recording.trace.position(warp, i);
    const emulator::Instruction& instruction =
        recording.trace.at(warp, place.interval).instructions[place.instruction];
    const bool before = instruction.kTile == emulator::kNoTile ? step.at->kTile > 0
                                                               : instruction.kTile < step.at->kTile;
    if (instruction.line == line && !before) return i;
  }
  return std::nullopt;
}

const Condition* firstUnmet(const Task& task, const TileFacts& now, const TileFacts& before) {
  for (const Condition& condition : task.until)
    if (!condition.holds(now, before)) return &condition;
  return nullptr;
}

std::vector<Complaint> check(const Lecture& lecture) {
  return Checker(lecture).all();
}

}  // namespace tileloom::lecture
