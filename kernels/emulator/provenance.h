// SPDX-License-Identifier: GPL-3.0-or-later
// The element of a matrix that a word or register holds.
#pragma once

#include <cstdint>

namespace tileloom::emulator {

class Provenance {
 public:
  enum class Source : std::uint32_t { Register = 0, A = 1, B = 2, C = 3 };

  constexpr Provenance() = default;
  constexpr explicit Provenance(std::uint32_t bits) : bits_(bits) {}
  static constexpr Provenance element(Source matrix, std::uint32_t index) {
    return Provenance(static_cast<std::uint32_t>(matrix) << 30 | index);
  }
  // Accumulator number `slot` of the thread: a sum of products, not an element of a matrix.
  static constexpr Provenance accumulator(std::uint32_t slot) { return Provenance(slot + 1); }
  // The same after it has left its thread, through shared memory.
  static constexpr Provenance accumulatorOf(std::uint32_t thread, std::uint32_t slot) {
    return Provenance((thread + 1) << kSlotBits | (slot + 1));
  }

  // An accumulator that a wgmma in flight updates: it must not be used before its group is waited
  // for.
  static constexpr Provenance underWay() { return Provenance(kIndexMask); }
  // A zero that TMA writes for an element outside a matrix.
  static constexpr Provenance outside() { return Provenance(kIndexMask - 1); }

  constexpr std::uint32_t bits() const { return bits_; }
  constexpr bool known() const { return bits_ != 0; }
  constexpr Source source() const { return static_cast<Source>(bits_ >> 30); }
  constexpr bool isElement() const { return source() != Source::Register; }
  constexpr bool isAccumulator() const { return bits_ - 1 < kIndexMask - 2; }
  constexpr std::uint32_t index() const { return bits_ & kIndexMask; }
  constexpr std::uint32_t slot() const { return (bits_ & kSlotMask) - 1; }
  // The thread that owns the accumulator: `holder`, the thread that has it, unless it came from
  // another thread.
  constexpr std::uint32_t owner(std::uint32_t holder) const {
    return bits_ > kSlotMask ? (bits_ >> kSlotBits) - 1 : holder;
  }
  constexpr bool operator==(const Provenance&) const = default;

  static constexpr std::uint32_t kIndexMask = (1u << 30) - 1;
  static constexpr std::uint32_t kSlotBits = 12;  // more than a thread has registers
  static constexpr std::uint32_t kSlotMask = (1u << kSlotBits) - 1;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace tileloom::emulator
