// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of bytes in a row by TMA, and stores of a thread to another block of its cluster that
// count as bytes at an mbarrier there. All are complete at their issue.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

enum BulkKind : std::uint8_t { kGlobalToShared, kSharedToShared, kSharedToGlobal, kAddToGlobal };

// UBLKCP, UBLKRED: uniform registers. `base`: where it goes, with the mbarrier behind an address of
// shared memory; `globalBase`: where it comes from; `uniformBase`: bytes divided by 16.
void copyBulk(Warp& warp, const Operation& o);
// STAS: each lane stores the word `a`; `base` and the next register: the address and the mbarrier.
void storeRemote(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
