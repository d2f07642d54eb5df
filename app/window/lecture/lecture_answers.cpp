// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_answers.h"

#include <cmath>

#include "app/lecture/lecture_check.h"
#include "app/window/common/settings.h"

namespace tileloom {
namespace {

// Steps are identified by their headlines: an edited lecture may have new steps between them.
std::string finishedKey(const lecture::Lecture& lecture) {
  return "lectures/" + lecture.id + "/finished";
}

QString nameOf(const lecture::Step& step) {
  return QString::fromStdString(step.headline);
}

}  // namespace

void LectureAnswers::begin(const lecture::Lecture& lecture) {
  m_answers.clear();
  const QStringList kept = Settings().texts(finishedKey(lecture)).value_or(QStringList());
  for (std::size_t i = 0; i < lecture.steps.size(); ++i) {
    if (kept.contains(nameOf(lecture.steps[i]))) m_answers[i].earlier = true;
  }
}

const LectureAnswer& LectureAnswers::at(std::size_t step) const {
  static const LectureAnswer kNothing;
  const auto found = m_answers.find(step);
  return found == m_answers.end() ? kNothing : found->second;
}

bool LectureAnswers::finished(const lecture::Lecture& lecture, std::size_t step) const {
  const lecture::Step& of = lecture.steps[step];
  const LectureAnswer& answer = at(step);
  const bool checked = of.task || (of.question && of.question->checked());
  return answer.earlier || (checked ? answer.done : answer.read);
}

void LectureAnswers::show(std::size_t step) {
  LectureAnswer& answer = m_answers[step];
  answer.reply = answer.done ? tr("Done before.") : QString();
}

void LectureAnswers::leave(std::size_t step) {
  m_answers[step].read = true;
}

void LectureAnswers::choose(std::size_t step, const lecture::Question& question, int choice) {
  LectureAnswer& answer = m_answers[step];
  if (!question.right || answer.done || answer.revealed) return;
  answer.chosen = choice;
  answer.done = static_cast<std::size_t>(choice) == *question.right;
  answer.reply = replyTo(answer, question);
}

// A hint is offered if there is one that was not shown yet.
QString LectureAnswers::replyTo(const LectureAnswer& answer, const lecture::Question& question) {
  if (answer.done) return tr("Right.");
  return question.hint.empty() || answer.hinted ? tr("No. Try again.")
                                                : tr("No. Try again, or ask for a hint.");
}

void LectureAnswers::type(std::size_t step, const lecture::Question& question,
                          const QString& number) {
  LectureAnswer& answer = m_answers[step];
  if (!question.number || answer.done) return;
  QString digits = number.trimmed();
  digits.remove(u',').remove(u' ').remove(u'%');
  bool read = false;
  const double value = digits.toDouble(&read), right = *question.number;
  if (!read) {
    answer.reply = tr("\"%1\" is not a number: type digits, such as 1024.").arg(number.left(24));
    return;
  }
  // A count must be exact; other numbers may be rounded by half a percent.
  const bool count = right == std::floor(right) && std::abs(right) < 100'000;
  const bool good = count ? value == right : std::abs(value - right) <= 0.005 * std::abs(right);
  // After the answer was shown, a number is only judged.
  answer.done = good && !answer.revealed;
  answer.reply = answer.revealed ? (good ? tr("Right.") : tr("No. The answer is below."))
                                 : replyTo(answer, question);
}

void LectureAnswers::judge(std::size_t step, const lecture::Task& task,
                           const lecture::TileFacts& facts, const lecture::TileFacts& before,
                           bool left) {
  LectureAnswer& answer = m_answers[step];
  const lecture::Condition* unmet = lecture::firstUnmet(task, facts, before);
  if (unmet == nullptr) {
    answer.done = true;
    answer.reply = tr("Done.");
  } else if (answer.done) {
    answer.reply = tr("Done before.");
  } else {
    answer.reply = left
                       ? tr("Not yet: %1.").arg(QString::fromStdString(unmet->state(facts, before)))
                       : QString();
  }
}

void LectureAnswers::ask(const lecture::Lecture& lecture) {
  for (auto& [step, answer] : m_answers) {
    const bool read = answer.read, earlier = finished(lecture, step);
    answer = {};
    answer.read = read;
    answer.earlier = earlier;
  }
}

void LectureAnswers::takeBack(const LectureAnswers& before) {
  for (const auto& [step, earlier] : before.m_answers) {
    LectureAnswer& now = m_answers[step];
    const bool untouched = !now.done && !now.revealed && !now.hinted && now.chosen < 0;
    if (untouched) now = earlier;
  }
}

void LectureAnswers::keep(const lecture::Lecture& lecture) const {
  QStringList names;
  for (std::size_t i = 0; i < lecture.steps.size(); ++i)
    if (finished(lecture, i)) names += nameOf(lecture.steps[i]);
  Settings().set(finishedKey(lecture), names);
}

}  // namespace tileloom
