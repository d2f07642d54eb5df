// SPDX-License-Identifier: GPL-3.0-or-later
// The Qt application with Tileloom's font and theme. One per process.
#pragma once

#include <QApplication>
#include <memory>
#include <optional>

#include "viz/base/theme.h"

namespace tileloom {

enum class Platform {
  Screen,     // the session's platform
  Offscreen,  // no display needed
};

struct ApplicationSetup {
  Platform platform = Platform::Screen;
  std::optional<Look> look;  // std::nullopt: as the desktop's palette is
};

// Keeps its own argument list, which QApplication refers to.
class Application {
 public:
  explicit Application(const ApplicationSetup& setup);
  QApplication& qt() { return *m_application; }

 private:
  int m_count = 1;
  char m_name[9] = "tileloom";
  char* m_arguments[2] = {m_name, nullptr};
  std::unique_ptr<QApplication> m_application;
};

// Whether there is a display for a window.
bool displayAvailable();

}  // namespace tileloom
