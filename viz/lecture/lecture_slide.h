// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a lecture, as the panel beside the views shows it.
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
  int chosen = -1;            // of the choices, by the user
  int right = -1;             // of the choices, once it is revealed
  QString reply;              // how the last answer was judged, or how far the task is
  bool done = false;          // answered correctly, or met
  QString hint;               // empty: there is none
  bool hinted = false;
  QString answer;
  bool revealed = false;

  QString trouble;        // what is wrong with the lecture's file since the last save
  bool editable = false;  // it is the user's own
  bool left = false;      // the user has changed the window: it no longer shows the step

  QString onward;  // the title of a lecture that continues this one; empty: none, or not yet

  QString keys;  // what the keys do now, in one line; for a presenter

  bool operator==(const LectureSlide&) const = default;
};

}  // namespace tileloom
