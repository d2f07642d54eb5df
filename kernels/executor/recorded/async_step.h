// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions of asynchronous work that an executor, which completes everything at once, has
// nothing to do for, but judges have.
#pragma once

#include <cstdint>

namespace tileloom::executor::recorded {

struct AsyncStep {
  enum class What : std::uint8_t {
    None,
    Fence,           // FENCE.VIEW.ASYNC: between a thread and the async proxy
    CommitStores,    // UTMACMDFLUSH: TMA stores become a group
    WaitProducts,    // WARPGROUP.DEPBAR
    ArriveByCopies,  // ARRIVES: an mbarrier waits for cp.async of the thread
  };
  What what = What::None;
  std::uint32_t newest = 0;  // groups that may still be in flight
};

}  // namespace tileloom::executor::recorded
