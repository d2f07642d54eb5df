// SPDX-License-Identifier: GPL-3.0-or-later
// What judges know of a block's shared memory and its barriers. The values are the executor's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/clock.h"
#include "kernels/emulator/origin.h"
#include "kernels/emulator/read_stamps.h"
#include "kernels/emulator/register_slot.h"

namespace tileloom::emulator::judges {

// Set in ShadowWord::written while an asynchronous copy to the word is in flight.
inline constexpr std::uint32_t kInFlight = 1u << 31;

// The stamps (clock.h) of the last accesses to a word.
struct ShadowWord {
  // For the value that an executor keeps of the word. Judges do not look at it: it is here because
  // an access needs both, and finds them in one line of the cache.
  RegisterSlot held;
  std::uint32_t written = 0;  // 0: never
  // Of loads since then: a stamp, or of several threads as the order's judge keeps it.
  std::uint32_t read = 0;
};

struct ShadowBarrier {
  std::uint32_t started = 0;  // the stamp of the thread that has started it; 0: not started
  int starter = -1;           // that thread
  bool published = false;
  std::uint32_t phase = 0;  // number of phases that have ended
  int arrived = -1;         // the thread of the cluster that arrived last, and where
  Site arrivedAt;
};

// An access of another block to this one, which has to be alive then.
struct ShadowVisit {
  std::uint32_t stamp = 0;
  std::uint32_t rank = 0;
  Origin at;
  const char* what = "";
};

// The words are a buffer that is kept from one block to the next.
struct Shadow {
  std::vector<ShadowWord>& words;
  std::vector<ShadowBarrier> barriers;
  std::vector<ShadowVisit> visits;
  std::vector<bool> ended;  // by thread
  ReadStamps readers;
  // The stamps that were last found correct, so that neighbouring words need not be checked again:
  // for the clock of the running warp.
  std::uint32_t wellWritten = 0, wellRead = 0;
  std::uint32_t wellShown = 0;  // the same of `written`, for a read by the async proxy

  // To call when a clock of the block has changed, or another warp runs.
  void forget() {
    readers.forget();
    wellWritten = wellRead = wellShown = 0;
  }
};

}  // namespace tileloom::emulator::judges
