// SPDX-License-Identifier: GPL-3.0-or-later
// What the picture of an access has in its cells: words by wavefront and bank, and sectors by line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/own/access_pattern.h"

namespace tileloom::own {

// A word of shared memory that one wavefront delivers to lanes, or takes from them.
struct BankCell {
  std::uint32_t wavefront = 0, bank = 0;
  std::int64_t address = 0;  // of its first byte
  std::uint32_t lanes = 0;   // that access it
  bool extra = false;        // the wavefront is one that a conflict adds

  std::uint32_t firstLane() const;
};

// By wavefront, then by bank. For cp.async the wavefronts are those of the banks alone.
std::vector<BankCell> bankCells(const PatternAccess& access, std::uint32_t bytes);

// Words of one bank among lanes that are served together: a conflict, of `ways` wavefronts.
struct BankConflict {
  std::uint32_t bank = 0;
  std::uint32_t ways = 0;
  std::uint32_t lanes = 0;
};

// By the group of lanes, then by bank.
std::vector<BankConflict> bankConflicts(const PatternAccess& access, std::uint32_t bytes);

// Bits that are set: "0-7, 12"; empty for none. For masks of lanes or of banks.
std::string bitsText(std::uint32_t mask);

// A sector of 32 bytes of global memory that lanes touch.
struct SectorCell {
  std::int64_t address = 0;  // of its first byte
  std::uint32_t lanes = 0;
  std::uint32_t bytes = 0;  // of it that some lane accesses

  std::int64_t line() const { return address / 128; }
  std::uint32_t column() const { return static_cast<std::uint32_t>(address % 128 / 32); }
};

// By address: of an access to global memory.
std::vector<SectorCell> sectorCells(const PatternAccess& access, std::uint32_t bytes);

}  // namespace tileloom::own
