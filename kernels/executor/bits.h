// SPDX-License-Identifier: GPL-3.0-or-later
// Executes instructions on bits and predicates.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void logic(Warp& warp, const Operation& o);              // LOP3
void funnelShift(Warp& warp, const Operation& o);        // SHF
void permute(Warp& warp, const Operation& o);            // PRMT
void countBits(Warp& warp, const Operation& o);          // POPC, FLO, BREV: `kind`
void combinePredicates(Warp& warp, const Operation& o);  // PLOP3
void packPredicates(Warp& warp, const Operation& o);     // P2R
void extend(Warp& warp, const Operation& o);             // SGXT
void mask(Warp& warp, const Operation& o);               // BMSK

// Operation::kind of countBits().
enum : std::uint8_t { kPopulation, kLeading, kReverse };

}  // namespace tileloom::executor
