// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C, a closed terminal and a polite kill as events, so that what was begun can be removed.
#pragma once

#include <array>
#include <csignal>

namespace tileloom {

inline constexpr int kInterrupted = 130;  // as shells say of what Ctrl-C has ended

// One at a time. Programs that are started meanwhile are not affected; a signal that is ignored, as
// `nohup` does, stays so.
class Interruptions {
 public:
  Interruptions();
  ~Interruptions();
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

  // Can be read once a signal has come.
  int file() const;
  bool happened() const;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace tileloom
