// SPDX-License-Identifier: GPL-3.0-or-later
// The buffers of a thread that makes traces. They are kept from one trace to the next while
// requests follow each other, and freed when the thread rests. All threads share the words of
// finished traces.
//
//   TraceMemory memory;
//   memory.await(lock, wake, [&] { return stop || wanted; });
//   traceBlock(memory.workspace(), request);
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "app/services/measuring/spare_memory.h"
#include "kernels/emulator/shared_words.h"
#include "kernels/emulator/workspace.h"

namespace tileloom {

class TraceMemory {
 public:
  static constexpr std::chrono::milliseconds kRest{2000};

  emulator::Workspace& workspace() {
    if (!m_workspace) m_workspace.emplace().words = emulator::sharedWords();
    return *m_workspace;
  }

  // Waits for `ready`, as the condition variable does.
  template <class Ready>
  void await(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, Ready ready) {
    if (!m_workspace || wake.wait_for(lock, kRest, ready)) return wake.wait(lock, ready);
    lock.unlock();
    m_workspace.reset();
    emulator::clearSharedWords();
    giveBackSpareMemory();
    lock.lock();
    wake.wait(lock, ready);
  }

 private:
  std::optional<emulator::Workspace> m_workspace;
};

}  // namespace tileloom
