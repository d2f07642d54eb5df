// SPDX-License-Identifier: GPL-3.0-or-later
// The order of accesses where barriers of the whole block alone order threads: two accesses of
// different threads to a word race if no barrier is between them. A word's stamp has the thread and
// the interval between two barriers. All of it is inline: nearly all the time of a trace is spent
// here.
#pragma once

#include "kernels/emulator/judges/context.h"
#include "kernels/emulator/judges/copies.h"

namespace tileloom::emulator::judges {

class Intervals {
  // A copy of this thread arrives now.
  auto arrival(std::uint32_t thread) {
    return [this, stamp = interval_ | thread](std::uint32_t word) { words_[word].written = stamp; };
  }

 public:
  explicit Intervals(Context& context) : context_(context), words_(context.shadow.words) {}

  [[gnu::always_inline]] void read(const event::Access& e) {
    read(e.at.thread, e.at.site, e.array, e.index, e.word, e.words, e.parts);
  }
  [[gnu::always_inline]] void write(const event::Access& e) {
    write(e.at.thread, e.at.site, e.array, e.index, e.word, e.words, e.parts);
  }
  void copy(const event::Access& e) {
    const std::uint32_t stamp = interval_ | e.at.thread;
    for (std::uint32_t w = 0; w < e.words; ++w) {
      ShadowWord& word = words_[e.word + w];
      checkOverwrite(word, stamp, e.at.thread, e.at.site, e.array, e.index + w * e.parts);
      word.written = kInFlight | e.at.thread;
      copies_.issue(e.at.thread, context_.subject.threads, e.word + w);
    }
  }
  void commit(std::uint32_t thread) { copies_.commit(thread, context_.subject.threads); }
  void wait(std::uint32_t thread, std::uint32_t newest) {
    copies_.wait(thread, newest, arrival(thread));
  }
  void settle(std::uint32_t thread) { copies_.settle(thread, arrival(thread)); }
  void passBarrier() { interval_ += 1u << kThreadBits; }

 private:
  // Whether two stamps are of different threads in one interval.
  static bool clash(std::uint32_t earlier, std::uint32_t now) {
    const std::uint32_t difference = earlier ^ now;
    return difference != 0 && difference < (1u << kThreadBits);
  }
  // With plain values: with a structure of more than one register, the compiler keeps the registers
  // of an emulated kernel in memory.
  void read(std::uint32_t thread, Site site, std::uint32_t array, std::int64_t index,
            std::uint32_t first, std::uint32_t words, std::uint32_t parts) {
    const std::uint32_t stamp = interval_ | thread;
    for (std::uint32_t w = 0; w < words; ++w) {
      ShadowWord& word = words_[first + w];
      if (word.written - 1 >= kInFlight - 1) [[unlikely]] {  // never written, or in flight
        blame(word.written == 0 ? FaultKind::Unwritten : FaultKind::NotArrived, thread, site, array,
              index + w * parts, false, -1);
      } else if (clash(word.written, stamp)) [[unlikely]] {
        blame(FaultKind::Race, thread, site, array, index + w * parts, false,
              static_cast<int>(word.written & kManyThreads));
      }
      word.read = clash(word.read, stamp) ? stamp | kManyThreads : stamp;
    }
  }
  void write(std::uint32_t thread, Site site, std::uint32_t array, std::int64_t index,
             std::uint32_t first, std::uint32_t words, std::uint32_t parts) {
    const std::uint32_t stamp = interval_ | thread;
    for (std::uint32_t w = 0; w < words; ++w) {
      ShadowWord& word = words_[first + w];
      checkOverwrite(word, stamp, thread, site, array, index + w * parts);
      word.written = stamp;
    }
  }
  // A store is a race if another thread has accessed the word since the last barrier, or while an
  // asynchronous copy to the word is in flight.
  void checkOverwrite(const ShadowWord& word, std::uint32_t stamp, std::uint32_t thread, Site site,
                      std::uint32_t array, std::int64_t index) {
    if (clash(word.written, stamp) || word.written >= kInFlight) [[unlikely]] {
      blame(FaultKind::Race, thread, site, array, index, true,
            static_cast<int>(word.written & kManyThreads));
    } else if (clash(word.read, stamp)) [[unlikely]] {
      const std::uint32_t reader = word.read & kManyThreads;
      blame(FaultKind::Race, thread, site, array, index, true,
            reader == kManyThreads ? -1 : static_cast<int>(reader));
    }
  }
  void blame(FaultKind kind, std::uint32_t thread, Site site, std::uint32_t array,
             std::int64_t index, bool store, int other);

  Context& context_;
  std::vector<ShadowWord>& words_;
  std::uint32_t interval_ = 1u << kThreadBits;  // as the upper bits of a stamp
  Copies copies_;
};

}  // namespace tileloom::emulator::judges
