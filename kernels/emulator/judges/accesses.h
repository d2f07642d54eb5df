// SPDX-License-Identifier: GPL-3.0-or-later
// A judge of the words of shared memory: reads of what was never written or has not arrived, races,
// and missing fences before the async proxy. A word is looked at once, so that one access gives one
// fault. intervals.h and clocks.h decide what is ordered.
#pragma once

#include "kernels/emulator/judges/clocks.h"
#include "kernels/emulator/judges/intervals.h"

namespace tileloom::emulator::judges {

class Accesses {
 public:
  explicit Accesses(Context& context)
      : context_(context),
        byClocks_(context.subject.order == Order::Clocks),
        intervals_(context),
        clocks_(context) {}

  [[gnu::always_inline]] void see(const event::SharedLoad& e) { read(e); }
  [[gnu::always_inline]] void see(const event::RowLoad& e) { read(e); }
  [[gnu::always_inline]] void see(const event::SharedStore& e) { write(e); }
  [[gnu::always_inline]] void see(const event::RowStore& e) { write(e); }
  [[gnu::always_inline]] void see(const event::AsyncCopy& e) {
    if (byClocks_) return clocks_.copy(e);
    intervals_.copy(e);
  }
  void see(const event::CopyCommit& e) {
    if (byClocks_) return clocks_.commit(e.at.thread);
    intervals_.commit(e.at.thread);
  }
  void see(const event::CopyWait& e) {
    if (byClocks_) return clocks_.wait(e.at.thread, e.newest);
    intervals_.wait(e.at.thread, e.newest);
  }
  void see(const event::Settled& e) {
    if (byClocks_) return clocks_.settle(e.thread);
    intervals_.settle(e.thread);
  }
  void see(const event::BlockBarrierPassed&) {
    if (!byClocks_) intervals_.passBarrier();
  }
  // The async proxy is ordered by clocks alone.
  void see(const event::AgentLoad& e) { clocks_.read(e); }
  void see(const event::BoxRequested& e) { clocks_.request(e); }
  void see(const event::SharedMemory& e) { context_.shadow.words.resize(e.words); }

 private:
  [[gnu::always_inline]] void read(const event::Access& e) {
    if (byClocks_)
      return readByClocks(e.at.thread, e.at.site, e.array, e.index, e.word, e.words, e.parts);
    intervals_.read(e);
  }
  [[gnu::always_inline]] void write(const event::Access& e) {
    if (byClocks_)
      return writeByClocks(e.at.thread, e.at.site, e.array, e.index, e.word, e.words, e.parts);
    intervals_.write(e);
  }
  // With the values of the event: it need not be in memory for an emulated kernel that has no
  // clocks.
  void readByClocks(std::uint32_t thread, Site site, std::uint32_t array, std::int64_t index,
                    std::uint32_t word, std::uint32_t words, std::uint32_t parts);
  void writeByClocks(std::uint32_t thread, Site site, std::uint32_t array, std::int64_t index,
                     std::uint32_t word, std::uint32_t words, std::uint32_t parts);

  Context& context_;
  const bool byClocks_;
  Intervals intervals_;
  Clocks clocks_;
};

}  // namespace tileloom::emulator::judges
