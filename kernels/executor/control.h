// SPDX-License-Identifier: GPL-3.0-or-later
// Executes branches, and what makes lanes or warps meet.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void branch(Warp& warp, const Operation& o);
// BRA.U.ANY: all threads, if one of them may.
void branchTogether(Warp& warp, const Operation& o);
// YIELD, NANOSLEEP: other warps go first.
void standBack(Warp& warp, const Operation& o);      // BRA
void callTo(Warp& warp, const Operation& o);         // CALL.REL of a label
void branchIndexed(Warp& warp, const Operation& o);  // BRX, RET, CALL with registers
void leave(Warp& warp, const Operation& o);          // EXIT
void noteMeeting(Warp& warp, const Operation& o);    // BSSY: `kind` is its number
void meet(Warp& warp, const Operation& o);           // BSYNC
void breakMeeting(Warp& warp, const Operation& o);   // BREAK
void saveMeeting(Warp& warp, const Operation& o);    // BMOV of a register
void restoreMeeting(Warp& warp, const Operation& o);
void meetWarp(Warp& warp, const Operation& o);       // WARPSYNC: A has the lanes that meet
void branchIfApart(Warp& warp, const Operation& o);  // BRA.DIV, .CONV: A has the lanes

// BAR: `table` is the barrier and `secondTable` the threads, or `extended`: both are in the row
// `base`. `kind` is what it does.
void waitForBlock(Warp& warp, const Operation& o);
void commitCopies(Warp& warp, const Operation& o);   // LDGDEPBAR
void waitForCopies(Warp& warp, const Operation& o);  // DEPBAR: `table` groups may be in flight
void barrierResult(Warp& warp, const Operation& o);  // B2R.RESULT
enum : std::uint8_t { kBarrierWait, kBarrierArrive, kBarrierCount, kBarrierAnd, kBarrierOr };

}  // namespace tileloom::executor
