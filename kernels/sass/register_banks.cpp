// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/register_banks.h"

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

std::vector<Lost> lostCycles(const Listing& listing, const Range& range,
                             const PairedLoads& paired) {
  std::vector<Lost> lost(range.size());
  RegisterFile registers;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Instruction& instruction = listing.instructions[i];
    if (classOf(instruction) == Class::Ffma) {
      lost[i - range.begin].banks = registers.issue(sourcesOf(instruction));
    } else {
      registers.issueAnother();
    }
  }
  return lost;
}

LoopCost loopCost(const Listing& listing, const Range& range, const PairedLoads& paired) {
  LoopCost cost;
  cost.instructions = static_cast<int>(range.size());
  cost.ffmas = mixOf(listing, range).of(Class::Ffma);
  for (const Lost& each : lostCycles(listing, range, paired)) {
    cost.lostToBanks += each.banks;
    cost.lostToLoads += each.loads;
  }
  for (std::size_t i = range.begin; i < range.end; ++i)
    cost.unknownLoads += paired.of(listing.instructions[i]) == Pairing::Unknown ? 1 : 0;
  return cost;
}

}  // namespace tileloom::sass
