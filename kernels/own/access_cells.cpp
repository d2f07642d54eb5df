// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/access_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/wavefronts.h"

namespace tileloom::own {

std::uint32_t BankCell::firstLane() const {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

std::vector<BankCell> bankCells(const PatternAccess& access, std::uint32_t bytes) {
  const analysis::Wavefronts& shared = access.cost.shared;
  std::map<std::pair<std::uint32_t, std::uint32_t>, BankCell> cells;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    for (std::uint32_t w = 0; w < std::max(1u, bytes / 4); ++w) {
      const std::uint32_t word = access.cost.addresses[lane] + w;
      const std::uint32_t wavefront = shared.servedIn[lane * analysis::kMostWidth + w];
      const std::uint32_t bank = word % analysis::kBanks;
      BankCell& cell = cells[{wavefront, bank}];
      cell.wavefront = wavefront;
      cell.bank = bank;
      cell.address = access.origin + std::int64_t{word} * 4;
      cell.lanes |= 1u << lane;
      cell.extra = (shared.extra >> wavefront & 1u) != 0;
    }
  }
  std::vector<BankCell> list;
  for (const auto& [place, cell] : cells) list.push_back(cell);
  return list;
}

std::vector<BankConflict> bankConflicts(const PatternAccess& access, std::uint32_t bytes) {
  const std::uint32_t together = std::max(1u, access.cost.shared.lanesAtOnce);
  std::map<std::pair<std::uint32_t, std::uint32_t>, BankConflict> groups;
  for (const BankCell& cell : bankCells(access, bytes)) {
    BankConflict& conflict = groups[{cell.firstLane() / together, cell.bank}];
    conflict.bank = cell.bank;
    ++conflict.ways;
    conflict.lanes |= cell.lanes;
  }
  std::vector<BankConflict> list;
  for (const auto& [place, conflict] : groups) {
    if (conflict.ways > 1) list.push_back(conflict);
  }
  return list;
}

std::string bitsText(std::uint32_t mask) {
  std::string text;
  for (std::uint32_t first = 0; first < 32; ++first) {
    if ((mask >> first & 1u) == 0) continue;
    std::uint32_t last = first;
    while (last < 31 && (mask >> (last + 1) & 1u) != 0) ++last;
    if (!text.empty()) text += ", ";
    text += first == last       ? fmt::format("{}", first)
            : first + 1 == last ? fmt::format("{}, {}", first, last)
                                : fmt::format("{}-{}", first, last);
    first = last;
  }
  return text;
}

std::vector<SectorCell> sectorCells(const PatternAccess& access, std::uint32_t bytes) {
  struct Touched {
    std::uint32_t lanes = 0;
    std::set<std::int64_t> bytes;
  };
  std::map<std::int64_t, Touched> sectors;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    for (std::int64_t at = access.address[lane]; at < access.address[lane] + bytes; ++at) {
      Touched& touched = sectors[at / analysis::kSectorBytes];
      touched.lanes |= 1u << lane;
      touched.bytes.insert(at);
    }
  }
  std::vector<SectorCell> list;
  for (const auto& [number, touched] : sectors) {
    list.push_back({number * analysis::kSectorBytes, touched.lanes,
                    static_cast<std::uint32_t>(touched.bytes.size())});
  }
  return list;
}

}  // namespace tileloom::own
