// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions that micro-cases consist of, for compute capability 9.0. Each is issued one
// cycle after the previous one, waits for nothing and has no scoreboard, unless said otherwise.
#pragma once

#include <array>

#include "kernels/sass/decode.h"

namespace tileloom::sass::micro {

// The registers of a case. Others belong to the kernel around it.
inline constexpr int kAddressRegister = 24;  // holds the lane's address
inline constexpr int kTurnsRegister = 25;    // counts the remaining iterations
inline constexpr int kFirstRegister = 26;    // this one and all up to the last are free
inline constexpr int kLastRegister = 125;
// Per thread: 512 threads fit on an SM. A kernel may not use the last two: one with 112 registers
// that reads R111 fails with an illegal instruction.
inline constexpr int kRegisters = 128;

inline constexpr unsigned kKeepA = 1, kKeepB = 2, kKeepC = 4;  // `.reuse` of a source

Decoded ffma(int result, int a, int b, int c, unsigned kept = 0);
// 4, 8 or 16 bytes, from the lane's address. Its scoreboard is kLoads.
Decoded sharedLoad(int bytes, int result);
inline constexpr int kLoads = 5;
Decoded sharedStore(int bytes, int stored);
Decoded move(int to, int from);                 // MOV
Decoded uniformAdd();                           // UIADD3, of a register that is never read
Decoded countDown(int reg);                     // IADD3: one less
Decoded isMoreThanOne(int predicate, int reg);  // ISETP
// BRA to the address 0, if the predicate holds.
Decoded branchToStart(int predicate, std::uint32_t address);
Decoded nothing();                    // NOP
Decoded mayNotExecute(Decoded code);  // under the guard @!PT: never executed
Decoded stalled(Decoded code, int cycles);

}  // namespace tileloom::sass::micro
