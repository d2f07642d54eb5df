// SPDX-License-Identifier: GPL-3.0-or-later
// A judge of register reallocation (setmaxnreg): numbers that are not possible, a warp that is to
// keep more registers than it has, or to take fewer.
#pragma once

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class RegisterPool {
 public:
  explicit RegisterPool(Context& context) : context_(context) {}

  bool allows(const event::KeepRegisters& e);
  bool allows(const event::TakeRegisters& e);

 private:
  bool settable(const Origin& at, std::uint32_t perThread, const char* word);

  Context& context_;
};

}  // namespace tileloom::emulator::judges
