// SPDX-License-Identifier: GPL-3.0-or-later
// A judge of the registers that a wgmma uses: whether they are written before it (fence_products),
// and whether its sums are used before it is complete.
#pragma once

#include <vector>

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class Accumulators {
 public:
  explicit Accumulators(Context& context) : context_(context) {}

  void see(const event::FenceProducts& e);
  void see(const event::Product& e);
  void see(const event::SumUse& e) {
    if (e.held == Provenance::underWay()) reportUse(e);
  }

 private:
  void reportUse(const event::SumUse& e);

  Context& context_;
  std::vector<bool> fenced_;  // by thread
};

}  // namespace tileloom::emulator::judges
