// SPDX-License-Identifier: GPL-3.0-or-later
// A judge of mbarriers: one that does not exist, or that is used before the thread knows that it
// was started, or by TMA before it was published; and an arrival of a thread that has not seen the
// last phase end.
#pragma once

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class Barriers {
 public:
  explicit Barriers(Context& context) : context_(context) {}

  bool allows(const event::BarrierStart& e);
  bool allows(const event::BarrierUse& e);
  void see(const event::BarriersDeclared& e);
  void see(const event::BarrierStart& e);
  void see(const event::PublishBarriers& e);
  void see(const event::Arrived& e);
  void see(const event::PhaseEnded& e) { ++context_.shadow.barriers[e.barrier].phase; }
  void see(const event::BoxRequested& e);

 private:
  // Whether barrier `number` of this block exists.
  bool exists(const Origin& at, const Context& of, std::uint32_t number, const char* word);
  std::string whose(const Context& of) const;  // " of the block with rank 1", or empty

  Context& context_;
};

}  // namespace tileloom::emulator::judges
