// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/group_operands.h"

#include "kernels/emulator/asynchronous.h"

namespace tileloom::executor {

GroupOperand GroupOperand::of(std::uint64_t descriptor) {
  const emulator::Operand read = emulator::unpacked(descriptor);
  return {read.start, read.lead, read.stride, read.swizzle,
          static_cast<std::uint32_t>(descriptor >> 49) & 7};
}

std::uint32_t GroupOperand::alongK(std::uint32_t row, std::uint32_t half) const {
  const std::uint32_t span = swizzle == 0 ? kUnit : swizzle;
  const std::uint32_t next = swizzle == 0 ? lead : kUnit;
  return emulator::swizzled(start + row / 8 * stride + row % 8 * span + half * next, swizzle);
}

std::uint32_t GroupOperand::alongN(std::uint32_t k, std::uint32_t n) const {
  constexpr std::uint32_t kElements = kUnit / 2;
  if (swizzle == 0) return start + n / kElements * stride + k / 8 * lead + k % 8 * kUnit;
  const std::uint32_t panel = swizzle / 2;
  return emulator::swizzled(
      start + n / panel * lead + k / 8 * stride + k % 8 * swizzle + n % panel * 2, swizzle);
}

}  // namespace tileloom::executor
