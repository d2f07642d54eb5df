// SPDX-License-Identifier: GPL-3.0-or-later
// A black picture over the whole window, while the audience looks at the lecturer.
#pragma once

#include <QPointer>
#include <QWidget>

namespace tileloom {

class BlankScreen {
 public:
  explicit BlankScreen(QWidget& window) : m_window(window) {}

  void set(bool blank);
  bool shown() const { return !m_black.isNull(); }

 private:
  QWidget& m_window;
  QPointer<QWidget> m_black;
};

}  // namespace tileloom
