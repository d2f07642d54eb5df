// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/trace.h"

#include <algorithm>
#include <cstring>

#include "kernels/emulator/shared_words.h"

namespace tileloom::emulator {

WordPool::Chunk WordPool::take(std::size_t words) {
  {
    const std::lock_guard lock(mutex_);
    // The tightest fit, so that large chunks are left for a large trace.
    auto best = free_.end();
    for (auto chunk = free_.begin(); chunk != free_.end(); ++chunk) {
      if (chunk->size >= words && (best == free_.end() || chunk->size < best->size)) best = chunk;
    }
    if (best != free_.end()) {
      Chunk chunk = std::move(*best);
      free_.erase(best);
      kept_ -= chunk.size;
      return chunk;
    }
  }
  const std::size_t size = std::max(words, kChunkWords);
  return {std::make_unique_for_overwrite<std::uint32_t[]>(size), size};
}

void WordPool::give(Chunk chunk) {
  const std::lock_guard lock(mutex_);
  kept_ += chunk.size;
  free_.push_back(std::move(chunk));
  // The chunk that was returned longest ago is least likely to have the size now in use.
  while (kept_ > kKeptWords) {
    kept_ -= free_.front().size;
    free_.erase(free_.begin());
  }
}

std::size_t WordPool::freeWords() {
  const std::lock_guard lock(mutex_);
  return kept_;
}

void WordPool::clear() {
  std::vector<Chunk> freed;  // freed after the lock
  const std::lock_guard lock(mutex_);
  freed.swap(free_);
  kept_ = 0;
}

std::shared_ptr<WordPool> sharedWords() {
  static const auto words = std::make_shared<WordPool>();
  return words;
}

std::size_t freeSharedBytes() {
  return sharedWords()->freeWords() * sizeof(std::uint32_t);
}

std::size_t mostFreeSharedBytes() {
  return WordPool::kKeptWords * sizeof(std::uint32_t);
}

void clearSharedWords() {
  sharedWords()->clear();
}

Trace::~Trace() {
  for (WordPool::Chunk& chunk : chunks_) pool_->give(std::move(chunk));
}

std::uint32_t* Trace::allocate(std::size_t words) {
  if (chunks_.empty() || chunkUsed_ + words > chunks_.back().size) {
    chunks_.push_back(pool_->take(words));
    chunkUsed_ = 0;
  }
  std::uint32_t* start = chunks_.back().words.get() + chunkUsed_;
  chunkUsed_ += words;
  return start;
}

WarpInterval Trace::at(std::uint32_t warp, std::uint32_t interval) const {
  const Stored& s = stored_[std::size_t{interval} * warps + warp];
  return {s.warp,
          s.interval,
          s.stride,
          s.stride,
          *s.instructions,
          s.words,
          s.laneOffsets.empty() ? nullptr : s.laneOffsets.data()};
}

std::uint32_t* Trace::append(const WarpInterval& view) {
  Stored s;
  s.warp = view.warp;
  s.interval = view.interval;
  // Warps of a tiled kernel run the same instructions: one list serves them all.
  if (!stored_.empty() && std::ranges::equal(*stored_.back().instructions, view.instructions)) {
    s.instructions = stored_.back().instructions;
  } else {
    s.instructions = std::make_shared<const std::vector<Instruction>>(view.instructions.begin(),
                                                                      view.instructions.end());
  }
  if (view.laneOffsets != nullptr) {
    s.laneOffsets.assign(view.laneOffsets, view.laneOffsets + view.instructions.size() * kWarpSize);
  }
  s.stride = view.used;
  std::uint32_t* words = allocate(std::size_t{s.stride} * kWarpSize);
  s.words = words;
  for (std::uint32_t lane = 0; view.words != nullptr && lane < kWarpSize; ++lane) {
    std::memcpy(words + std::size_t{lane} * s.stride, view.words + std::size_t{lane} * view.stride,
                s.stride * sizeof(std::uint32_t));
  }
  intervals_ = std::max(intervals_, view.interval + 1);
  stored_.push_back(std::move(s));
  return words;
}

Features Trace::featuresNow() const {
  Features f;
  f.sharedTiles =
      std::ranges::any_of(arrays, [](const Array& a) { return a.space == Space::Shared; });
  f.roles = !roles.empty();
  f.cluster = cluster > 1;
  f.persistent = persistent;
  for (const Stored& s : stored_) {
    for (const Instruction& i : *s.instructions) {
      f.warpMma = f.warpMma || i.kind == Kind::Mma;
      f.warpgroupMma = f.warpgroupMma || i.kind == Kind::Product;
      f.tma = f.tma || i.kind == Kind::BoxLoad;
      f.tmaStores = f.tmaStores || i.kind == Kind::BoxStore;
      f.asyncCopies = f.asyncCopies || i.kind == Kind::AsyncCopy;
    }
  }
  return f;
}

// By interval and warp, without gaps.
void Trace::putInOrder() {
  const auto place = [this](const Stored& s) { return std::size_t{s.interval} * warps + s.warp; };
  const std::size_t count = std::size_t{intervals_} * warps;
  if (stored_.size() == count && std::ranges::is_sorted(stored_, {}, place)) return;
  const auto nothing = std::make_shared<const std::vector<Instruction>>();
  std::vector<Stored> ordered(count);
  for (std::size_t i = 0; i < count; ++i) {
    ordered[i].warp = static_cast<std::uint32_t>(i % warps);
    ordered[i].interval = static_cast<std::uint32_t>(i / warps);
    ordered[i].instructions = nothing;
  }
  for (Stored& each : stored_) ordered[place(each)] = std::move(each);
  stored_ = std::move(ordered);
}

void Trace::finish() {
  putInOrder();
  features_ = featuresNow();
  for (const Stored& s : stored_) {
    for (const Instruction& i : *s.instructions) {
      if (i.kind == Kind::Mma || i.kind == Kind::Product) mma_ = &i.mma();
    }
    if (mma_ != nullptr) break;
  }
  starts_.assign(warps, {});
  owners_.assign(threads, {});
  for (std::uint32_t w = 0; w < warps; ++w) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < intervals_; ++i) {
      starts_[w].push_back(count);
      count += static_cast<std::uint32_t>(at(w, i).instructions.size());
    }
    starts_[w].push_back(count);
  }
  const auto own = [this](std::uint32_t thread, std::uint32_t slot, std::uint32_t element) {
    auto& owner = owners_[thread];
    if (owner.size() <= slot) owner.resize(slot + 1, kNoElement);
    owner[slot] = element;
  };
  const Array& c = arrays[kArrayC];
  for (const BoxStoreRecord& store : boxStores) {
    const BoxRecord& box = store.box;
    for (std::uint32_t i = 0; i < store.values.size(); ++i) {
      const Provenance value = store.values[i];
      const std::int64_t row = box.y + std::int64_t{i / box.columns};
      const std::int64_t column = box.x + std::int64_t{i % box.columns};
      if (value.isAccumulator() && row >= 0 && row < c.rows && column >= 0 && column < c.columns)
        own(value.owner(0), value.slot(), static_cast<std::uint32_t>(row * c.columns + column));
    }
  }
  for (const Stored& s : stored_) {
    const WarpInterval view = at(s.warp, s.interval);
    for (std::size_t i = 0; i < view.instructions.size(); ++i) {
      const Instruction& instruction = view.instructions[i];
      if (instruction.kind != Kind::GlobalStore || instruction.array != kArrayC) continue;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((instruction.mask >> lane & 1u) == 0) continue;
        const std::uint32_t* words = view.payload(i, lane);
        const std::uint32_t thread = s.warp * kWarpSize + lane;
        for (std::uint32_t w = 0; w < instruction.elements(); ++w) {
          const Provenance value(words[1 + w]);
          if (!value.isAccumulator()) continue;
          own(value.owner(thread), value.slot(), words[0] + w);
        }
      }
    }
  }
}

std::uint32_t Trace::length(std::uint32_t warp) const {
  return starts_[warp].back();
}

Position Trace::position(std::uint32_t warp, std::uint32_t index) const {
  const auto& starts = starts_[warp];
  const auto after = std::upper_bound(starts.begin(), starts.end() - 1, index);
  const auto interval = static_cast<std::uint32_t>(after - starts.begin()) - 1;
  return {interval, index - starts[interval]};
}

std::uint32_t Trace::indexOf(std::uint32_t warp, const Position& position) const {
  return starts_[warp][position.interval] + position.instruction;
}

std::uint32_t Trace::accumulatorElement(std::uint32_t thread, std::uint32_t slot) const {
  const auto& owner = owners_[thread];
  return slot < owner.size() ? owner[slot] : kNoElement;
}

std::uint32_t Trace::accumulators(std::uint32_t thread) const {
  return static_cast<std::uint32_t>(owners_[thread].size());
}

std::size_t Trace::memory() const {
  std::size_t bytes = 0;
  for (const Stored& s : stored_) {
    bytes += std::size_t{s.stride} * kWarpSize * sizeof(std::uint32_t);
    bytes += s.laneOffsets.size() * sizeof(std::uint32_t);
    if (s.warp == 0) bytes += s.instructions->size() * sizeof(Instruction);
  }
  return bytes;
}

}  // namespace tileloom::emulator
