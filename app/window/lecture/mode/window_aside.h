// SPDX-License-Identifier: GPL-3.0-or-later
// The window as it was before a lecture, set aside while the lecture is open.
#pragma once

#include <optional>

#include "app/session/session.h"

namespace tileloom {

class Window;

class WindowAside {
 public:
  explicit WindowAside(Window& window) : m_window(window) {}

  // Before the first step is shown: its choices must not become moves of the user. Does nothing if
  // the window is set aside already.
  void set();
  // With the present theme and text size.
  void restore();

 private:
  Window& m_window;
  std::optional<Session> m_before;
};

}  // namespace tileloom
