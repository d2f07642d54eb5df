// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/register_banks.h"

#include "kernels/sass/register_file.h"
#include "kernels/sass/write_ports.h"

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

// Whether it writes a general register at the end of its pipe. Loads write theirs later.
bool writesSoon(const Instruction& instruction) {
  if (instruction.never() || instruction.registers.empty()) return false;
  const std::string_view base = instruction.base();
  if (base == "LDS" || base == "LDSM" || base == "LDG" || base == "LDC") return false;
  return instruction.registers.front().reg >= 0;
}

// The registers that arithmetic other than FFMA reads. Addresses and stored values are read by
// another unit, at an unknown time.
std::vector<int> readsOf(const Instruction& instruction, bool format) {
  std::vector<int> reads;
  for (std::size_t i = 1; format && i < instruction.registers.size(); ++i)
    reads.push_back(instruction.registers[i].reg);
  return reads;
}

// A warp that waits only for the register file.
class Warp {
 public:
  explicit Warp(const PairedLoads& paired) : paired_(paired) {}

  Lost issue(const Instruction& instruction) {
    const bool ffma = classOf(instruction) == Class::Ffma;
    Lost lost;
    if (ffma) lost.banks = RegisterFile(registers_).issue(sourcesOf(instruction));
    for (int i = 0; i < lost.banks; ++i) ports_.idle(now_ + i);
    const bool writes = writesSoon(instruction);
    lost.writesAtOnce = writes;
    if (writes) lost.loads = ports_.hold(now_ + lost.banks);
    // While it is held back, the banks continue to deliver.
    registers_.pass(lost.loads > 0 ? lost.cycles() : 0);
    if (ffma) {
      registers_.issue(sourcesOf(instruction));
    } else {
      registers_.issueAnother(readsOf(instruction, writes));
    }
    now_ += lost.cycles();
    if (!writes) ports_.idle(now_);
    const bool lands = !instruction.registers.empty() && instruction.registers.front().reg >= 0;
    if (lands && paired_.of(instruction) == Pairing::Paired)
      lost.pairedBytes = instruction.opcode == "LDS.128" ? 16 : 8;
    if (lost.pairedBytes > 0) ports_.load(lost.pairedBytes, now_);
    ++now_;
    return lost;
  }

 private:
  const PairedLoads& paired_;
  RegisterFile registers_;
  WritePorts ports_;
  int now_ = 0;
};

}  // namespace

std::vector<Lost> lostCycles(const Listing& listing, const Range& range,
                             const PairedLoads& paired) {
  std::vector<Lost> lost;
  Warp warp(paired);
  for (std::size_t i = range.begin; i < range.end; ++i)
    lost.push_back(warp.issue(listing.instructions[i]));
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
