// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture, the step that is shown, and the answers of its user, as values.
#pragma once

#include <QString>
#include <optional>

#include "app/lecture/lecture.h"
#include "app/window/lecture/lecture_answers.h"

namespace tileloom {

class LectureCourse {
 public:
  // Begins a lecture at a step, with the answers of an earlier run.
  void begin(lecture::Lecture lecture, std::size_t step);
  // A newer version of the lecture; the answers stay.
  void change(lecture::Lecture lecture, std::size_t step);
  void end() { m_lecture.reset(); }

  const lecture::Lecture* lecture() const { return m_lecture ? &*m_lecture : nullptr; }
  std::size_t step() const { return m_step; }
  // Without a lecture, asks(), answerable(), choices(), choose() and type() find no question; the
  // other members below need one.
  const lecture::Step& now() const { return m_lecture->steps[m_step]; }
  bool atLast() const { return m_step + 1 == m_lecture->steps.size(); }
  void leaveStep() { m_answers.leave(m_step); }
  void goTo(std::size_t step) { m_step = step; }
  // The step is shown from its beginning.
  void beginStep() { m_answers.show(m_step); }

  const LectureAnswers& answers() const { return m_answers; }
  const LectureAnswer& answer() const { return m_answers.at(m_step); }
  bool asks() const { return m_lecture && now().question; }  // a question of the step
  // Whether its question or task has an answer that is not shown yet.
  bool answerable() const;
  // How many choices its question still offers; 0: none.
  int choices() const;
  // Both return whether the step asks a question.
  bool choose(int choice);
  bool type(const QString& number);
  void hint() { m_answers.hint(m_step); }
  void reveal() { m_answers.reveal(m_step); }
  // The step has a task. Returns whether it is done now, and was not before.
  bool judge(const lecture::TileFacts& facts, const lecture::TileFacts& ofStep, bool left);

  // A presentation asks all questions again; after it, the earlier answers are back where no other
  // was given.
  void askAgain();
  void takeBack() { m_answers.takeBack(m_answersBefore); }
  // The same for the preview of an edited lecture, which has no end of its own.
  void forgetAnswers() { m_answers.ask(*m_lecture); }
  // The step and the finished steps, in the settings.
  void keep() const;

 private:
  std::optional<lecture::Lecture> m_lecture;
  std::size_t m_step = 0;
  LectureAnswers m_answers;
  LectureAnswers m_answersBefore;  // the presentation
};

}  // namespace tileloom
