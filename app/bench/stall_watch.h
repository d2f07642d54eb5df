// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long the thread of the window does not respond. Another thread sends it a question
// every two milliseconds, and the time until the answer is how long a user would wait for any
// reaction. On a machine that is busy with other programs a part of it is waiting for a processor,
// which Linux counts and which is reported separately.
#pragma once

#include <QObject>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace tileloom::app {

class StallWatch : public QObject {
  Q_OBJECT
 public:
  struct Stall {
    double ms = 0;      // the thread computed, or waited for a file or a lock
    double others = 0;  // milliseconds before that in which other programs had its processor
    std::string doing;  // when it ended
  };

  // `doing` returns what this thread does now.
  explicit StallWatch(std::function<std::string()> doing);
  ~StallWatch() override;

  // In the order of time, without those below `kShort`.
  static constexpr double kShort = 5;  // milliseconds
  const std::vector<Stall>& stalls() const { return m_stalls; }
  std::size_t asked() const { return m_asked; }
  // "longest 61 ms (page timeline), 3 of 1,204 answers above 50 ms; other programs had its
  // processor for 80 ms at the most"
  std::string text() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Moment {
    Clock::time_point time;
    double others = 0;  // milliseconds, since the thread began
  };
  Moment now() const;
  void answer(const Moment& asked);

  const std::string m_schedule;  // the file in which Linux counts for the thread of the window
  std::function<std::string()> m_doing;
  std::vector<Stall> m_stalls;
  std::size_t m_asked = 0;
  std::atomic<bool> m_open = false;  // a question that is not answered yet
  std::jthread m_asking;
};

}  // namespace tileloom::app
