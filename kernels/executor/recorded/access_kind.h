// SPDX-License-Identifier: GPL-3.0-or-later
// Which instruction of a trace an access of machine code is.
#pragma once

#include <optional>

#include "kernels/emulator/kinds.h"
#include "kernels/executor/observer.h"

namespace tileloom::executor::recorded {

// Nothing: of local memory, and atomic operations.
inline std::optional<emulator::Kind> kindOf(const Access& access) {
  using emulator::Kind;
  if (access.memory == Memory::Local) return std::nullopt;
  const bool shared = access.memory == Memory::Shared;
  switch (access.use) {
    case Use::Load:
      return shared ? Kind::SharedLoad : Kind::GlobalLoad;
    case Use::Store:
      return shared ? Kind::SharedStore : Kind::GlobalStore;
    case Use::Copy:
      return Kind::AsyncCopy;
    case Use::MatrixLoad:
      return Kind::MatrixLoad;
    case Use::MatrixStore:
      return Kind::MatrixStore;
    case Use::Reduction:
    case Use::Atomic:
      break;
  }
  return std::nullopt;
}

}  // namespace tileloom::executor::recorded
