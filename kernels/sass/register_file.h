// SPDX-License-Identifier: GPL-3.0-or-later
// Models the register file for the multiply-adds of one warp: how many cycles late each is issued
// because the banks are busy. It has two banks, even and odd register numbers, each of which
// delivers one register per cycle. The operand cache holds one register per operand slot and bank,
// six in all: one that is marked `.reuse` stays there until an FFMA reads another register of that
// bank through that slot. Reads may end one cycle after the issue, or two if one bank delivers
// three registers. docs/hardware.md (rule 30) has the micro-kernels that agree with this.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace tileloom::sass {

class RegisterFile {
 public:
  static constexpr int kNone = -1;
  static constexpr std::size_t kSlots = 3;  // source operands of an FFMA

  struct Sources {
    std::array<int, kSlots> registers{kNone, kNone, kNone};  // kNone: the slot reads no register
    std::array<bool, kSlots> kept{};                         // marked `.reuse`
  };

  // Issues an FFMA and returns how many cycles late it is.
  int issue(const Sources& ffma);
  // Issues an instruction of another kind, which takes one cycle, occupies the banks with what it
  // reads (kNone is ignored) and does not change the cache.
  void issueAnother(std::span<const int> read = {});
  // Nothing is issued for this many cycles.
  void pass(int cycles) { now_ += cycles; }

  // Whether both would handle all further instructions alike.
  bool sameState(const RegisterFile& other) const;

 private:
  static constexpr std::size_t kBanks = 2;
  static std::size_t bankOf(int reg) { return static_cast<std::size_t>(reg % 2); }
  std::array<int, kBanks> readsOf(const std::array<int, kSlots>& sources) const;
  int wait(const std::array<int, kBanks>& reads);
  int stillBusy(std::size_t bank) const;  // cycles from now on

  std::array<std::array<int, kBanks>, kSlots> cache_ = {
      {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}}};
  std::array<int, kBanks> freeFrom_{};  // the cycle from which a bank can deliver again
  int now_ = 0;                         // the cycle of the next issue
};

}  // namespace tileloom::sass
