// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a user in a lecture: steps read, questions answered, tasks met. It is kept in the
// settings.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <map>

#include "app/lecture/lecture.h"
#include "app/lecture/quantities.h"

namespace tileloom {

// Progress at one step; it is kept when the step changes.
struct LectureAnswer {
  int chosen = -1;  // of the choices
  QString reply;    // the reply to the last try
  bool read = false, done = false, hinted = false, revealed = false;
  bool earlier = false;  // finished in an earlier run; the question may be answered again
};

class LectureAnswers {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureAnswers)
 public:
  // Begins with the progress of an earlier run.
  void begin(const lecture::Lecture& lecture);
  const LectureAnswer& at(std::size_t step) const;
  // A step with a question or a task is finished when that is answered or met, another one when it
  // was read.
  bool finished(const lecture::Lecture& lecture, std::size_t step) const;
  // The step is shown from its beginning: removes the reply to an unfinished try.
  void show(std::size_t step);
  void leave(std::size_t step);

  void choose(std::size_t step, const lecture::Question& question, int choice);
  void type(std::size_t step, const lecture::Question& question, const QString& number);
  // `facts` of what the window shows, `before` of the step; `left`: they differ.
  void judge(std::size_t step, const lecture::Task& task, const lecture::TileFacts& facts,
             const lecture::TileFacts& before, bool left);
  void hint(std::size_t step) { m_answers[step].hinted = true; }
  void reveal(std::size_t step) { m_answers[step].revealed = true; }

  // Removes answers and hints, but finished steps stay finished: a presentation asks all questions
  // again.
  void ask(const lecture::Lecture& lecture);
  // After that: answers that were given before, to what was not answered again.
  void takeBack(const LectureAnswers& before);

  void keep(const lecture::Lecture& lecture) const;

 private:
  static QString replyTo(const LectureAnswer& answer, const lecture::Question& question);

  std::map<std::size_t, LectureAnswer> m_answers;
};

}  // namespace tileloom
