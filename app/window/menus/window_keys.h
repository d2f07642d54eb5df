// SPDX-License-Identifier: GPL-3.0-or-later
// What a key or a click means for the window as a whole, before the widget that has the focus gets
// it: plain keys control playback, and a typed number is entered before the next action.
#pragma once

#include <QObject>

namespace tileloom {

class UndoHistory;
class Window;

class WindowKeys : public QObject {
  Q_OBJECT
 public:
  // A child of the window.
  WindowKeys(Window& window, UndoHistory& undo);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void enterNumber(const QObject& next);

  Window& m_window;
  UndoHistory& m_undo;
};

}  // namespace tileloom
