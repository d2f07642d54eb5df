// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a presentation and of each of its steps. It starts with the presentation, and runs on
// while the lecturer uses the window.
#pragma once

#include <QElapsedTimer>
#include <vector>

namespace tileloom {

class LectureClock {
 public:
  // Starts at this step, unless it is running.
  void begin(std::size_t step);
  bool runs() const { return m_whole.isValid(); }
  // Another step is shown.
  void turnTo(std::size_t step);
  // Of the whole presentation and of one step of it.
  qint64 elapsedMs() const { return runs() ? m_whole.elapsed() : 0; }
  qint64 elapsedMs(std::size_t step) const;

 private:
  std::size_t m_step = 0;
  std::vector<qint64> m_spent;  // of former steps
  QElapsedTimer m_whole, m_here;
};

}  // namespace tileloom
