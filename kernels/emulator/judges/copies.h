// SPDX-License-Identifier: GPL-3.0-or-later
// The words of shared memory to which asynchronous copies (cp.async) of each thread are in flight,
// in groups that arrive in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tileloom::emulator::judges {

class Copies {
 public:
  // `threads`: of the block.
  void issue(std::uint32_t thread, std::uint32_t threads, std::uint32_t word) {
    of(thread, threads).words.push_back(word);
  }
  void commit(std::uint32_t thread, std::uint32_t threads) {
    Thread& mine = of(thread, threads);
    mine.committed.push_back(mine.words.size());
  }
  bool any() const { return !threads_.empty(); }

  // All groups of the thread arrive but the `newest`: calls arrived(word) for each word.
  template <class Arrived>
  void wait(std::uint32_t thread, std::uint32_t newest, const Arrived& arrived) {
    if (threads_.empty()) return;
    Thread& mine = threads_[thread];
    if (mine.committed.size() <= newest) return;
    const auto groups = static_cast<std::ptrdiff_t>(mine.committed.size() - newest);
    const std::size_t words = mine.committed[static_cast<std::size_t>(groups) - 1];
    for (std::size_t i = 0; i < words; ++i) arrived(mine.words[i]);
    mine.words.erase(mine.words.begin(), mine.words.begin() + static_cast<std::ptrdiff_t>(words));
    mine.committed.erase(mine.committed.begin(), mine.committed.begin() + groups);
    for (std::size_t& end : mine.committed) end -= words;
  }
  // Everything of the thread arrives.
  template <class Arrived>
  void settle(std::uint32_t thread, const Arrived& arrived) {
    if (threads_.empty()) return;
    Thread& mine = threads_[thread];
    for (const std::uint32_t word : mine.words) arrived(word);
    mine.words.clear();
    mine.committed.clear();
  }

 private:
  struct Thread {
    std::vector<std::uint32_t> words;    // oldest first
    std::vector<std::size_t> committed;  // ends of the groups, counted in words
  };
  Thread& of(std::uint32_t thread, std::uint32_t threads) {
    if (threads_.empty()) threads_.resize(threads);
    return threads_[thread];
  }

  std::vector<Thread> threads_;  // empty before the first copy
};

}  // namespace tileloom::emulator::judges
