// SPDX-License-Identifier: GPL-3.0-or-later
// A judge of blocks whose threads all wait: which threads wait for what, what is missing, and what
// could still supply it.
#pragma once

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class Deadlock {
 public:
  explicit Deadlock(Context& context) : context_(context) {}

  void see(const event::ThreadEnded& e) { context_.shadow.ended[e.thread] = true; }
  void see(const event::Deadlocked& e);

 private:
  // `count` threads from that of `waiting` on.
  std::string textOf(const event::Waiting& waiting, std::uint32_t count,
                     std::span<const event::BarrierState> barriers) const;

  Context& context_;
};

}  // namespace tileloom::emulator::judges
