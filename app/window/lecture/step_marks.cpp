// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/step_marks.h"

#include <vector>

#include "app/window/lecture/mark_places.h"
#include "app/window/window.h"
#include "viz/lecture/marks_layer.h"

namespace tileloom {
namespace {

void fill(std::vector<Mark>& marks, const lecture::TileFacts& facts) {
  for (Mark& mark : marks) mark.text = lecture::filled(mark.text, facts);
}

}  // namespace

void StepMarks::show(const lecture::Step& step, const Facts& facts, bool ofKernel, bool atInstant) {
  std::vector<Mark> marks = step.marks;
  std::erase_if(marks, [&](const Mark& mark) {
    return (!ofKernel && !mark.target.page.empty()) || (!atInstant && mark.target.page == "banks");
  });
  if (marks.size() == m_layer.marks().size() && m_shown) return;
  m_shown = true;
  fill(marks, facts());
  for (const auto& page : m_window.pages()) {
    std::vector<MarkTarget> targets;
    for (const Mark& mark : marks)
      if (mark.target.page == page->row().id) targets.push_back(mark.target);
    page->reveal(targets);
  }
  m_layer.setMarks(std::move(marks));
  reveal();
}

void StepMarks::fillAgain(const lecture::Step& step, const Facts& facts) {
  if (!m_shown || m_layer.marks().size() != step.marks.size()) return;
  std::vector<Mark> marks = step.marks;
  fill(marks, facts());
  if (marks != m_layer.marks()) m_layer.setMarks(std::move(marks));
}

void StepMarks::reveal() const {
  if (!m_shown) return;
  const std::vector<Mark>& marks = m_layer.marks();
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark)
    tileloom::reveal(m_window, mark->target);
}

void StepMarks::clear() {
  m_shown = false;
  m_layer.setMarks({});
}

}  // namespace tileloom
