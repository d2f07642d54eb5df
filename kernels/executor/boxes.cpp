// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/emulator/asynchronous.h"
#include "kernels/executor/mbarriers.h"
#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

std::string whyNot(const TensorMap& map) {
  constexpr std::uint32_t kMostSide = 256, kChunk = 16;
  if (map.dimensions < 1 || map.dimensions > TensorMap::kMostDimensions)
    return fmt::format("a tensor map has 1 to 5 dimensions, but not {}", map.dimensions);
  if (map.elementBytes != 1 && map.elementBytes != 2 && map.elementBytes != 4 &&
      map.elementBytes != 8)
    return fmt::format("a tensor map has elements of 1, 2, 4 or 8 bytes, but not {}",
                       map.elementBytes);
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i < map.dimensions; ++i) {
    if (map.box[i] < 1 || map.box[i] > kMostSide)
      return fmt::format("a side of a box has 1 to 256 elements, but not {}", map.box[i]);
    if (map.extents[i] > std::uint64_t{1} << 32)
      return fmt::format("a side of a tensor has at most 4,294,967,296 elements, but not {}",
                         map.extents[i]);
    if (i > 0 && (map.strides[i] % kChunk != 0 || map.strides[i] >= std::uint64_t{1} << 40))
      return fmt::format("a stride of a tensor is a multiple of 16 bytes below 2^40, but not {}",
                         map.strides[i]);
    if (i > 0) rows *= map.box[i];
  }
  if (map.rowBytes() % kChunk != 0)
    return fmt::format("a row of a box has a multiple of 16 bytes, but not {}", map.rowBytes());
  if (rows * map.rowBytes() > kMostShared)
    return fmt::format("a box has at most {} bytes", kMostShared);
  const std::uint32_t span = map.swizzle;
  if (span != 0 && span != 32 && span != 64 && span != 128)
    return fmt::format("a swizzle has 32, 64 or 128 bytes, but not {}", span);
  if (span != 0 && map.rowBytes() > span)
    return fmt::format("a row of a box has {} bytes, more than its swizzle of {}", map.rowBytes(),
                       span);
  if (map.address % kChunk != 0)
    return fmt::format("a tensor begins at {:#x}, which is not a multiple of 16", map.address);
  return {};
}

BoxRow boxRow(const TensorMap& map,
              const std::array<std::int32_t, TensorMap::kMostDimensions>& first,
              std::uint32_t number) {
  BoxRow row;
  std::uint64_t address = map.address;
  for (std::size_t i = 1; i < map.dimensions; ++i) {
    const std::int64_t at = std::int64_t{first[i]} + number % map.box[i];
    number /= map.box[i];
    if (at < 0 || at >= static_cast<std::int64_t>(map.extents[i])) return row;
    address += static_cast<std::uint64_t>(at) * map.strides[i];
  }
  const std::int64_t left = first[0], end = static_cast<std::int64_t>(map.extents[0]);
  const std::int64_t from = std::max<std::int64_t>(0, -left);
  const std::int64_t to = std::min<std::int64_t>(map.box[0], end - left);
  if (from >= to) return row;
  row.from = static_cast<std::uint32_t>(from);
  row.to = static_cast<std::uint32_t>(to);
  row.address = address + static_cast<std::uint64_t>(left + from) * map.elementBytes;
  return row;
}

namespace {

constexpr std::uint32_t kChunk = 16, kBoxAlign = 128, kMostRowBytes = 256 * 8;

using Corner = std::array<std::int32_t, TensorMap::kMostDimensions>;

// nullptr: the warp has failed.
const TensorMap* mapOf(Warp& warp, const Operation& o) {
  const std::uint64_t address = uniformWord(warp.registers, o.globalBase, 0) |
                                std::uint64_t{uniformWord(warp.registers, o.globalBase, 1)} << 32;
  const TensorMap* const map = warp.around().memory->tensorMap(address);
  if (map == nullptr)
    warp.fail(fmt::format("warp {} names a tensor map at {:#x}, where there is none", warp.number(),
                          address));
  else if (map->dimensions != o.table)
    warp.fail(fmt::format("warp {} names {} coordinates of a tensor of {} dimensions",
                          warp.number(), o.table, map->dimensions));
  return warp.state() == Warp::State::Failed ? nullptr : map;
}

// The bytes of a box in shared memory, from its first byte on; nullptr: the warp has failed. A
// swizzle exchanges chunks of a line, so that the last line is used whole.
std::uint8_t* placeOf(Warp& warp, BlockMemory* owner, std::uint32_t address, const TensorMap& map) {
  const std::uint32_t bytes =
      map.swizzle == 0 ? map.boxBytes() : (map.boxBytes() + kBoxAlign - 1) / kBoxAlign * kBoxAlign;
  const bool aligned = address % kBoxAlign == 0;
  std::uint8_t* const place = aligned && owner != nullptr ? owner->shared(address, bytes) : nullptr;
  if (place == nullptr)
    warp.fail(fmt::format("warp {} copies a box of {} bytes at {:#x} of shared memory, {}",
                          warp.number(), map.boxBytes(), address,
                          aligned ? "where there is none" : "which is not a multiple of 128"));
  return place;
}

// The bytes of a row in global memory; nullptr: the warp has failed.
std::uint8_t* globalOf(Warp& warp, const TensorMap& map, const BoxRow& row) {
  const std::uint32_t bytes = (row.to - row.from) * map.elementBytes;
  BlockMemory& memory = *warp.around().memory;
  std::uint8_t* const place = memory.global(row.address, bytes);
  if (place == nullptr)
    warp.fail(fmt::format("warp {} copies {} bytes of a tensor at {:#x}, where there is none: {}",
                          warp.number(), bytes, row.address, memory.outside(row.address)));
  return place;
}

// Calls `move(chunk of shared memory, bytes from the row's first one)` for each chunk of a row.
template <class Move>
void eachChunk(const TensorMap& map, std::uint32_t address, std::uint8_t* place,
               std::uint32_t number, Move&& move) {
  const std::uint32_t base = address & kPlaceMask, bytes = map.rowBytes();
  for (std::uint32_t at = 0; at < bytes; at += kChunk)
    move(place + (emulator::swizzled(base + number * bytes + at, map.swizzle) - base), at);
}

void fill(Warp& warp, const TensorMap& map, const Corner& first, std::uint32_t address,
          std::uint8_t* place) {
  std::array<std::uint8_t, kMostRowBytes> line;
  for (std::uint32_t number = 0; number < map.boxRows(); ++number) {
    const BoxRow row = boxRow(map, first, number);
    std::memset(line.data(), 0, map.rowBytes());
    if (row.to > row.from) {
      const std::uint8_t* const from = globalOf(warp, map, row);
      if (from == nullptr) return;
      std::memcpy(line.data() + row.from * map.elementBytes, from,
                  (row.to - row.from) * map.elementBytes);
    }
    eachChunk(map, address, place, number, [&](std::uint8_t* chunk, std::uint32_t at) {
      std::memcpy(chunk, line.data() + at, kChunk);
    });
  }
}

}  // namespace

void loadBox(Warp& warp, const Operation& o) {
  const TensorMap* const map = mapOf(warp, o);
  if (map == nullptr) return;
  BlockMemory& memory = *warp.around().memory;
  BoxCopy copy{issueOf(warp), map, false, {}, 0, 0, 0, o.wide, 0};
  const std::uint32_t address = uniformWord(warp.registers, o.base, 0),
                      barrier = uniformWord(warp.registers, o.base, 1);
  for (std::uint32_t i = 0; i < o.table; ++i)
    copy.first[i] = static_cast<std::int32_t>(uniformWord(warp.registers, o.base, 2 + i));
  copy.shared = address & kPlaceMask;
  copy.owner = address >> kRankShift;
  copy.barrier = barrier & kPlaceMask;
  copy.ranks = o.wide ? uniformWord(warp.registers, o.uniformBase, 0) >> 16
               : copy.owner < kMostClusterBlocks ? 1u << copy.owner
                                                 : 0;
  if (copy.ranks == 0)
    return warp.fail(fmt::format("warp {} loads a box for no block of its cluster", warp.number()));
  for (std::uint32_t rank = 0; copy.ranks >> rank != 0; ++rank) {
    if ((copy.ranks >> rank & 1) == 0) continue;
    BlockMemory* const owner = memory.peer(rank);
    if (owner == nullptr)
      return warp.fail(fmt::format("warp {} loads a box for block {} of its cluster, which is none",
                                   warp.number(), rank));
    const std::uint32_t its = rank << kRankShift | copy.shared;
    std::uint8_t* const place = placeOf(warp, owner, its, *map);
    if (place == nullptr) return;
    fill(warp, *map, copy.first, its, place);
    if (warp.state() == Warp::State::Failed) return;
  }
  if (Observer* const observer = warp.around().observer; observer != nullptr)
    observer->seeBox(copy);
  for (std::uint32_t rank = 0; copy.ranks >> rank != 0; ++rank) {
    if ((copy.ranks >> rank & 1) == 0) continue;
    // The same place in each block.
    if (!change(warp, rank << kRankShift | copy.barrier, 0, -std::int64_t{map->boxBytes()})) return;
  }
}

void storeBox(Warp& warp, const Operation& o) {
  const TensorMap* const map = mapOf(warp, o);
  if (map == nullptr) return;
  BlockMemory& memory = *warp.around().memory;
  BoxCopy copy{issueOf(warp), map, true, {}, 0, memory.rank(), 0, false, 0};
  const std::uint32_t address = memory.own(uniformWord(warp.registers, o.base, 0));
  for (std::uint32_t i = 0; i < o.table; ++i)
    copy.first[i] = static_cast<std::int32_t>(uniformWord(warp.registers, o.base, 1 + i));
  copy.shared = address;
  const std::uint8_t* const place = placeOf(warp, &memory, address, *map);
  if (place == nullptr) return;
  std::array<std::uint8_t, kMostRowBytes> line;
  for (std::uint32_t number = 0; number < map->boxRows(); ++number) {
    const BoxRow row = boxRow(*map, copy.first, number);
    if (row.to <= row.from) continue;
    std::uint8_t* const to = globalOf(warp, *map, row);
    if (to == nullptr) return;
    eachChunk(*map, address, const_cast<std::uint8_t*>(place), number,
              [&](const std::uint8_t* chunk, std::uint32_t at) {
                std::memcpy(line.data() + at, chunk, kChunk);
              });
    std::memcpy(to, line.data() + row.from * map->elementBytes,
                (row.to - row.from) * map->elementBytes);
  }
  if (Observer* const observer = warp.around().observer; observer != nullptr)
    observer->seeBox(copy);
}

}  // namespace tileloom::executor
