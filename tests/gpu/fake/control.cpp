// SPDX-License-Identifier: GPL-3.0-or-later
// What a test calls of the fake GPU itself (tests/gpu/fake.h).
#include <cstdlib>

#include "tests/gpu/fake/state.h"

using namespace tileloom::fake;

extern "C" {

// Resets everything, including leaks, and reads TILELOOM_FAKE again.
void tileloom_fake_reset() {
  State& s = state();
  std::unique_lock<std::recursive_mutex> lock(s.mutex);
  for (const auto& [at, allocation] : s.memory) std::free(allocation.base);
  for (const cu::Stream x : s.streams) delete x;
  for (const cu::Event x : s.events) delete x;
  for (const cu::Module x : s.modules) delete x;
  for (CublasHandle* x : s.handles) delete x;
  s.memory.clear(), s.streams.clear(), s.events.clear(), s.modules.clear(), s.handles.clear();
  s.retained.clear(), s.contexts.clear(), s.calls.clear(), s.log.clear();
  s.nvml = s.programs = s.sticky = s.launches = 0;
  s.current = nullptr;
  s.initialised = s.hanging = s.known = false;
  s.products = {};
  s.start();
}

// How many things are not released; *what (if given) lists them.
int tileloom_fake_leaks(const char** what) {
  State& s = state();
  std::unique_lock<std::recursive_mutex> lock(s.mutex);
  const int count = s.leakCount();
  if (what != nullptr) *what = s.leaks.c_str();
  return count;
}

// One line for each entry of a stream, in order: "launch STAGE GRID BLOCK SHARED", "sgemm MxNxK
// MATH", "record". Valid until the next call of this library.
const char* tileloom_fake_log() {
  return state().log.c_str();
}

int tileloom_fake_calls(const char* function) {
  State& s = state();
  std::unique_lock<std::recursive_mutex> lock(s.mutex);
  const auto it = s.calls.find(function);
  return it != s.calls.end() ? it->second : 0;
}

}  // extern "C"
