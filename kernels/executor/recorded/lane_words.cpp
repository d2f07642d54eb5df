// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/recorded/lane_words.h"

#include <utility>

namespace tileloom::executor::recorded {
namespace {

constexpr std::size_t kWords = std::size_t{kSegmentWords} * kLanes;
constexpr std::uint32_t kSide = 4;  // of a square that is turned in vector registers

// Words of all lanes, one after the other, become lanes with their words: `stride` from one lane to
// the next.
void turn(const std::uint32_t* from, std::uint32_t words, std::uint32_t* to, std::size_t stride) {
  const std::uint32_t whole = words / kSide * kSide;
  // A few lanes at a time, so that each of them is written without a gap.
  for (std::uint32_t lane = 0; lane < kLanes; lane += kSide) {
    for (std::uint32_t word = 0; word < whole; word += kSide) {
      const std::uint32_t* const square = from + std::size_t{word} * kLanes + lane;
      for (std::uint32_t i = 0; i < kSide; ++i) {
        std::uint32_t* const row = to + (lane + i) * stride + word;
        for (std::uint32_t j = 0; j < kSide; ++j) row[j] = square[std::size_t{j} * kLanes + i];
      }
    }
  }
  for (std::uint32_t word = whole; word < words; ++word)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      to[lane * stride + word] = from[std::size_t{word} * kLanes + lane];
}

}  // namespace

Segments::~Segments() {
  for (emulator::WordPool::Chunk& each : chunks_) pool_->give(std::move(each));
}

std::uint32_t* Segments::take() {
  if (!free_.empty()) {
    std::uint32_t* const segment = free_.back();
    free_.pop_back();
    return segment;
  }
  if (chunks_.empty() || cut_ + kWords > chunks_.back().size) {
    chunks_.push_back(pool_->take(kWords));
    cut_ = 0;
  }
  std::uint32_t* const segment = chunks_.back().words.get() + cut_;
  cut_ += kWords;
  return segment;
}

std::uint32_t* LaneWords::reserve(Segments& from, std::uint32_t words) {
  if (segments_.empty() || segments_.back().used + words > kSegmentWords)
    segments_.push_back({from.take(), 0});
  Segment& last = segments_.back();
  std::uint32_t* const at = last.words + std::size_t{last.used} * kLanes;
  last.used += words;
  used_ += words;
  return at;
}

void LaneWords::takeTo(std::uint32_t* to, Segments& back) {
  std::size_t before = 0;
  for (const Segment& each : segments_) {
    turn(each.words, each.used, to + before, used_);
    before += each.used;
    back.give(each.words);
  }
  segments_.clear();
  used_ = 0;
}

}  // namespace tileloom::executor::recorded
