// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/bank_cursor.h"

#include <algorithm>

namespace tileloom {

using analysis::kBanks;

std::uint32_t lanesAt(const analysis::Moment& moment, std::uint32_t word) {
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::uint32_t first = moment.cost.addresses[lane];
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
    // Without a start, the cursor begins where the access does.
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
