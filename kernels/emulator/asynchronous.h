// SPDX-License-Identifier: GPL-3.0-or-later
// What a block requests from its agents: TMA boxes, mbarriers, and wgmma instructions, with the two
// layouts that the hardware fixes for them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/emulator/origin.h"
#include "kernels/emulator/provenance.h"
#include "kernels/tile/mma.h"

namespace tileloom::emulator {

inline constexpr std::uint32_t kWarpsPerGroup = 4;

// In a line of 128 bytes, chunks of 16 bytes are at their number XOR that of the line, within the
// span of the swizzle (32, 64 or 128 bytes; 0: no swizzle). `address` is in bytes, from the
// beginning of shared memory, and is the place without a swizzle (PTX ISA, "Swizzling modes"; CuTe
// Swizzle<B, 4, 3>).
constexpr std::uint32_t swizzled(std::uint32_t address, std::uint32_t span) {
  return span == 0 ? address : address ^ ((address >> 7 & (span / 16 - 1)) << 4);
}

// One of a block's mbarriers.
struct BarrierRecord {
  std::string name;  // of its array
  std::uint32_t index = 0;
};

// Another block of the cluster has arrived at a barrier of this one.
struct RemoteArrival {
  std::uint32_t barrier = 0;
  std::uint32_t phase = 0;  // in which it arrived
  std::uint32_t interval = 0;
  std::uint32_t rank = 0, warp = 0;  // of the arriving warp
  std::uint16_t line = 0;
};

// A TMA load.
struct BoxRecord {
  std::uint32_t matrix = 0;
  std::int32_t x = 0, y = 0;  // column and row of its first element
  std::uint32_t columns = 0, rows = 0, swizzle = 0;
  std::uint32_t array = 0;    // shared
  std::uint32_t index = 0;    // of its first element there
  std::uint32_t address = 0;  // of that, in bytes from the beginning of shared memory
  std::uint32_t barrier = 0;
  std::uint32_t phase = 0;    // of the barrier, which ends when the bytes have arrived
  std::uint32_t bytes = 0;    // that the barrier counts: those outside the matrix, too
  std::uint32_t outside = 0;  // elements, which are zeros
  std::uint32_t warp = 0;     // that issued it
  std::uint16_t line = 0;
  std::uint32_t code = Site::kNoAddress;  // of its instruction in machine code
  // For a block in a cluster: the rank of the block that issued it, when, and the ranks that
  // receive it, a bit each.
  std::uint32_t rank = 0, interval = 0, ranks = 1;
  bool multicast = false;  // the instruction names the blocks, even if only its own
  std::uint32_t walk = 0;  // which of the traced block tiles it is for

  // Of `bytes`, those of elements outside the matrix.
  std::uint32_t outsideBytes() const {
    const std::uint64_t elements = std::uint64_t{rows} * columns;
    return elements == 0 ? 0
                         : static_cast<std::uint32_t>(std::uint64_t{bytes} * outside / elements);
  }
  // The byte of shared memory that holds element `column` of row `row` of the box.
  std::uint32_t byteOf(std::uint32_t row, std::uint32_t column) const {
    return swizzled(address + row * columns * 2 + column * 2, swizzle);
  }
};

// A TMA store. In `box`, barrier, phase, rank and ranks mean nothing.
struct BoxStoreRecord {
  BoxRecord box;
  std::uint32_t group = 0;         // of the warp's TMA stores, from 0
  std::vector<Provenance> values;  // by row and column of the box
};

// Where a tensor core finds an operand of a wgmma: the 64 bits of a matrix descriptor (PTX ISA,
// "Matrix descriptor"), in bytes.
struct Operand {
  std::uint32_t start = 0, lead = 0, stride = 0;
  std::uint32_t swizzle = 0;  // 0: none

  // The byte of an element in an operand whose rows are along k: row 0 to 63 of A, k 0 to 15.
  std::uint32_t alongK(std::uint32_t row, std::uint32_t k) const {
    return swizzled(start + row / 8 * stride + row % 8 * swizzle + k * 2, swizzle);
  }
  // The same for an operand whose rows are along n.
  std::uint32_t alongN(std::uint32_t k, std::uint32_t n) const {
    const std::uint32_t panel = swizzle / 2;
    return swizzled(start + n / panel * lead + k / 8 * stride + k % 8 * swizzle + n % panel * 2,
                    swizzle);
  }
};

constexpr std::uint64_t packed(const Operand& o) {
  const std::uint64_t pattern = o.swizzle == 128  ? 1
                                : o.swizzle == 64 ? 2
                                : o.swizzle == 32 ? 3
                                                  : 0;
  return std::uint64_t{(o.start & 0x3FFFF) >> 4} | std::uint64_t{o.lead >> 4} << 16 |
         std::uint64_t{o.stride >> 4} << 32 | pattern << 62;
}
constexpr Operand unpacked(std::uint64_t bits) {
  constexpr std::uint32_t kSpans[] = {0, 128, 64, 32};
  return {static_cast<std::uint32_t>(bits & 0x3FFF) << 4,
          static_cast<std::uint32_t>(bits >> 16 & 0x3FFF) << 4,
          static_cast<std::uint32_t>(bits >> 32 & 0x3FFF) << 4, kSpans[bits >> 62]};
}

// The elements that a tensor core has read, by place in the operand. Products with equal operands
// share the list.
using OperandList = std::shared_ptr<const std::vector<Provenance>>;

// A warp's part of a wgmma: 16 of 64 rows.
struct ProductRecord {
  std::uint32_t columns = 0;
  std::uint32_t number = 0;  // of the first of its columns / 2 sums in each thread
  std::uint32_t group = 0;   // which of the warp's wgmma groups, from 0
  Operand a, b;
  OperandList factorsA;  // 16 rows x 16 k, row-major; empty where operands are not recorded
  OperandList factorsB;  // 16 k x columns
  std::uint16_t line = 0;
  Mma mma = kUsualGroupMma;

  const MmaRow& instruction() const { return rowOf(mma); }
};

// Sum i of a lane, as a row and column of the warp's 16 x N sums.
struct SumPlace {
  std::uint32_t row = 0, column = 0;
};
constexpr SumPlace placeOfSum(std::uint32_t lane, std::uint32_t i) {
  return {lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
}

}  // namespace tileloom::emulator
