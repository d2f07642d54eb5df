// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/atomics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/executor/reporting.h"
#include "kernels/executor/short_numbers.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

// The number of a source or result, of 4 or 8 bytes.
std::uint64_t numberOf(const Warp& warp, std::uint16_t row, std::uint32_t lane, int bytes) {
  const auto& rows = warp.registers.rows;
  const std::uint64_t low = rows[row].lane[lane];
  if (bytes == 4 || row == kZeroRow) return low;
  return low | std::uint64_t{rows[row + 1u].lane[lane]} << 32;
}

// FP32 in global memory: denormal numbers are zero.
float flushedSum(float x, float y) {
  const auto flush = [](float value) {
    return std::abs(value) < std::numeric_limits<float>::min() ? std::copysign(0.0f, value) : value;
  };
  return flush(flush(x) + flush(y));
}

std::uint64_t sumOf(AtomicNumber type, std::uint64_t x, std::uint64_t y) {
  switch (type) {
    case AtomicNumber::Fp32: {
      const float sum = flushedSum(std::bit_cast<float>(static_cast<std::uint32_t>(x)),
                                   std::bit_cast<float>(static_cast<std::uint32_t>(y)));
      return std::isnan(sum) ? 0x7fffffffu : std::bit_cast<std::uint32_t>(sum);
    }
    case AtomicNumber::Fp64:
      return std::bit_cast<std::uint64_t>(std::bit_cast<double>(x) + std::bit_cast<double>(y));
    case AtomicNumber::Fp16Pair: {
      const auto half = [&](int shift) {
        const double sum = Half::value(static_cast<std::uint16_t>(x >> shift)) +
                           Half::value(static_cast<std::uint16_t>(y >> shift));
        return std::uint64_t{Half::nearest(sum)} << shift;
      };
      return half(0) | half(16);
    }
    case AtomicNumber::Whole:
      break;
  }
  return x + y;
}

// What is stored where `before` is found.
std::uint64_t stored(const Operation& o, std::uint64_t before, std::uint64_t a, std::uint64_t b) {
  const auto ordered = [&](std::uint64_t x) {
    if (!o.isSigned) return x;
    // In the order of signed numbers.
    return x ^ std::uint64_t{1} << (8 * o.bytes - 1);
  };
  switch (static_cast<Atomic>(o.kind)) {
    case Atomic::Add:
      return sumOf(static_cast<AtomicNumber>(o.table), before, a);
    case Atomic::Least:
      return ordered(a) < ordered(before) ? a : before;
    case Atomic::Most:
      return ordered(a) > ordered(before) ? a : before;
    case Atomic::Increment:
      return before >= a ? 0 : before + 1;
    case Atomic::Decrement:
      return before == 0 || before > a ? a : before - 1;
    case Atomic::And:
      return before & a;
    case Atomic::Or:
      return before | a;
    case Atomic::Xor:
      return before ^ a;
    case Atomic::Exchange:
      return a;
    case Atomic::Compare:
    case Atomic::CompareTest:
      return before == a ? b : before;
  }
  return before;
}

void replace(Warp& warp, const Operation& o, std::uint32_t lane, std::uint8_t* place) {
  const auto bytes = static_cast<std::size_t>(o.bytes);
  std::uint64_t before = 0;
  std::memcpy(&before, place, bytes);
  const std::uint64_t a = numberOf(warp, o.a.row, lane, o.bytes);
  const std::uint64_t b = numberOf(warp, o.b.row, lane, o.bytes);
  const std::uint64_t after = stored(o, before, a, b);
  std::memcpy(place, &after, bytes);
  const std::uint64_t result =
      static_cast<Atomic>(o.kind) == Atomic::CompareTest ? std::uint64_t{before == a} : before;
  auto& rows = warp.registers.rows;
  rows[o.result].lane[lane] = static_cast<std::uint32_t>(result);
  if (o.bytes == 8 && o.result != kWasteRow)
    rows[o.result + 1u].lane[lane] = static_cast<std::uint32_t>(result >> 32);
}

// Changes the bytes of each active lane, or says which lane is wrong.
template <class Address, class Bytes>
void eachPlace(Warp& warp, const Operation& o, Memory memory, Address&& address, Bytes&& bytes) {
  Access done = begun(warp, o, memory, o.result == kWasteRow ? Use::Reduction : Use::Atomic);
  for (std::uint32_t rest = warp.lanes(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint64_t at = address(lane);
    const bool aligned = at % static_cast<std::uint64_t>(o.bytes) == 0;
    std::uint8_t* place = aligned ? bytes(at) : nullptr;
    if (place == nullptr) {
      return warp.fail(fmt::format(
          "thread {} changes {} bytes of {} memory at {:#x}, {}", warp.thread(lane), o.bytes,
          memory == Memory::Global ? "global" : "shared", at,
          aligned ? "where there is none" : fmt::format("which is not a multiple of {}", o.bytes)));
    }
    done.at[lane] = at;
    replace(warp, o, lane, place);
  }
  if (memory == Memory::Global) nameWindow(warp, done);
  report(warp, done);
}

}  // namespace

void atomicGlobal(Warp& warp, const Operation& o) {
  BlockMemory& memory = *warp.around().memory;
  const auto& rows = warp.registers.rows;
  const auto bytes = static_cast<std::uint32_t>(o.bytes);
  eachPlace(
      warp, o, Memory::Global,
      [&](auto lane) {
        return (rows[o.base].lane[lane] | std::uint64_t{rows[o.baseUpper].lane[lane]} << 32) +
               clusterWindow(warp, o, lane) + static_cast<std::uint64_t>(o.offset);
      },
      [&](std::uint64_t at) {
        return at >> 32 == kSharedWindow ? memory.ofCluster(static_cast<std::uint32_t>(at), bytes)
                                         : memory.global(at, bytes);
      });
  put(warp.registers, o.first, warp.lanes(), kAllLanes);
}

void atomicShared(Warp& warp, const Operation& o) {
  const auto& rows = warp.registers.rows;
  eachPlace(
      warp, o, Memory::Shared,
      [&](auto lane) -> std::uint64_t {
        return warp.around().memory->own(
            rows[o.base].lane[lane] * static_cast<std::uint32_t>(o.scale) +
            rows[o.uniformBase].lane[lane] + static_cast<std::uint32_t>(o.offset));
      },
      [&](std::uint64_t at) {
        return warp.around().memory->shared(at, static_cast<std::uint32_t>(o.bytes));
      });
}

}  // namespace tileloom::executor
