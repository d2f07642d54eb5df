// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/register_file.h"

#include <algorithm>

namespace tileloom::sass {

int RegisterFile::issue(const Sources& ffma) {
  const int late = wait(readsOf(ffma.registers));
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const int reg = ffma.registers[slot];
    if (reg == kNone) continue;
    cache_[slot][bankOf(reg)] = ffma.kept[slot] ? reg : kNone;
  }
  ++now_;
  return late;
}

void RegisterFile::issueAnother(std::span<const int> read) {
  for (const int reg : read) {
    if (reg == kNone) continue;
    int& freeFrom = freeFrom_[bankOf(reg)];
    freeFrom = std::max(freeFrom, now_) + 1;
  }
  ++now_;
}

// How many registers each bank has to deliver; one that several slots need is delivered once.
std::array<int, RegisterFile::kBanks> RegisterFile::readsOf(
    const std::array<int, kSlots>& sources) const {
  std::array<int, kBanks> reads{};
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const int reg = sources[slot];
    if (reg == kNone || cache_[slot][bankOf(reg)] == reg) continue;
    bool again = false;  // read by an earlier slot, which also had to read it
    for (std::size_t before = 0; before < slot; ++before)
      again |= sources[before] == reg && cache_[before][bankOf(reg)] != reg;
    if (!again) ++reads[bankOf(reg)];
  }
  return reads;
}

// Reads begin when the instruction is issued, or when the bank has finished the earlier reads. They
// may end one cycle after the issue, or two if one bank delivers all three.
int RegisterFile::wait(const std::array<int, kBanks>& reads) {
  const int longest = std::max(2, std::max(reads[0], reads[1]));
  int issued = now_;
  for (std::size_t bank = 0; bank < kBanks; ++bank) {
    if (reads[bank] == 0) continue;
    issued = std::max(issued, std::max(freeFrom_[bank], now_) + reads[bank] - longest);
  }
  for (std::size_t bank = 0; bank < kBanks; ++bank)
    if (reads[bank] > 0) freeFrom_[bank] = std::max(freeFrom_[bank], issued) + reads[bank];
  const int late = issued - now_;
  now_ = issued;
  return late;
}

int RegisterFile::stillBusy(std::size_t bank) const {
  return std::max(0, freeFrom_[bank] - now_);
}

bool RegisterFile::sameState(const RegisterFile& other) const {
  return cache_ == other.cache_ && stillBusy(0) == other.stillBusy(0) &&
         stillBusy(1) == other.stillBusy(1);
}

}  // namespace tileloom::sass
