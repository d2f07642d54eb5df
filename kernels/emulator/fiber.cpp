// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/fiber.h"

#include <sys/mman.h>

#include <new>
#include <utility>

#include "kernels/emulator/address_sanitizer.h"

namespace tileloom::emulator {
namespace {

constexpr std::size_t kStacks = 1024;
#if defined(TILELOOM_ASAN)
constexpr std::size_t kStackSize = 256 * 1024;  // its stack frames are larger
#else
constexpr std::size_t kStackSize = 64 * 1024;
#endif

constexpr std::size_t kGuard = 64 * 1024;  // whole pages of any size
constexpr std::size_t kRoom = kGuard + kStackSize;

void announce([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
              [[maybe_unused]] std::size_t size) {
#if defined(TILELOOM_ASAN)
  __sanitizer_start_switch_fiber(fake, bottom, size);
#endif
}

void arrive([[maybe_unused]] void* fake, [[maybe_unused]] const void** bottom,
            [[maybe_unused]] std::size_t* size) {
#if defined(TILELOOM_ASAN)
  __sanitizer_finish_switch_fiber(fake, bottom, size);
#endif
}

struct PoolAllocator {
  StackPool* pool;
  boost::context::stack_context allocate() { return pool->take(); }
  void deallocate(boost::context::stack_context& stack) { pool->give(stack); }
};

}  // namespace

StackPool::StackPool() {
  // Pages that no fiber touches are never backed by memory.
  void* memory =
      mmap(nullptr, kStacks * kRoom, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  free_.reserve(kStacks);
}

StackPool::~StackPool() {
#if defined(TILELOOM_ASAN)
  // The last frames of a fiber never return, so AddressSanitizer would still forbid their bytes,
  // even for memory that is mapped at this address later, such as a font.
  __asan_unpoison_memory_region(memory_, opened_ * kRoom);
#endif
  munmap(memory_, kStacks * kRoom);
}

boost::context::stack_context StackPool::take() {
  if (free_.empty()) {
    if (opened_ == kStacks) throw std::bad_alloc();
    std::byte* const next = memory_ + opened_ * kRoom + kGuard;
    if (mprotect(next, kStackSize, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    ++opened_;
    free_.push_back(next);
  }
  boost::context::stack_context stack;
  stack.size = kStackSize;
  stack.sp = free_.back() + kStackSize;  // stacks grow downwards
  free_.pop_back();
  return stack;
}

void StackPool::give(boost::context::stack_context& stack) {
  free_.push_back(static_cast<std::byte*>(stack.sp) - kStackSize);
}

void FiberGroup::start(std::size_t count, std::function<void(std::size_t)> body) {
  stop();
  body_ = std::move(body);
  fibers_.clear();
  stacks_.clear();
  fibers_.reserve(count);
  stacks_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const boost::context::stack_context stack = pool_.take();
    stacks_.push_back(stack);
    fibers_.emplace_back(
        std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
        PoolAllocator{&pool_},
        [this, i](boost::context::fiber&& scheduler) { return entry(std::move(scheduler), i); });
  }
}

boost::context::fiber FiberGroup::entry(boost::context::fiber&& scheduler, std::size_t index) {
  arrive(nullptr, &schedulerStack_, &schedulerSize_);
  scheduler_ = std::move(scheduler);
  // No frame below this function would catch an exception: it is passed on to resume().
  try {
    if (!stopping_) body_(index);
  } catch (const Stopped&) {
  } catch (const boost::context::detail::forced_unwind&) {
    throw;
  } catch (...) {
    failure_ = std::current_exception();
  }
  announce(nullptr, schedulerStack_, schedulerSize_);
  return std::move(scheduler_);
}

bool FiberGroup::resume(std::size_t index) {
  if (!fibers_[index]) return false;
  const auto& stack = stacks_[index];
  announce(&schedulerFake_, static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
  fibers_[index] = std::move(fibers_[index]).resume();
  arrive(schedulerFake_, nullptr, nullptr);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return static_cast<bool>(fibers_[index]);
}

void FiberGroup::stop() {
  stopping_ = true;
  for (std::size_t i = 0; i < fibers_.size(); ++i) {
    if (fibers_[i]) resume(i);
  }
  stopping_ = false;
}

void FiberGroup::pause() {
  void* fake = nullptr;
  announce(&fake, schedulerStack_, schedulerSize_);
  scheduler_ = std::move(scheduler_).resume();
  arrive(fake, &schedulerStack_, &schedulerSize_);
  if (stopping_) throw Stopped{};
}

}  // namespace tileloom::emulator
