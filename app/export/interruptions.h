// SPDX-License-Identifier: GPL-3.0-or-later
// Delivers SIGINT, SIGTERM and SIGHUP (Ctrl-C, kill, a closed terminal) as events, so that partial
// files can be removed.
#pragma once

#include <array>
#include <csignal>

namespace tileloom {

inline constexpr int kInterrupted = 130;  // as shells report a program ended by Ctrl-C

// One at a time. Programs started in its lifetime are not affected; an ignored signal, as with
// `nohup`, stays ignored.
class Interruptions {
 public:
  Interruptions();
  ~Interruptions();
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

  // Readable once a signal has come.
  int file() const;
  bool happened() const;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace tileloom
