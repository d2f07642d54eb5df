// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a lecture, which a clicker or the keyboard presses in the window or in the speaker's.
#pragma once

#include <QObject>

namespace tileloom {

class LectureMode;
class Window;

class LectureKeys : public QObject {
  Q_OBJECT
 public:
  // What the keys do now, in one line for the speaker.
  static QString line(const LectureMode& mode);

  LectureKeys(LectureMode& mode, const Window& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool takeDigit(int digit, bool press);

  LectureMode& m_mode;
  const Window& m_window;
};

}  // namespace tileloom
