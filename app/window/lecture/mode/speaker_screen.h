// SPDX-License-Identifier: GPL-3.0-or-later
// Opens and closes the speaker's window of a lecture.
#pragma once

#include <QObject>
#include <QPointer>

#include "app/window/lecture/speaker_window.h"

namespace tileloom {

class LectureClock;

class SpeakerScreen : public QObject {
  Q_OBJECT
 public:
  // The clock outlives this. The speaker's window belongs to `window`.
  SpeakerScreen(const LectureClock& clock, QWidget& window) : m_clock(clock), m_window(window) {}
  ~SpeakerScreen() override;

  // On a second screen, if there is one.
  void open();
  void close();
  SpeakerWindow* shown() const { return m_speaker; }  // nullptr: it is closed

 signals:
  void nextAsked();
  void previousAsked();

 private:
  const LectureClock& m_clock;
  QWidget& m_window;
  QPointer<SpeakerWindow> m_speaker;
};

}  // namespace tileloom
