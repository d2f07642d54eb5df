// SPDX-License-Identifier: GPL-3.0-or-later
// Words that each lane of a warp appends, in segments that stay in a cache. What is full is not
// copied into something larger: the words are copied once, when all of them are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/emulator/trace.h"
#include "kernels/executor/registers.h"

namespace tileloom::executor::recorded {

inline constexpr std::uint32_t kSegmentWords = 256;  // of each lane: 32 KB for all

// Segments, cut from the memory that recordings share.
class Segments {
 public:
  explicit Segments(std::shared_ptr<emulator::WordPool> pool) : pool_(std::move(pool)) {}
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  ~Segments();

  // Of kSegmentWords for each lane, not initialised.
  std::uint32_t* take();
  void give(std::uint32_t* segment) { free_.push_back(segment); }

 private:
  std::shared_ptr<emulator::WordPool> pool_;
  std::vector<emulator::WordPool::Chunk> chunks_;
  std::size_t cut_ = 0;  // words of the last chunk
  std::vector<std::uint32_t*> free_;
};

class LaneWords {
 public:
  // Room for this many words of each lane, at most kSegmentWords: 32 lanes of the first word, then
  // those of the second one. Valid until takeTo().
  std::uint32_t* reserve(Segments& from, std::uint32_t words);
  // Words of each lane that have been reserved.
  std::uint32_t used() const { return used_; }
  // Copies them lane after lane, used() words each, and gives the segments back.
  void takeTo(std::uint32_t* to, Segments& back);

 private:
  struct Segment {
    std::uint32_t* words = nullptr;
    std::uint32_t used = 0;
  };
  std::vector<Segment> segments_;
  std::uint32_t used_ = 0;
};

}  // namespace tileloom::executor::recorded
