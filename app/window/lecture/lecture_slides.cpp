// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_slides.h"

#include "app/lecture/figures.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureMode)
};

QString filled(const std::string& words, const lecture::TileFacts& facts) {
  return QString::fromStdString(lecture::filled(words, facts));
}

}  // namespace

LectureSlide slideOf(const lecture::Lecture& lecture, std::size_t number,
                     const lecture::TileFacts& facts, const LectureAnswer& answer) {
  const lecture::Step& step = lecture.steps[number];
  LectureSlide slide;
  slide.lecture = QString::fromStdString(lecture.title);
  slide.number = static_cast<int>(number) + 1;
  slide.count = static_cast<int>(lecture.steps.size());
  slide.headline = filled(step.headline, facts);
  slide.text = filled(step.text, facts);
  slide.chosen = answer.chosen;
  slide.reply = answer.reply;
  slide.done = answer.done;
  slide.hinted = answer.hinted;
  slide.revealed = answer.revealed;
  if (const auto& q = step.question) {
    slide.asks = filled(q->asks, facts);
    slide.answer = filled(q->answer, facts);
    slide.hint = filled(q->hint, facts);
    for (const std::string& choice : q->choices) slide.choices += QString::fromStdString(choice);
    slide.number_asked = q->number.has_value();
    if (q->right) slide.right = static_cast<int>(*q->right);
  } else if (const auto& t = step.task) {
    slide.task = true;
    slide.asks = filled(t->asks, facts);
    slide.answer = filled(t->answer, facts);
    slide.hint = filled(t->hint, facts);
  }
  return slide;
}

SpeakerPage speakerPageOf(const lecture::Lecture& lecture, std::size_t number,
                          const lecture::TileFacts& facts) {
  const lecture::Step& step = lecture.steps[number];
  const LectureSlide slide = slideOf(lecture, number, facts, {});
  SpeakerPage page;
  page.where = Words::tr("%1 · %2 of %3").arg(slide.lecture).arg(slide.number).arg(slide.count);
  page.headline = slide.headline;
  for (const std::string& note : step.notes) page.notes += filled(note, facts);
  page.asks = slide.asks;
  page.answer = slide.answer;
  page.choices = slide.choices;
  if (number + 1 < lecture.steps.size())
    page.next = filled(lecture.steps[number + 1].headline, facts);
  page.minutes = step.minutes;
  for (std::size_t i = 0; i <= number; ++i) page.plannedBefore += lecture.steps[i].minutes;
  page.plannedAll = lecture.minutes();
  return page;
}

}  // namespace tileloom
