// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/bulk_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/executor/mbarriers.h"
#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

constexpr std::uint32_t kBulkUnit = 16;

std::uint64_t uniformPair(const Warp& warp, std::uint16_t first) {
  return uniformWord(warp.registers, first, 0) |
         std::uint64_t{uniformWord(warp.registers, first, 1)} << 32;
}

// nullptr: the warp has failed.
std::uint8_t* placeOf(Warp& warp, bool global, std::uint64_t address, std::uint32_t bytes) {
  BlockMemory& memory = *warp.around().memory;
  const bool aligned = address % kBulkUnit == 0;
  std::uint8_t* place = nullptr;
  if (aligned)
    place = global ? memory.global(address, bytes)
                   : memory.ofCluster(static_cast<std::uint32_t>(address), bytes);
  if (place == nullptr)
    warp.fail(fmt::format("warp {} copies {} bytes of {} memory at {:#x}, {}", warp.number(), bytes,
                          global ? "global" : "shared", address,
                          !aligned ? "which is not a multiple of 16"
                          : global ? fmt::format("where there is none: {}", memory.outside(address))
                                   : "where there is none"));
  return place;
}

void addFloats(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  for (std::uint32_t at = 0; at < bytes; at += 4) {
    float x = 0, y = 0;
    std::memcpy(&x, to + at, 4);
    std::memcpy(&y, from + at, 4);
    x += y;
    std::memcpy(to + at, &x, 4);
  }
}

}  // namespace

void copyBulk(Warp& warp, const Operation& o) {
  const std::uint32_t units = uniformWord(warp.registers, o.uniformBase, 0);
  if (units > kMostShared / kBulkUnit)
    return warp.fail(fmt::format("warp {} copies {} times 16 bytes, more than shared memory has",
                                 warp.number(), units));
  BulkCopy copy;
  copy.issue = issueOf(warp);
  copy.fromGlobal = o.kind == kGlobalToShared;
  copy.toGlobal = o.kind == kSharedToGlobal || o.kind == kAddToGlobal;
  copy.adds = o.kind == kAddToGlobal;
  copy.bytes = units * kBulkUnit;
  copy.to = copy.toGlobal ? uniformPair(warp, o.base) : uniformWord(warp.registers, o.base, 0);
  copy.barrier = copy.toGlobal ? 0 : uniformWord(warp.registers, o.base, 1);
  copy.from = copy.fromGlobal ? uniformPair(warp, o.globalBase)
                              : uniformWord(warp.registers, o.globalBase, 0);
  const std::uint8_t* const from = placeOf(warp, copy.fromGlobal, copy.from, copy.bytes);
  if (from == nullptr) return;
  std::uint8_t* const to = placeOf(warp, copy.toGlobal, copy.to, copy.bytes);
  if (to == nullptr) return;
  copy.adds ? addFloats(to, from, copy.bytes)
            : static_cast<void>(std::memmove(to, from, copy.bytes));
  if (Observer* const observer = warp.around().observer; observer != nullptr)
    observer->seeBulk(copy);
  if (!copy.toGlobal) change(warp, copy.barrier, 0, -std::int64_t{copy.bytes});
}

void storeRemote(Warp& warp, const Operation& o) {
  const auto& rows = warp.registers.rows;
  constexpr std::uint32_t kBytes = 4;
  Access done = begun(warp, o, Memory::Shared, Use::Store);
  for (std::uint32_t rest = warp.lanes(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t address = rows[o.base].lane[lane] + static_cast<std::uint32_t>(o.offset);
    const bool aligned = address % kBytes == 0;
    std::uint8_t* const place =
        aligned ? warp.around().memory->ofCluster(address, kBytes) : nullptr;
    if (place == nullptr)
      return warp.fail(
          fmt::format("thread {} stores 4 bytes of shared memory of its cluster at "
                      "{:#x}, {}",
                      warp.thread(lane), address,
                      aligned ? "where there is none" : "which is not a multiple of 4"));
    std::memcpy(place, &rows[o.a.row].lane[lane], kBytes);
    done.at[lane] = std::uint64_t{kSharedWindow} << 32 | address;
  }
  nameWindow(warp, done);
  report(warp, done);
  for (std::uint32_t rest = warp.lanes(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (!change(warp, rows[o.baseUpper].lane[lane], 0, -std::int64_t{kBytes})) return;
  }
}

}  // namespace tileloom::executor
