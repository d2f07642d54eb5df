// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/matrices.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

constexpr std::uint32_t kEdge = 8, kRowBytes = 16;

// The rows of up to four matrices: lane l names row l % 8 of matrix l / 8.
using MatrixRows = std::array<std::uint8_t*, kLanes>;

// The bytes of each row; false: one of them is wrong, and the warp has failed.
bool findRows(Warp& warp, const Operation& o, Use use, MatrixRows& found) {
  if (warp.lanes() != kAllLanes) {
    warp.fail("a matrix instruction needs all 32 threads of its warp, but some do not execute it");
    return false;
  }
  const auto& rows = warp.registers.rows;
  Access done = begun(warp, o, Memory::Shared, use);
  done.bytes = kRowBytes;
  const std::uint32_t named = kEdge * o.table;
  done.lanes = named == kLanes ? kAllLanes : (1u << named) - 1;
  for (std::uint32_t lane = 0; lane < named; ++lane) {
    const std::uint32_t at = warp.around().memory->own(
        rows[o.base].lane[lane] * static_cast<std::uint32_t>(o.scale) +
        rows[o.uniformBase].lane[lane] + static_cast<std::uint32_t>(o.offset));
    found[lane] = warp.around().memory->shared(at, kRowBytes);
    done.at[lane] = at;
    const char* why = at % kRowBytes != 0      ? "which is not a multiple of 16"
                      : found[lane] == nullptr ? "where there is none"
                                               : nullptr;
    if (why == nullptr) continue;
    warp.fail(fmt::format("thread {} accesses 16 bytes of shared memory at {:#x}, {}",
                          warp.thread(lane), at, why));
    return false;
  }
  report(warp, done);
  return true;
}

using Matrix = std::array<std::array<std::uint16_t, kEdge>, kEdge>;

// A lane's register has two elements that follow each other in a row (PTX ISA, ldmatrix).
void spread(const Matrix& matrix, bool transposed, Row& row) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t line = lane / 4, first = lane % 4 * 2;
    const std::uint32_t low = transposed ? matrix[first][line] : matrix[line][first];
    const std::uint32_t high = transposed ? matrix[first + 1][line] : matrix[line][first + 1];
    row.lane[lane] = low | high << 16;
  }
}

Matrix collected(const Row& row, bool transposed) {
  Matrix matrix;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t line = lane / 4, place = lane % 4 * 2 + i;
      const auto value = static_cast<std::uint16_t>(row.lane[lane] >> (16 * i));
      (transposed ? matrix[place][line] : matrix[line][place]) = value;
    }
  }
  return matrix;
}

}  // namespace

void loadMatrices(Warp& warp, const Operation& o) {
  MatrixRows from;
  if (!findRows(warp, o, Use::MatrixLoad, from)) return;
  for (std::uint32_t number = 0; number < o.table; ++number) {
    Matrix matrix;
    for (std::uint32_t line = 0; line < kEdge; ++line)
      std::memcpy(matrix[line].data(), from[number * kEdge + line], kRowBytes);
    const auto row = o.result == kWasteRow ? kWasteRow : o.result + number;
    spread(matrix, o.transposed, warp.registers.rows[row]);
  }
}

void storeMatrices(Warp& warp, const Operation& o) {
  MatrixRows to;
  if (!findRows(warp, o, Use::MatrixStore, to)) return;
  for (std::uint32_t number = 0; number < o.table; ++number) {
    const auto row = o.a.row == kZeroRow ? kZeroRow : o.a.row + number;
    const Matrix matrix = collected(warp.registers.rows[row], o.transposed);
    for (std::uint32_t line = 0; line < kEdge; ++line)
      std::memcpy(to[number * kEdge + line], matrix[line].data(), kRowBytes);
  }
}

void transposeMatrix(Warp& warp, const Operation& o) {
  if (warp.lanes() != kAllLanes)
    return warp.fail(
        "a matrix instruction needs all 32 threads of its warp, but some do not execute it");
  const Matrix matrix = collected(warp.registers.rows[o.a.row], false);
  spread(matrix, true, warp.registers.rows[o.result]);
}

}  // namespace tileloom::executor
