// SPDX-License-Identifier: GPL-3.0-or-later
// What the threads of an emulated block and its agents share: the matrices, shared memory, the
// running thread, and where all of them report what they do.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/block_setup.h"
#include "kernels/emulator/events.h"
#include "kernels/emulator/fiber.h"
#include "kernels/emulator/judges/judges.h"
#include "kernels/emulator/recorder.h"
#include "kernels/emulator/register_slot.h"
#include "kernels/emulator/workspace.h"
#include "kernels/tile/format.h"
#include "kernels/tile/mma.h"

namespace tileloom::emulator {

struct BlockState {
  struct SharedArray {
    std::uint32_t base = 0;  // in words
    std::uint32_t elements = 0;
  };

  BlockState(Workspace& workspace, const BlockSetup& asked);
  BlockState(const BlockState&) = delete;
  BlockState& operator=(const BlockState&) = delete;

  Recorder& recorder;
  std::vector<judges::ShadowWord>& shared;  // by word
  // The further elements of each word, as in Workspace.
  std::vector<RegisterSlot>& upper;
  BlockSetup setup;
  Launch launch;
  const FormatRow* format;
  const MmaRow* mma;         // of multiply_add; nullptr: the rung has another one of this width
  std::uint32_t parts = 1;   // elements in a word of an array of the format's elements
  std::uint32_t kLimit = 0;  // elements of K that are executed
  std::uint32_t kEnd = 0;    // K as the kernel gets it
  std::uint32_t threads = 0;
  std::uint32_t thread = 0;  // the running thread
  std::vector<Array> arrays;
  std::vector<SharedArray> sharedArrays;  // those of `arrays` that are in shared memory
  judges::Judges judges;
  FiberGroup fibers;

  std::uint32_t warps() const { return (threads + kWarpSize - 1) / kWarpSize; }
  // The running thread at this line.
  Origin here(int line) const { return {thread, {line}}; }
  // Reports to the recorder and to the judges, if they use the event.
  template <class Event>
  [[gnu::always_inline]] void report(const Event& e) {
    if constexpr (requires(Recorder & r) { r.see(e); }) recorder.see(e);
    if constexpr (judges::Judges::usesEvent<Event>) judges.see(e);
  }
  // The element of a matrix in global memory, as a thread reads it.
  RegisterSlot elementOf(std::uint32_t array, std::uint32_t index) const;
};

}  // namespace tileloom::emulator
