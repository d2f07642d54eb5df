// SPDX-License-Identifier: GPL-3.0-or-later
// What the audience, or somebody who learns alone, reads beside the views: one step of a lecture.
#pragma once

#include <QString>
#include <QStringList>

namespace tileloom {

struct LectureSlide {
  QString lecture;  // its title
  int number = 0;   // of the step, from 1
  int count = 0;
  QString headline, text;

  // A question or a task; empty: the step has none.
  QString asks;
  bool task = false;
  QStringList choices;
  bool number_asked = false;  // a number is to be typed
  int chosen = -1;            // of the choices, by the person
  int right = -1;             // of the choices, once it is revealed
  QString reply;              // how the last answer was judged, or how far the task is
  bool done = false;          // answered rightly, or met
  QString hint;               // empty: there is none
  bool hinted = false;
  QString answer;
  bool revealed = false;

  QString trouble;        // what is wrong with the lecture's file, since it was saved last
  bool editable = false;  // it is the person's own
  bool left = false;      // the person plays on their own: the step is not what the window shows

  QString keys;  // what the keys do now, in one line; for who presents

  bool operator==(const LectureSlide&) const = default;
};

}  // namespace tileloom
