// SPDX-License-Identifier: GPL-3.0-or-later
// A judge: whether the factors that a tensor core gets belong together, by provenance.
#pragma once

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class Fragments {
 public:
  explicit Fragments(Context& context) : context_(context) {}

  void see(const event::Mma& e);
  void see(const event::ProductExecuted& e);

 private:
  void checkFactors(const Origin& at, const ProductRecord& product);

  Context& context_;
};

}  // namespace tileloom::emulator::judges
