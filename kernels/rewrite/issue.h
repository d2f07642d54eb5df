// SPDX-License-Identifier: GPL-3.0-or-later
// When instructions of one warp may be issued. The hardware does not check it: results of
// arithmetic are ready a fixed number of cycles after the instruction is issued, and the code has
// to leave these cycles between them. Instructions of unknown latency increment a scoreboard, and
// an instruction that needs their result has to wait until the scoreboard is zero. This model knows
// what every instruction of a sequence has to wait for. The rewriter sets waits and stall cycles by
// it, and checks its result with it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "kernels/rewrite/latency.h"
#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// Cycles from a barrier of the block to the first instruction that it holds back. The assembler
// leaves the same number; with fewer, loads after a barrier read old values.
inline constexpr int kBarrierDelay = 6;
// Other distances that the assembler always leaves, in all kernels of this program for compute
// capability 9.0: from one access to memory to the next, from an asynchronous copy to the commit of
// those before it, and from a wait for such copies to any instruction that is not arithmetic.
inline constexpr int kAccessDelay = 4;
inline constexpr int kCommitDelay = 2;
inline constexpr int kWaitDelay = 4;

class Issue {
 public:
  struct Needs {
    unsigned wait = 0;    // scoreboards that have to be zero, as bits
    int cycles = 0;       // that have to pass before
    std::string problem;  // not empty: something must be awaited that has no scoreboard
  };
  // What `op` needs if it is issued next. Two accesses depend on each other through registers and
  // predicates. A barrier of the block needs every shared load before it to have arrived, because
  // other warps may overwrite what it reads as soon as they have passed the barrier. After a
  // barrier a warp continues to issue for some cycles, so only arithmetic may follow immediately
  // (docs/hardware.md, rules 74 and 75).
  Needs needsOf(const Op& op) const;

  // Issues the next instruction, with the waits and the stall cycles of its control bits.
  void issue(const Op& op);

  // Issues the next instruction of code that is known to be correct. What it uses without a wait
  // must be available for a reason that this model does not know. `surely`: no branch may skip it;
  // otherwise it awaits nothing, and may take no time.
  void issueKnown(const Op& op, bool surely);

  // Issues an instruction of code that is not checked: what it leaves in flight is not recorded.
  void pass(const Op& op);

  // Scoreboards of instructions that are not known to be complete.
  unsigned pending() const;
  int now() const { return now_; }  // cycles since the first instruction, at least

 private:
  enum class Part { Reads, Writes };
  struct Pending {
    Op op;
    bool reads = false;   // its operands may not have been read yet
    bool writes = false;  // its result may not be there yet
    int since = 0;        // the cycle in which it was issued
    int guardSince = 0;   // writes of predicates with its guard's number up to then
  };
  struct Ready {
    std::array<int, 256> general{};
    std::array<int, 256> uniform{};
    std::array<int, 8> predicates{};
    std::array<int, 8> uniformPredicates{};
  };

  int scoreboardFor(std::size_t pending, Part part) const;  // -1: there is none
  // Whether this part of the instruction at `earlier` is complete when that of the one at `later`
  // is.
  bool follows(std::size_t later, std::size_t earlier, Part part) const;
  void release(int scoreboard);
  void releaseWaitsOf(const Op& op);
  void releaseCopies(const Op& wait);
  void setReady(const Op& op, const Latencies& after);

  Ready ready_;  // the cycle from which a fixed result may be read
  std::vector<Pending> pending_;
  std::array<std::array<int, 8>, 2> predicateWrites_{};  // of each predicate, of each uniform one
  int now_ = 0;
  int barrierHolds_ = 0;  // the cycle from which a barrier of the block holds the warp
  // Shared loads since the last asynchronous copy, and the placeholders immediately before this
  // place.
  bool loaded_ = false;
  int placeholders_ = 0;
  int accessFrom_ = 0, commitFrom_ = 0, waitHolds_ = 0;  // the same of accesses, commits and waits
};

// Whether a scoreboard has to show when this instruction's result is ready, or when its operands
// have been read.
bool takesUnknownTime(const Op& op);
// `@!PT LDS RZ, [RZ]`: the assembler sets three of them before an asynchronous copy that follows a
// shared load, and never fewer; the reason is unknown (docs/hardware.md, rule 78).
bool isPlaceholder(const Op& op);
inline constexpr int kPlaceholders = 3;
// Whether it only computes: no memory, no other threads, no branch.
bool isArithmetic(const Op& op);

}  // namespace tileloom::rewrite
