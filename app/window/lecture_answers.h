// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has done in a lecture so far: which steps were read, which questions answered,
// which tasks met. It is kept from run to run.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <map>

#include "app/lecture/lecture.h"
#include "app/lecture/quantities.h"

namespace tileloom {

// What was done at one step; steps that were left keep it.
struct LectureAnswer {
  int chosen = -1;  // of the choices
  QString reply;    // how the last try was judged
  bool read = false, done = false, hinted = false, revealed = false;
  bool earlier = false;  // finished in an earlier run; the question may be answered again
};

class LectureAnswers {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureAnswers)
 public:
  // Begins with what the person did at these steps in an earlier run.
  void begin(const lecture::Lecture& lecture);
  const LectureAnswer& at(std::size_t step) const;
  // A step with a question or a task is finished when that is answered or met, another one when it
  // was read.
  bool finished(const lecture::Lecture& lecture, std::size_t step) const;
  // The step is shown from its beginning: what was said about an unfinished try is over.
  void show(std::size_t step);
  void leave(std::size_t step);

  void choose(std::size_t step, const lecture::Question& question, int choice);
  void type(std::size_t step, const lecture::Question& question, const QString& number);
  // `facts` of what the window shows, `before` of the step; `left`: they differ.
  void judge(std::size_t step, const lecture::Task& task, const lecture::TileFacts& facts,
             const lecture::TileFacts& before, bool left);
  void hint(std::size_t step) { m_answers[step].hinted = true; }
  void reveal(std::size_t step) { m_answers[step].revealed = true; }

  // Nothing counts as answered or shown any more, but what was finished stays finished: who
  // presents a lecture that they worked through before asks its questions anew.
  void ask(const lecture::Lecture& lecture);

  void keep(const lecture::Lecture& lecture) const;

 private:
  static QString replyTo(const LectureAnswer& answer, const lecture::Question& question);

  std::map<std::size_t, LectureAnswer> m_answers;
};

}  // namespace tileloom
