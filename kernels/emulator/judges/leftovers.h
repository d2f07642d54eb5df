// SPDX-License-Identifier: GPL-3.0-or-later
// A judge of the end of a block: TMA loads and stores that no thread has waited for, and accesses
// of other blocks of the cluster that may come after its end.
#pragma once

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class Leftovers {
 public:
  explicit Leftovers(Context& context) : context_(context) {}

  void see(const event::Visit& e);
  void see(const event::BlockEnded& e);

 private:
  void reportLoads(std::span<const event::BarrierState> barriers);
  void reportStores();
  void reportVisits();

  Context& context_;
};

}  // namespace tileloom::emulator::judges
