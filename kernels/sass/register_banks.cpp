// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/register_banks.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tileloom::sass {
namespace {

constexpr int kNone = -1;
constexpr std::size_t kSlots = 3;  // source operands of an FFMA
constexpr std::size_t kRegisterBanks = 2;

std::size_t bankOf(int reg) {
  return static_cast<std::size_t>(reg % 2);
}

// The register file as one warp sees it. Times are in cycles from the first instruction's issue.
class RegisterFile {
 public:
  // The cycles that this FFMA is issued late, after the instructions before it.
  int issue(const Instruction& ffma) {
    std::array<int, kSlots> sources;
    sources.fill(kNone);
    std::array<bool, kSlots> kept{};
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      if (slot + 1 >= ffma.registers.size()) break;  // the first operand is written
      sources[slot] = ffma.registers[slot + 1].reg;
      kept[slot] = ffma.registers[slot + 1].reuse;
    }
    const int late = wait(readsOf(sources));
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      if (sources[slot] == kNone) continue;
      cache[slot][bankOf(sources[slot])] = kept[slot] ? sources[slot] : kNone;
    }
    ++now;
    return late;
  }

  void issueAnother() { ++now; }

 private:
  // How many registers each bank has to deliver; one that several slots want is delivered once.
  std::array<int, kRegisterBanks> readsOf(const std::array<int, kSlots>& sources) const {
    std::array<int, kRegisterBanks> reads{};
    std::array<int, kSlots> read;
    read.fill(kNone);
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      const int reg = sources[slot];
      if (reg == kNone || cache[slot][bankOf(reg)] == reg) continue;
      if (std::find(read.begin(), read.end(), reg) != read.end()) continue;
      read[slot] = reg;
      ++reads[bankOf(reg)];
    }
    return reads;
  }

  // Reads begin when the instruction is issued, or when the bank has finished the reads of those
  // before. They may end one cycle after the issue, or two if one bank delivers all three.
  int wait(const std::array<int, kRegisterBanks>& reads) {
    const int most = *std::max_element(reads.begin(), reads.end());
    const int longest = std::max(2, most);
    int issued = now;
    for (std::size_t bank = 0; bank < kRegisterBanks; ++bank) {
      if (reads[bank] == 0) continue;
      issued = std::max(issued, std::max(freeFrom[bank], now) + reads[bank] - longest);
    }
    for (std::size_t bank = 0; bank < kRegisterBanks; ++bank)
      if (reads[bank] > 0) freeFrom[bank] = std::max(freeFrom[bank], issued) + reads[bank];
    const int late = issued - now;
    now = issued;
    return late;
  }

  static constexpr std::array<std::array<int, kRegisterBanks>, kSlots> kEmpty = {
      {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}}};
  std::array<std::array<int, kRegisterBanks>, kSlots> cache = kEmpty;
  std::array<int, kRegisterBanks> freeFrom{};  // the cycle from which a bank can deliver again
  int now = 0;                                 // the cycle of the next issue
};

}  // namespace

std::vector<int> lostCycles(const Listing& listing, const Range& range) {
  std::vector<int> lost(range.size(), 0);
  RegisterFile registers;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Instruction& instruction = listing.instructions[i];
    if (classOf(instruction) == Class::Ffma) {
      lost[i - range.begin] = registers.issue(instruction);
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
