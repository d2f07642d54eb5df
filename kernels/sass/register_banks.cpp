// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/register_banks.h"

#include <numeric>

#include "kernels/sass/register_file.h"

namespace tileloom::sass {
namespace {

RegisterFile::Sources sourcesOf(const Instruction& ffma) {
  RegisterFile::Sources sources;
  for (std::size_t slot = 0; slot < RegisterFile::kSlots; ++slot) {
    if (slot + 1 >= ffma.registers.size()) break;  // the first operand is written
    sources.registers[slot] = ffma.registers[slot + 1].reg;
    sources.kept[slot] = ffma.registers[slot + 1].reuse;
  }
  return sources;
}

}  // namespace

std::vector<int> lostCycles(const Listing& listing, const Range& range) {
  std::vector<int> lost(range.size(), 0);
  RegisterFile registers;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Instruction& instruction = listing.instructions[i];
    if (classOf(instruction) == Class::Ffma) {
      lost[i - range.begin] = registers.issue(sourcesOf(instruction));
    } else {
      registers.issueAnother();
    }
  }
  return lost;
}

LoopCost loopCost(const Listing& listing, const Range& range) {
  const std::vector<int> lost = lostCycles(listing, range);
  return {static_cast<int>(range.size()), std::accumulate(lost.begin(), lost.end(), 0),
          mixOf(listing, range).of(Class::Ffma)};
}

}  // namespace tileloom::sass
