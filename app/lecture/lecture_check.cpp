// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lecture/figures.h"
#include "app/lecture/mark_reader.h"
#include "app/services/choice/explorer.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/base/plain_text.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "viz/base/scene.h"

namespace tileloom::lecture {
namespace {

class Checker {
 public:
  explicit Checker(const Step& step) : step_(step) {}

  std::vector<Complaint> all() {
    const auto recording = recordingOf(step_.session);
    const TileFacts facts = factsOf(step_.session, recording.get());
    texts(facts);
    if (recording == nullptr) {
      untraced(facts);
      return std::move(complaints_);
    }
    const std::uint32_t warp = std::min(step_.session.state.warp, recording->trace.warps - 1);
    if (step_.at && !instructionAt(*goalOf(step_), *recording, warp)) {
      say("/at", fmt::format("warp {} executes no instruction of the line with \"{}\" in K tile {}",
                             step_.session.state.warp, step_.at->line, step_.at->kTile + 1));
    }
    for (std::size_t i = 0; i < step_.marks.size(); ++i) check(i, *recording);
    if (step_.task) check(*step_.task, facts);
    return std::move(complaints_);
  }

 private:
  void say(std::string pointer, std::string sentence) {
    complaints_.push_back({step_.line, std::move(sentence), std::move(pointer)});
  }

  void untraced(const TileFacts& facts) {
    if (step_.at) say("/at", "this tile cannot be traced, so it has no instruction to begin at");
    if (step_.task) check(*step_.task, facts);
    // An illegal tile keeps the last legal recording, that of the previous step.
    if (facts.legal) {
      say("/session",
          "this tile is legal and cannot be traced: choose a smaller size or another block");
    }
  }

  void texts(const TileFacts& facts) {
    std::vector<std::pair<std::string, std::string_view>> all = {{"/headline", step_.headline},
                                                                 {"/text", step_.text}};
    for (const std::string& note : step_.notes) all.emplace_back("/notes", note);
    const auto ask = [&all](const std::string& where, const auto& asked) {
      all.insert(all.end(), {{where + "/asks", asked.asks},
                             {where + "/answer", asked.answer},
                             {where + "/hint", asked.hint}});
    };
    if (step_.question) ask("/question", *step_.question);
    if (step_.task) ask("/task", *step_.task);
    for (std::size_t i = 0; i < step_.marks.size(); ++i)
      all.emplace_back(fmt::format("/marks/{}", i), step_.marks[i].text);
    for (const auto& [pointer, text] : all) {
      if (filled(text, facts).find(kNotKnown) != std::string::npos) {
        say(pointer,
            fmt::format("a figure is not known for this step: \"{}\"", quotable(text, 120)));
      }
    }
  }

  void check(std::size_t mark, const analysis::Recording& recording) {
    using Thing = MarkTarget::Thing;
    const emulator::Trace& trace = recording.trace;
    const MarkTarget& t = step_.marks[mark].target;
    const std::string pointer = fmt::format("/marks/{}", mark);
    if (t.thing == Thing::Warp && t.number >= trace.warps) {
      say(pointer,
          fmt::format("a mark points at warp {}, and the block has {}", t.number, trace.warps));
    }
    if (t.thing == Thing::Element) {
      const Problem& p = trace.problem;
      const bool a = t.element.matrix == analysis::Matrix::A;
      const bool b = t.element.matrix == analysis::Matrix::B;
      const std::int64_t rows = b ? p.k : p.m, columns = a ? p.k : p.n;
      if (t.element.row >= rows || t.element.column >= columns)
        say(pointer,
            fmt::format("a mark points at an element outside its matrix, which has {} x {}", rows,
                        columns));
    }
  }

  void check(const Task& task, const TileFacts& before) {
    if (firstUnmet(task, before, before) == nullptr)
      say("/task/until", "the task is met from the beginning");
    const auto recording = recordingOf(task.solution);
    const TileFacts solved = factsOf(task.solution, recording.get());
    for (const Condition& condition : task.until) {
      if (!condition.holds(solved, before))
        say("/task/solution", fmt::format("the solution does not meet \"{}\": {}", condition.text(),
                                          condition.state(solved, before)));
    }
  }

  const Step& step_;
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
  return factsOf({state.stage, state.tile, state.format()}, state.problem, registers,
                 recording != nullptr ? &recording->totals() : nullptr);
}

TileShape recordedTile(const ViewState& state) {
  return isLegal(*state.stage, state.tile) ? state.tile : state.stage->standardTile();
}

std::optional<Goal> goalOf(const Step& step) {
  if (step.at)
    return LineInTile{lineWith(*step.session.state.stage, step.at->line), step.at->kTile};
  if (step.instruction) return std::nullopt;
  return TellingAccess{};
}

const Condition* firstUnmet(const Task& task, const TileFacts& now, const TileFacts& before) {
  for (const Condition& condition : task.until)
    if (!condition.holds(now, before)) return &condition;
  return nullptr;
}

std::vector<Complaint> check(const Step& step) {
  return Checker(step).all();
}

std::vector<Complaint> check(const Lecture& lecture) {
  std::vector<Complaint> all;
  for (std::size_t i = 0; i < lecture.steps.size(); ++i) {
    for (Complaint& complaint : check(lecture.steps[i])) {
      complaint.pointer = fmt::format("/steps/{}{}", i, complaint.pointer);
      all.push_back(std::move(complaint));
    }
  }
  return all;
}

}  // namespace tileloom::lecture
