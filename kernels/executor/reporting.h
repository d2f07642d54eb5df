// SPDX-License-Identifier: GPL-3.0-or-later
// Reports what an instruction has accessed. For the sources that execute accesses only.
#pragma once

#include <bit>

#include "kernels/executor/operation.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

// The access of the present instruction, before its addresses are known.
inline Access begun(const Warp& warp, const Operation& o, Memory memory, Use use) {
  Access access;
  access.warp = warp.number();
  access.number = warp.present();
  access.memory = memory;
  access.use = use;
  access.lanes = warp.lanes();
  access.bytes = static_cast<std::uint32_t>(o.bytes);
  return access;
}

// To the observer, unless the access has failed.
inline void report(const Warp& warp, const Access& access) {
  if (Observer* const observer = warp.around().observer;
      observer != nullptr && warp.state() != Warp::State::Failed)
    observer->see(access);
}

// A generic address may be one of shared or local memory. The lanes of an instruction use one of
// them.
inline void nameWindow(Access& access) {
  const auto window = access.at[static_cast<std::size_t>(std::countr_zero(access.lanes))] >> 32;
  if (window != kSharedWindow && window != kLocalWindow) return;
  access.memory = window == kSharedWindow ? Memory::Shared : Memory::Local;
  for (std::uint64_t& at : access.at) at &= 0xffffffff;
}

}  // namespace tileloom::executor
