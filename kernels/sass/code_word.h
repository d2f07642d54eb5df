// SPDX-License-Identifier: GPL-3.0-or-later
// The 128 bits of one machine instruction, and the part of them that says when it may be issued.
#pragma once

#include <cstdint>

namespace tileloom::sass {

inline constexpr int kCodeWordBytes = 16;

struct CodeWord {
  std::uint64_t low = 0;   // bits 0 to 63
  std::uint64_t high = 0;  // bits 64 to 127

  // The `count` bits from bit `from` on, 0 <= count <= 64 and from + count <= 128.
  constexpr std::uint64_t bits(int from, int count) const {
    if (count == 0) return 0;
    std::uint64_t value = from >= 64 ? high >> (from - 64) : low >> from;
    if (from < 64 && from + count > 64) value |= high << (64 - from);
    return count == 64 ? value : value & ((std::uint64_t{1} << count) - 1);
  }

  // Replaces these bits; bits of `value` that do not fit are cut off.
  constexpr void put(int from, int count, std::uint64_t value) {
    const int lower = from >= 64 ? 0 : count < 64 - from ? count : 64 - from;
    if (lower > 0) replace(low, from, lower, value);
    if (lower == count) return;
    replace(high, from + lower - 64, count - lower, lower == 0 ? value : value >> lower);
  }

  constexpr bool operator==(const CodeWord&) const = default;

 private:
  static constexpr void replace(std::uint64_t& half, int from, int count, std::uint64_t value) {
    const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    half = (half & ~(ones << from)) | (value & ones) << from;
  }
};

// The control bits: what an instruction waits for, and what waits for it. A scoreboard is one of
// six counters of a warp: an instruction of unknown latency increments it, and decrements it when
// its result is ready (write) or when its operands have been read (read).
struct Control {
  int stall = 0;             // cycles until the warp's next instruction may be issued, 0 to 15
  bool yield = false;        // the scheduler prefers another warp next
  int writeScoreboard = -1;  // 0 to 5; -1: none
  int readScoreboard = -1;   // 0 to 5; -1: none
  unsigned wait = 0;         // bit i: wait until scoreboard i is zero
  unsigned reuse = 0;        // bit i: source i stays in the operand cache
  bool operator==(const Control&) const = default;
};

constexpr Control controlOf(const CodeWord& word) {
  constexpr std::uint64_t kNone = 7;
  const auto scoreboard = [&](int from) {
    const std::uint64_t number = word.bits(from, 3);
    return number == kNone ? -1 : static_cast<int>(number);
  };
  return {.stall = static_cast<int>(word.bits(105, 4)),
          .yield = word.bits(109, 1) == 0,
          .writeScoreboard = scoreboard(110),
          .readScoreboard = scoreboard(113),
          .wait = static_cast<unsigned>(word.bits(116, 6)),
          .reuse = static_cast<unsigned>(word.bits(122, 4))};
}

constexpr void putControl(CodeWord& word, const Control& control) {
  word.put(105, 4, static_cast<std::uint64_t>(control.stall));
  word.put(109, 1, control.yield ? 0 : 1);
  word.put(110, 3, static_cast<std::uint64_t>(control.writeScoreboard));  // -1 is 7 in three bits
  word.put(113, 3, static_cast<std::uint64_t>(control.readScoreboard));
  word.put(116, 6, control.wait);
  word.put(122, 4, control.reuse);
}

}  // namespace tileloom::sass
