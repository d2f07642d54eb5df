// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the window to a step of a lecture. The pages that were shown before fade out, and the camera
// of the loom moves.
#pragma once

#include <QPixmap>
#include <QPointer>
#include <QRect>

#include "app/lecture/lecture.h"

namespace tileloom {

class StepFade;
class Window;

// Whether the window need not be set again from one of these to the other: they show the same scene
// from the same instant.
bool sameBeginning(const lecture::Step& a, const lecture::Step& b);

class StepPassage {
 public:
  // Duration of the transition, in milliseconds.
  static constexpr int kMs = 600;

  // `words` is the panel of the lecture; the window owns it.
  StepPassage(Window& window, const QWidget& words) : m_window(window), m_words(words) {}

  // What the window shows before the next step.
  struct Before {
    ViewState state;
    QRect loom;       // its place in the window
    QPixmap picture;  // null: nothing fades
  };
  Before before() const;
  void show(const lecture::Step& step, const Before& before);

  // For a film: a step begins with the last state of the previous one, and passTo() sets the state
  // `ms` later, at most kMs. Nothing follows the clock.
  void setFilmed(bool filmed) { m_filmed = filmed; }
  void passTo(int ms);

 private:
  QRect roomOfLoom() const;
  void fade(const QPixmap& before, const QRect& loomBefore);

  Window& m_window;
  const QWidget& m_words;
  QPointer<StepFade> m_fade;
  bool m_filmed = false;
};

}  // namespace tileloom
