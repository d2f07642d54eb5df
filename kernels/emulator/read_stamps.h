// SPDX-License-Identifier: GPL-3.0-or-later
// Records all unsynchronised readers of a word. A writer must be ordered after every one of them.
//
// A single reader is a stamp (clock.h). Several are a list, whose number the word keeps, with
// kManyThreads as the origin. Words of one tile are read by the same warps, so there are few lists,
// and each is made once.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kernels/emulator/clock.h"

namespace tileloom::emulator {

class ReadStamps {
 public:
  // The new `read` of a word when the reader with `stamp`, whose clock this is, reads it.
  std::uint32_t with(std::uint32_t read, std::uint32_t stamp, const Clock& clock) {
    if (read == stamp || read == 0) return stamp;
    const std::pair key{read, stamp};
    if (key == lastKey_) return last_;
    lastKey_ = key;
    return last_ = add(read, stamp, clock);
  }
  // To call when the clock that with() gets has changed.
  void forget() { lastKey_ = {}; }

  // The readers in this list. Valid until the next with().
  template <class Visit>
  void forEach(std::uint32_t read, const Visit& visit) const {
    if (read == 0) return;
    if ((read & kManyThreads) != kManyThreads) return visit(read);
    for (const std::uint32_t stamp : lists_[read >> kThreadBits]) visit(stamp);
  }

 private:
  std::uint32_t add(std::uint32_t read, std::uint32_t stamp, const Clock& clock) {
    std::vector<std::uint32_t> list;
    forEach(read, [&](std::uint32_t earlier) {
      const bool same = Component::of(earlier) == Component::of(stamp);
      if (!same && !clock.knows(earlier)) list.push_back(earlier);
    });
    if (list.empty()) return stamp;
    list.push_back(stamp);
    const auto [at, fresh] =
        numbers_.emplace(std::move(list), static_cast<std::uint32_t>(lists_.size()));
    if (fresh) lists_.push_back(at->first);
    return at->second << kThreadBits | kManyThreads;
  }

  std::vector<std::vector<std::uint32_t>> lists_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::pair<std::uint32_t, std::uint32_t> lastKey_;
  std::uint32_t last_ = 0;
};

}  // namespace tileloom::emulator
