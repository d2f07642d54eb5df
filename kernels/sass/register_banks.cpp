// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/register_banks.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tileloom::sass {
namespace {

constexpr int kNone = -1;
using Sources = std::array<int, 3>;  // registers by their place, or kNone

}  // namespace

std::vector<int> lostCycles(const Listing& listing, const Range& range) {
  std::vector<int> lost(range.size(), 0);
  constexpr Sources kEmpty = {kNone, kNone, kNone};
  Sources cached = kEmpty;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Instruction& instruction = listing.instructions[i];
    if (classOf(instruction) != Class::Ffma) {
      cached = kEmpty;
      continue;
    }
    Sources kept = kEmpty;
    std::array<int, 2> wanted = {0, 0};  // different registers of each bank
    Sources read = kEmpty;
    for (std::size_t place = 0; place < kEmpty.size(); ++place) {
      if (place + 1 >= instruction.registers.size()) break;  // the first operand is written
      const Operand& operand = instruction.registers[place + 1];
      if (operand.reg == kNone) continue;
      if (operand.reuse) kept[place] = operand.reg;
      const bool known = std::ranges::find(read, operand.reg) != read.end();
      if (cached[place] == operand.reg || known) continue;
      read[place] = operand.reg;
      ++wanted[static_cast<std::size_t>(operand.reg % 2)];
    }
    lost[i - range.begin] = std::max({0, wanted[0] - 1, wanted[1] - 1});
    cached = kept;
  }
  return lost;
}

LoopCost loopCost(const Listing& listing, const Range& range) {
  const std::vector<int> lost = lostCycles(listing, range);
  return {static_cast<int>(range.size()), std::accumulate(lost.begin(), lost.end(), 0),
          mixOf(listing, range).of(Class::Ffma)};
}

}  // namespace tileloom::sass
