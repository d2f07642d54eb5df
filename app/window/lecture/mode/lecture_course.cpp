// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/lecture_course.h"

#include <utility>

#include "app/window/lecture/mode/kept_step.h"

namespace tileloom {

void LectureCourse::begin(lecture::Lecture lecture, std::size_t step) {
  change(std::move(lecture), step);
  m_answers.begin(*m_lecture);
}

void LectureCourse::change(lecture::Lecture lecture, std::size_t step) {
  m_lecture = std::move(lecture);
  m_step = step;
}

bool LectureCourse::answerable() const {
  return m_lecture && (now().question || now().task) && !answer().revealed && !answer().done;
}

int LectureCourse::choices() const {
  return answerable() && now().question && now().question->right
             ? static_cast<int>(now().question->choices.size())
             : 0;
}

bool LectureCourse::choose(int choice) {
  if (!asks()) return false;
  m_answers.choose(m_step, *now().question, choice);
  return true;
}

bool LectureCourse::type(const QString& number) {
  if (!asks()) return false;
  m_answers.type(m_step, *now().question, number);
  return true;
}

bool LectureCourse::judge(const lecture::TileFacts& facts, const lecture::TileFacts& ofStep,
                          bool left) {
  const bool done = answer().done;
  m_answers.judge(m_step, *now().task, facts, ofStep, left);
  return answer().done != done;
}

void LectureCourse::askAgain() {
  m_answersBefore = m_answers;
  m_answers.ask(*m_lecture);
}

void LectureCourse::keep() const {
  keepStep(*m_lecture, m_step);
  m_answers.keep(*m_lecture);
}

}  // namespace tileloom
