// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/cell_cursor.h"

#include <algorithm>

namespace tileloom {

using analysis::kBanks;
using analysis::Matrix;
using analysis::Region;

void LoomCursor::clamp(const LoomCells& cells) {
  const Region& tile = cells.of(matrix_);
  row_ = std::clamp<std::int64_t>(row_, 0, std::max<std::int64_t>(1, tile.rows) - 1);
  column_ = std::clamp<std::int64_t>(column_, 0, std::max<std::int64_t>(1, tile.columns) - 1);
}

bool LoomCursor::crossEdge(const LoomCells& cells, CursorMove move) {
  const Region& tile = cells.of(matrix_);
  if (matrix_ == Matrix::A && move == CursorMove::Right && column_ == tile.columns - 1) {
    matrix_ = Matrix::C;
    column_ = 0;
  } else if (matrix_ == Matrix::B && move == CursorMove::Down && row_ == tile.rows - 1) {
    matrix_ = Matrix::C;
    row_ = 0;
  } else if (matrix_ == Matrix::C && move == CursorMove::Left && column_ == 0 && !cells.a.empty()) {
    matrix_ = Matrix::A;
    column_ = cells.a.columns - 1;
  } else if (matrix_ == Matrix::C && move == CursorMove::Up && row_ == 0 && !cells.b.empty()) {
    matrix_ = Matrix::B;
    row_ = cells.b.rows - 1;
  } else {
    return false;
  }
  clamp(cells);
  return true;
}

bool LoomCursor::move(const LoomCells& cells, CursorMove move, std::int64_t count) {
  clamp(cells);
  if (crossEdge(cells, move)) return true;
  const Matrix matrix = matrix_;
  const std::int64_t row = row_, column = column_;
  switch (move) {
    case CursorMove::Left:
      column_ -= count;
      break;
    case CursorMove::Right:
      column_ += count;
      break;
    case CursorMove::Up:
      row_ -= count;
      break;
    case CursorMove::Down:
      row_ += count;
      break;
    case CursorMove::RowStart:
      column_ = 0;
      break;
    case CursorMove::RowEnd:
      column_ = cells.of(matrix_).columns - 1;
      break;
    case CursorMove::Next:
    case CursorMove::Previous: {
      const int step = move == CursorMove::Next ? 1 : 2;
      do {
        matrix_ = static_cast<Matrix>((static_cast<int>(matrix_) + step) % 3);
      } while (cells.of(matrix_).empty() && matrix_ != matrix);
      break;
    }
  }
  clamp(cells);
  return matrix_ != matrix || row_ != row || column_ != column;
}

void LoomCursor::place(const LoomCells& cells, const analysis::Element& element) {
  matrix_ = element.matrix;
  row_ = element.row - cells.of(matrix_).row;
  column_ = element.column - cells.of(matrix_).column;
  clamp(cells);
}

analysis::Element LoomCursor::element(const LoomCells& cells) const {
  LoomCursor inside = *this;
  inside.clamp(cells);
  const Region& tile = cells.of(matrix_);
  return {matrix_, tile.row + inside.row_, tile.column + inside.column_};
}

std::uint32_t lanesAt(const analysis::Moment& moment, std::uint32_t word) {
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::uint32_t first = moment.addresses[lane];
    const bool active = (moment.instruction.mask >> lane & 1u) != 0;
    if (active && word >= first && word < first + moment.width) lanes |= 1u << lane;
  }
  return lanes;
}

std::optional<std::uint32_t> moveInBanks(const BankGeometry& geometry,
                                         const analysis::Moment& moment,
                                         std::optional<std::uint32_t> from, CursorMove move,
                                         int count) {
  const auto shown = static_cast<int>(geometry.shownRows());
  if (shown == 0) return std::nullopt;
  const auto wordAt = [&](int row, int bank) {
    return geometry.rows()[static_cast<std::size_t>(row)] * kBanks +
           static_cast<std::uint32_t>(bank);
  };
  const int banks = static_cast<int>(kBanks);
  int row = 0, bank = -1;
  for (int r = 0; from && r < shown; ++r) {
    if (geometry.rows()[static_cast<std::size_t>(r)] != *from / kBanks) continue;
    row = r;
    bank = static_cast<int>(*from % kBanks);
  }
  const bool searches = move == CursorMove::Next || move == CursorMove::Previous;
  if (bank < 0 && !searches) {
    // From nowhere, one begins where the access does.
    return moveInBanks(geometry, moment, std::nullopt, CursorMove::Next);
  }
  switch (move) {
    case CursorMove::Left:
      bank = std::max(0, bank - count);
      break;
    case CursorMove::Right:
      bank = std::min(banks - 1, bank + count);
      break;
    case CursorMove::Up:
      row = std::max(0, row - count);
      break;
    case CursorMove::Down:
      row = std::min(shown - 1, row + count);
      break;
    case CursorMove::RowStart:
      bank = 0;
      break;
    case CursorMove::RowEnd:
      bank = banks - 1;
      break;
    case CursorMove::Next:
    case CursorMove::Previous: {
      const int step = move == CursorMove::Next ? 1 : -1;
      for (int at = row * banks + bank + step; at >= 0 && at < shown * banks; at += step) {
        if (lanesAt(moment, wordAt(at / banks, at % banks)) != 0)
          return wordAt(at / banks, at % banks);
      }
      break;
    }
  }
  const std::uint32_t to = wordAt(row, std::max(0, bank));
  // The last row of a memory may end before its last bank.
  return geometry.holds(to) ? std::optional(to) : from;
}

}  // namespace tileloom
