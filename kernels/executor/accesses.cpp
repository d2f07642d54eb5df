// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

std::uint64_t globalAddress(const Warp& warp, const Operation& o, std::uint32_t lane) {
  const auto& rows = warp.registers.rows;
  const std::uint64_t base = rows[o.base].lane[lane] | std::uint64_t{rows[o.baseUpper].lane[lane]}
                                                           << 32;
  return base + clusterWindow(warp, o, lane) + static_cast<std::uint64_t>(o.offset);
}

std::uint64_t sharedAddress(const Warp& warp, const Operation& o, std::uint32_t lane) {
  const auto& rows = warp.registers.rows;
  const std::uint32_t base = rows[o.base].lane[lane] * static_cast<std::uint32_t>(o.scale) +
                             rows[o.uniformBase].lane[lane];
  return warp.around().memory->own(base + static_cast<std::uint32_t>(o.offset));
}

// The words of an access from the row `first` on; RZ has only one row.
std::uint16_t rowOf(std::uint16_t first, unsigned word) {
  return first == kZeroRow || first == kWasteRow ? first : static_cast<std::uint16_t>(first + word);
}

// What is read, extended to words.
void load(Warp& warp, const Operation& o, std::uint32_t lane, const std::uint8_t* from) {
  auto& rows = warp.registers.rows;
  if (o.bytes >= 4) {
    for (unsigned word = 0; word < static_cast<unsigned>(o.bytes) / 4; ++word)
      std::memcpy(&rows[rowOf(o.result, word)].lane[lane], from + 4 * word, 4);
    return;
  }
  std::uint32_t value = 0;
  std::memcpy(&value, from, static_cast<std::size_t>(o.bytes));
  const int unused = 32 - 8 * o.bytes;
  if (o.extendsSign)
    value = static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
  rows[o.result].lane[lane] = value;
}

void store(const Warp& warp, const Operation& o, std::uint32_t lane, std::uint8_t* to) {
  const auto& rows = warp.registers.rows;
  for (int at = 0; at < o.bytes; at += 4) {
    const std::uint32_t value = rows[rowOf(o.a.row, static_cast<unsigned>(at) / 4)].lane[lane];
    std::memcpy(to + at, &value, static_cast<std::size_t>(std::min(4, o.bytes - at)));
  }
}

const char* nameOf(Memory memory) {
  return memory == Memory::Global ? "global" : memory == Memory::Shared ? "shared" : "local";
}

// Calls `access` with the bytes of each active lane, or says which lane is wrong. What the lanes
// have accessed is in `done`.
template <class Address, class Bytes, class Function>
void eachLane(Warp& warp, const Operation& o, Access& done, Address&& address, Bytes&& bytes,
              Function&& access) {
  for (std::uint32_t rest = warp.lanes(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint64_t at = address(lane);
    if (at % static_cast<std::uint64_t>(o.bytes) != 0) {
      return warp.fail(
          fmt::format("thread {} accesses {} bytes of {} memory at {:#x}, which is not "
                      "a multiple of {}",
                      warp.thread(lane), o.bytes, nameOf(done.memory), at, o.bytes));
    }
    std::uint8_t* place = bytes(lane, at);
    if (place == nullptr) {
      return warp.fail(
          fmt::format("thread {} accesses {} bytes of {} memory at {:#x}, where there "
                      "is none{}",
                      warp.thread(lane), o.bytes, nameOf(done.memory), at,
                      done.memory == Memory::Global ? ": " + warp.around().memory->outside(at)
                                                    : std::string()));
    }
    done.at[lane] = at;
    access(lane, place);
  }
}

template <class Address, class Bytes, class Function>
void eachLane(Warp& warp, const Operation& o, Memory memory, Use use, Address&& address,
              Bytes&& bytes, Function&& access) {
  Access done = begun(warp, o, memory, use);
  eachLane(warp, o, done, address, bytes, access);
  if (warp.around().observer != nullptr && memory == Memory::Global) nameWindow(warp, done);
  report(warp, done);
}

std::uint8_t* localBytes(Warp& warp, std::uint32_t lane, std::uint64_t at, int bytes) {
  auto& memory = warp.local(lane);
  const std::uint64_t end = at + static_cast<std::uint64_t>(bytes);
  if (end > warp.around().program->stackBytes) return nullptr;
  if (memory.size() < end) memory.resize(end);
  return memory.data() + at;
}

}  // namespace

void loadGlobal(Warp& warp, const Operation& o) {
  BlockMemory& memory = *warp.around().memory;
  const auto bytes = static_cast<std::uint32_t>(o.bytes);
  Access done = begun(warp, o, Memory::Global, Use::Load);
  eachLane(
      warp, o, done, [&](auto lane) { return globalAddress(warp, o, lane); },
      [&](auto lane, std::uint64_t at) {
        if (at >> 32 == kSharedWindow)
          return memory.ofCluster(static_cast<std::uint32_t>(at), bytes);
        if (at >> 32 == kLocalWindow) return localBytes(warp, lane, at & 0xffffffff, o.bytes);
        return memory.global(at, bytes);
      },
      [&](auto lane, std::uint8_t* place) { load(warp, o, lane, place); });
  const auto first = static_cast<std::size_t>(std::countr_zero(done.lanes));
  if (warp.state() == Warp::State::Failed || (o.strong && warp.polls(done.at[first]))) return;
  if (warp.around().observer != nullptr) nameWindow(warp, done);
  report(warp, done);
}

void storeGlobal(Warp& warp, const Operation& o) {
  BlockMemory& memory = *warp.around().memory;
  const auto bytes = static_cast<std::uint32_t>(o.bytes);
  eachLane(
      warp, o, Memory::Global, Use::Store, [&](auto lane) { return globalAddress(warp, o, lane); },
      [&](auto lane, std::uint64_t at) {
        if (at >> 32 == kSharedWindow)
          return memory.ofCluster(static_cast<std::uint32_t>(at), bytes);
        if (at >> 32 == kLocalWindow) return localBytes(warp, lane, at & 0xffffffff, o.bytes);
        return memory.global(at, bytes);
      },
      [&](auto lane, std::uint8_t* place) { store(warp, o, lane, place); });
}

void loadShared(Warp& warp, const Operation& o) {
  eachLane(
      warp, o, Memory::Shared, Use::Load, [&](auto lane) { return sharedAddress(warp, o, lane); },
      [&](auto, std::uint64_t at) {
        return warp.around().memory->shared(at, static_cast<std::uint32_t>(o.bytes));
      },
      [&](auto lane, std::uint8_t* place) { load(warp, o, lane, place); });
}

void storeShared(Warp& warp, const Operation& o) {
  eachLane(
      warp, o, Memory::Shared, Use::Store, [&](auto lane) { return sharedAddress(warp, o, lane); },
      [&](auto, std::uint64_t at) {
        return warp.around().memory->shared(at, static_cast<std::uint32_t>(o.bytes));
      },
      [&](auto lane, std::uint8_t* place) { store(warp, o, lane, place); });
}

void loadLocal(Warp& warp, const Operation& o) {
  eachLane(
      warp, o, Memory::Local, Use::Load, [&](auto lane) { return sharedAddress(warp, o, lane); },
      [&](auto lane, std::uint64_t at) { return localBytes(warp, lane, at, o.bytes); },
      [&](auto lane, std::uint8_t* place) { load(warp, o, lane, place); });
}

void storeLocal(Warp& warp, const Operation& o) {
  eachLane(
      warp, o, Memory::Local, Use::Store, [&](auto lane) { return sharedAddress(warp, o, lane); },
      [&](auto lane, std::uint64_t at) { return localBytes(warp, lane, at, o.bytes); },
      [&](auto lane, std::uint8_t* place) { store(warp, o, lane, place); });
}

void loadConstant(Warp& warp, const Operation& o) {
  const auto& bank = warp.around().program->constants[o.table];
  const Row index = warp.registers.rows[o.base];
  const std::uint32_t lanes = o.uniform ? kAllLanes : warp.lanes();
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t at = index.lane[lane] + static_cast<std::uint32_t>(o.offset);
    if (std::uint64_t{at} + static_cast<std::uint64_t>(o.bytes) > bank.size()) {
      return warp.fail(fmt::format("thread {} reads constant bank {} at {:#x}, outside of it",
                                   warp.thread(lane), o.table, at));
    }
    load(warp, o, lane, bank.data() + at);
  }
}

void copyToShared(Warp& warp, const Operation& o) {
  BlockMemory& memory = *warp.around().memory;
  const std::uint32_t copied = truth(warp.registers, o.p);
  const auto& rows = warp.registers.rows;
  Access done = begun(warp, o, Memory::Shared, Use::Copy);
  done.reads = done.lanes & copied;
  eachLane(
      warp, o, done, [&](auto lane) { return sharedAddress(warp, o, lane); },
      [&](auto, std::uint64_t at) {
        return memory.shared(at, static_cast<std::uint32_t>(o.bytes));
      },
      [&](auto lane, std::uint8_t* place) {
        if ((copied >> lane & 1) == 0) {
          std::memset(place, 0, static_cast<std::size_t>(o.bytes));
          return;
        }
        const std::uint64_t from = (rows[o.globalBase].lane[lane] |
                                    std::uint64_t{rows[o.globalBaseUpper].lane[lane]} << 32) +
                                   static_cast<std::uint64_t>(o.globalOffset);
        if (from % static_cast<std::uint64_t>(o.bytes) != 0) {
          return warp.fail(
              fmt::format("thread {} copies {} bytes of global memory from {:#x}, "
                          "which is not a multiple of {}",
                          warp.thread(lane), o.bytes, from, o.bytes));
        }
        const std::uint8_t* bytes = memory.global(from, static_cast<std::uint32_t>(o.bytes));
        if (bytes == nullptr) {
          return warp.fail(
              fmt::format("thread {} copies {} bytes of global memory from {:#x}, "
                          "where there is none: {}",
                          warp.thread(lane), o.bytes, from, memory.outside(from)));
        }
        done.from[lane] = from;
        std::memcpy(place, bytes, static_cast<std::size_t>(o.bytes));
      });
  report(warp, done);
}

}  // namespace tileloom::executor
