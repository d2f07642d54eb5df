// SPDX-License-Identifier: GPL-3.0-or-later
// Executes instructions on integers, bits and predicates. Each function is one instruction; what it
// uses of the operation follows from its name.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void move(Warp& warp, const Operation& o);
void add3(Warp& warp, const Operation& o);               // IADD3, and with carries IADD3.X
void multiplyAdd(Warp& warp, const Operation& o);        // IMAD, IMAD.X
void multiplyWide(Warp& warp, const Operation& o);       // IMAD.WIDE
void multiplyHigh(Warp& warp, const Operation& o);       // IMAD.HI
void shiftAdd(Warp& warp, const Operation& o);           // LEA
void shiftAddHigh(Warp& warp, const Operation& o);       // LEA.HI, .X, .SX32
void logic(Warp& warp, const Operation& o);              // LOP3
void funnelShift(Warp& warp, const Operation& o);        // SHF
void permute(Warp& warp, const Operation& o);            // PRMT
void compare(Warp& warp, const Operation& o);            // ISETP
void select(Warp& warp, const Operation& o);             // SEL, FSEL
void minMax(Warp& warp, const Operation& o);             // IMNMX, VIMNMX
void magnitude(Warp& warp, const Operation& o);          // IABS
void countBits(Warp& warp, const Operation& o);          // POPC, FLO, BREV: `kind`
void combinePredicates(Warp& warp, const Operation& o);  // PLOP3
void packPredicates(Warp& warp, const Operation& o);     // P2R
void special(Warp& warp, const Operation& o);            // S2R
void nothing(Warp& warp, const Operation& o);

// Operation::kind of countBits().
enum : std::uint8_t { kPopulation, kLeading, kReverse };

}  // namespace tileloom::executor
