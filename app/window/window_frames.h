// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window as frames of an animation: it is really played, and then put back to where it
// was.
#pragma once

#include <QDate>
#include <QImage>
#include <QPointer>
#include <optional>
#include <vector>

#include "app/window/main_window.h"

namespace tileloom {

class WindowFrames {
 public:
  // `caption`: its date, if there is to be one.
  WindowFrames(MainWindow& window, const std::vector<std::uint32_t>& indices, double scale,
               std::optional<QDate> caption);
  ~WindowFrames();
  WindowFrames(const WindowFrames&) = delete;
  WindowFrames& operator=(const WindowFrames&) = delete;

  // Pixels that the tallest caption takes below the window as wide as it is.
  double captionRoom() const { return m_room; }
  QImage at(std::uint32_t index);

 private:
  QPointer<MainWindow> m_window;
  int m_before = 0;  // the instruction that was shown
  double m_scale = 1;
  std::optional<QDate> m_caption;
  double m_room = 0;
};

}  // namespace tileloom
