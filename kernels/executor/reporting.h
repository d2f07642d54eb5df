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
  access.block = warp.around().blockNumber();
  access.warp = warp.number();
  access.number = warp.present();
  access.memory = memory;
  access.use = use;
  access.lanes = warp.lanes();
  access.bytes = static_cast<std::uint32_t>(o.bytes);
  return access;
}

// What two uniform registers add to a generic address: the window of shared memory of a cluster.
inline std::uint64_t clusterWindow(const Warp& warp, const Operation& o, std::uint32_t lane) {
  if (o.uniformBase == kZeroRow) return 0;
  const auto& rows = warp.registers.rows;
  return rows[o.uniformBase].lane[lane] | std::uint64_t{rows[o.uniformBase + 1u].lane[lane]} << 32;
}

inline Issue issueOf(const Warp& warp) {
  return {warp.around().blockNumber(), warp.around().memory->rank(), warp.number(), warp.present()};
}

// To the observer, unless the access has failed.
inline void report(const Warp& warp, const Access& access) {
  if (Observer* const observer = warp.around().observer;
      observer != nullptr && warp.state() != Warp::State::Failed)
    observer->see(access);
}

// A generic address may be one of shared or local memory. The lanes of an instruction use one of
// them.
inline void nameWindow(const Warp& warp, Access& access) {
  const auto window = access.at[static_cast<std::size_t>(std::countr_zero(access.lanes))] >> 32;
  if (window != kSharedWindow && window != kLocalWindow) return;
  access.memory = window == kSharedWindow ? Memory::Shared : Memory::Local;
  const std::uint64_t owner = warp.around().memory->rank();
  for (std::uint64_t& at : access.at) {
    if (window == kLocalWindow)
      at &= 0xffffffff;
    else if ((at & 0xffffffff) >> kRankShift == owner)
      at &= kPlaceMask;
  }
}

}  // namespace tileloom::executor
