// SPDX-License-Identifier: GPL-3.0-or-later
// mbarriers: 64 bits of shared memory that count arrivals and bytes. PTX calls them opaque; the
// layout is that of the values that SYNCS.EXCH stores (hardware.md, rule 91).
//
//   bits 1 to 20    arrivals that are missing in this phase, as a negative number
//   bits 21 to 41   bytes that are missing, with a sign
//   bits 43 to 62   arrivals that end each phase, as a negative number
//   bit 63          the phase: 0, 1, 0, 1, …
#pragma once

#include <cstdint>
#include <string>

#include "kernels/executor/operation.h"

namespace tileloom::executor {

struct Mbarrier {
  static constexpr std::uint32_t kBytes = 8;

  std::uint32_t missing = 0;  // arrivals
  std::int64_t bytes = 0;     // that have not arrived; negative: arrived before they were expected
  std::uint32_t wanted = 0;   // arrivals of a phase
  std::uint32_t phase = 0;

  static Mbarrier of(std::uint64_t word);
  std::uint64_t word() const;
  // So many arrivals, and so many more bytes that have to arrive. `ended`: the phase has ended.
  // Empty, or why it cannot be.
  std::string change(std::uint32_t arrivals, std::int64_t more, bool& ended);
};

// At the mbarrier at `address`, which has the rank of its block: arrivals and bytes, for the
// present instruction of a warp. False: the warp has failed.
bool change(Warp& warp, std::uint32_t address, std::uint32_t arrivals, std::int64_t bytes);

// How an instruction counts at the mbarrier (Operation::kind).
enum ArrivalKind : std::uint8_t {
  kArriveAndExpect,  // one arrival, and bytes of a register
  kArrive,           // one arrival
  kExpectOne,        // one byte: an asynchronous copy of a thread
  kExpect,           // bytes of a register
  kArriveTimes,      // arrivals of a register
  kCopied,           // one byte has arrived
};

// SYNCS.EXCH.64: `base` the uniform register of the address, `a` the value, `result` the one
// before.
void startBarrier(Warp& warp, const Operation& o);
// SYNCS.ARRIVE, ARRIVES: for each lane; base, uniformBase and offset the address, `a` the number.
void arriveAtBarrier(Warp& warp, const Operation& o);
// SYNCS.PHASECHK: whether the phase that bit 31 of `a` names has ended. `wide`: TRYWAIT, which
// waits. The hardware waits for a time and then gives false; here the warp is put aside until a
// thread's barrier has changed, and the instruction counts once.
void checkPhase(Warp& warp, const Operation& o);
// SYNCS.CCTL.IV: the mbarrier ends.
void endBarrier(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
