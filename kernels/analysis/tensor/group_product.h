// SPDX-License-Identifier: GPL-3.0-or-later
// One wgmma as it was recorded: the 64 x 16 elements of A and the 16 x N of B that the tensor core
// reads, their places in shared memory, and the thread and register that hold each of the 64 x N
// sums.
//
// None of this uses the documented layout of registers. Factors are those that the emulated tensor
// core has read, by the descriptors of the kernel. An accumulator is the element of C that the
// kernel finally stores it to; its row is that of the operand A with elements of the same row of
// the matrix, and its column that of the operand B with elements of the same column.
#pragma once

#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/warp_product.h"
#include "kernels/emulator/asynchronous.h"
#include "kernels/emulator/product_shape.h"
#include "kernels/tile/placement.h"

namespace tileloom::analysis {

struct GroupProduct {
  static constexpr std::uint32_t kRows = emulator::kProductRows;
  static constexpr std::uint32_t kDepth = emulator::kProductDepth;
  static constexpr std::uint32_t kWarpRows = kRows / emulator::kWarpsPerGroup;

  // A place in an operand: 64 x 16 of A, 16 x N of B, 64 x N sums.
  struct Place {
    Matrix matrix = Matrix::C;
    std::uint32_t row = 0, column = 0;
    bool operator==(const Place&) const = default;
  };
  struct Sum {
    Element element;           // of C
    std::uint32_t thread = 0;  // of the block, which holds it
    std::uint32_t value = 0;   // its register, counted from the first one of this product
  };
  // Where an operand begins in shared memory.
  struct Origin {
    std::uint32_t array = 0;  // number of the array in Trace::arrays
    std::uint32_t index = 0;  // of the element of that array
    std::uint32_t stage = 0;  // of the kernel's pipeline, from 0
  };

  std::uint32_t warp = 0;       // the requested one
  std::uint32_t firstWarp = 0;  // of the four
  std::uint32_t index = 0;      // of the instruction in the warp's stream
  std::uint32_t columns = 0;    // N
  std::uint32_t kTile = 0;
  std::uint16_t dot = 0;  // where its step along K begins, within the K tile
  InStep step;            // which wgmma of the warp in this step
  // Relative to the requested instruction.
  WarpProduct::When when = WarpProduct::When::Now;
  std::uint32_t group = 0;        // wgmma group, from 0
  emulator::Operand first, with;  // descriptors of A and B
  Origin originA, originB;
  std::uint32_t stages = 1;               // of the pipeline
  std::vector<std::optional<Element>> a;  // 64 x 16, row by row; nothing: a zero from outside A
  std::vector<std::optional<Element>> b;  // 16 x N
  std::vector<std::optional<Sum>> sums;   // 64 x N; nothing: never stored, outside of C
  Region tileA, tileB, tileC;             // their extents in the matrices

  std::uint32_t rowsOf(Matrix matrix) const { return matrix == Matrix::B ? kDepth : kRows; }
  std::uint32_t columnsOf(Matrix matrix) const { return matrix == Matrix::A ? kDepth : columns; }
  std::optional<Element> elementAt(const Place& place) const;
  std::optional<Place> placeOf(const Element& element) const;
  const std::optional<Sum>& sumAt(std::uint32_t row, std::uint32_t column) const {
    return sums[std::size_t{row} * columns + column];
  }
  // The byte of shared memory of a factor, by its descriptor.
  std::uint32_t byteOf(const Place& place) const {
    return place.matrix == Matrix::A ? first.alongK(place.row, place.column)
                                     : with.alongN(place.row, place.column);
  }
};

// The wgmma that `warp` executes at instruction `index`, else the last one before it, else the
// first one after it. Nothing where the kernel has no wgmma, or where its operands were not
// recorded.
std::optional<GroupProduct> groupProduct(const Recording& recording, std::uint32_t warp,
                                         std::uint32_t index);

}  // namespace tileloom::analysis
