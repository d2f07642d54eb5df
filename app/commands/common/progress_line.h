// SPDX-License-Identifier: GPL-3.0-or-later
// A progress line on standard error: overwritten on a terminal, elsewhere a new line now and then.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace tileloom::app {

class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();  // erases it on a terminal

  // Whether it is time to show the next text; `changed`: something has begun that a reader of a
  // log wants to see at once.
  bool due(bool changed = false) const;
  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_, shown_ = false;
  Clock::time_point last_;
};

// "tracing tiles: 12,345 of 84,699, 282 per second, about 5 min left"
std::string pacedText(std::string_view what, std::size_t done, std::size_t all, double seconds);

}  // namespace tileloom::app
