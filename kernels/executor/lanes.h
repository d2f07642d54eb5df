// SPDX-License-Identifier: GPL-3.0-or-later
// Executes what lanes exchange, among those that are active.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void firstLane(Warp& warp, const Operation& o);  // R2UR
void vote(Warp& warp, const Operation& o);       // VOTE
void matchAny(Warp& warp, const Operation& o);   // MATCH: `wide`: of 64 bits
void matchAll(Warp& warp, const Operation& o);
void reduceLanes(Warp& warp, const Operation& o);  // REDUX
void elect(Warp& warp, const Operation& o);
void shuffle(Warp& warp, const Operation& o);  // SHFL

// Which lane each lane gets the value of in a shuffle: its own where the one that it names does not
// exist.
struct Exchange {
  std::array<std::uint8_t, kLanes> from;
  std::uint32_t exists = 0;  // a bit for each lane
};
Exchange exchangeOf(const Warp& warp, const Operation& o);

// Operation::kind of vote() and of reduceLanes().
enum : std::uint8_t { kVoteAll, kVoteAny, kVoteEqual };
enum : std::uint8_t { kReduceAnd, kReduceOr, kReduceXor, kReduceSum, kReduceLeast, kReduceMost };

}  // namespace tileloom::executor
