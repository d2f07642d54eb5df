// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "app/commands/common/output.h"
#include "kernels/tile/words.h"

namespace tileloom::app {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (terminal_ && shown_) std::fputs("\r\033[K", stderr);
}

bool ProgressLine::due(bool changed) const {
  constexpr std::chrono::milliseconds kOnTerminal{200}, kInLog{10000};
  if (!shown_ || Clock::now() - last_ > (terminal_ ? kOnTerminal : kInLog)) return true;
  return changed && !terminal_;
}

void ProgressLine::show(const std::string& text) {
  last_ = Clock::now();
  shown_ = true;
  writeStandardError(terminal_ ? fmt::format("\r\033[K{}", text)
                               : fmt::format("tileloom: {}\n", text));
}

std::string pacedText(std::string_view what, std::size_t done, std::size_t all, double seconds) {
  std::string text = fmt::format("{}: {} of {}", what, grouped(done), grouped(all));
  if (done == 0 || seconds <= 0) return text;
  const double rate = double(done) / seconds, left = double(all - done) / rate;
  text += rate < 10 ? fmt::format(", {:.1f} per second", rate)
                    : fmt::format(", {} per second", grouped(std::uint64_t(std::llround(rate))));
  return text + (left < 90 ? fmt::format(", about {:.0f} s left", std::ceil(left))
                           : fmt::format(", about {:.0f} min left", std::ceil(left / 60)));
}

}  // namespace tileloom::app
