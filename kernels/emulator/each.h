// SPDX-License-Identifier: GPL-3.0-or-later
// Runs many traces at once, on all processor cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "kernels/emulator/workspace.h"

namespace tileloom::emulator {

// Calls visit(workspace, i) exactly once for each i below `count`, in no fixed order, from several
// threads that each have their own workspace. Returns when all calls have returned.
template <class Visit>
void forEachAtOnce(std::size_t count, const Visit& visit) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Workspace workspace;
    for (std::size_t i; (i = next++) < count;) visit(workspace, i);
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back(work);
}

}  // namespace tileloom::emulator
