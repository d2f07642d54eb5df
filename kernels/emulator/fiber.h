// SPDX-License-Identifier: GPL-3.0-or-later
// Fibers for the threads of one block. They are switched at barriers only, because only there a
// thread depends on what the others have done.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

namespace tileloom::emulator {

// Stacks for the threads of one block, mapped once and reused by every trace. Below each of them
// are inaccessible pages, so that a stack that is too small ends the process instead of writing
// into its neighbour.
class StackPool {
 public:
  StackPool();
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  boost::context::stack_context take();
  void give(boost::context::stack_context& stack);

 private:
  std::byte* memory_ = nullptr;
  std::size_t opened_ = 0;        // accessible stacks, counted from the first
  std::vector<std::byte*> free_;  // of these
};

// A group of fibers of which one runs at a time.
class FiberGroup {
 public:
  explicit FiberGroup(StackPool& pool) : pool_(pool) {}
  ~FiberGroup() { stop(); }
  FiberGroup(const FiberGroup&) = delete;
  FiberGroup& operator=(const FiberGroup&) = delete;

  // Creates `count` fibers that will call body(0) … body(count - 1).
  void start(std::size_t count, std::function<void(std::size_t)> body);

  // Runs fiber `index` until it calls pause() or ends. False if it has ended, now or before. An
  // exception in the fiber's body ends the fiber and is thrown from here, on the caller's stack.
  bool resume(std::size_t index);
  // Ends all fibers where they are; their local objects are destroyed.
  void stop();
  bool alive(std::size_t index) const { return static_cast<bool>(fibers_[index]); }

  // Called on a fiber: suspends it, so that resume() returns.
  void pause();

 private:
  struct Stopped {};  // unwinds the stack of a fiber that is to end

  boost::context::fiber entry(boost::context::fiber&& scheduler, std::size_t index);

  StackPool& pool_;
  std::function<void(std::size_t)> body_;
  std::vector<boost::context::fiber> fibers_;
  std::vector<boost::context::stack_context> stacks_;
  boost::context::fiber scheduler_;
  bool stopping_ = false;
  std::exception_ptr failure_;  // of the fiber that ran last
  // The scheduler's stack, for AddressSanitizer, which must be notified of every switch.
  void* schedulerFake_ = nullptr;
  const void* schedulerStack_ = nullptr;
  std::size_t schedulerSize_ = 0;
};

}  // namespace tileloom::emulator
