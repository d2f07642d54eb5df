// SPDX-License-Identifier: GPL-3.0-or-later
// The window during a presentation: without bars, and with text that can be read from the last row.
#pragma once

namespace tileloom {

class Window;

class PresentingWindow {
 public:
  explicit PresentingWindow(Window& window) : m_window(window) {}

  // On the whole screen if `screen`, or else as large as the window is.
  void enter(bool screen);
  void leave();
  // Keys apply to the lecture and the views, not to a field that had the focus.
  void focusLoom();

 private:
  Window& m_window;
  int m_textBefore = 100;  // percent
};

}  // namespace tileloom
