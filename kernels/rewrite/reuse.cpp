// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/reuse.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "kernels/sass/register_file.h"

namespace tileloom::rewrite {

void setReuse(std::span<Op> ops) {
  constexpr int kNone = sass::RegisterFile::kNone;
  constexpr std::size_t kSlots = sass::RegisterFile::kSlots;
  // The register that the next multiply-add after this place reads through a slot from a bank.
  std::array<std::array<int, 2>, kSlots> next;
  for (auto& slot : next) slot.fill(kNone);
  const auto forget = [&next](const auto& written) {
    for (auto& slot : next)
      for (int& reg : slot)
        if (reg != kNone && written(reg)) reg = kNone;
  };
  for (std::size_t i = ops.size(); i-- > 0;) {
    Op& op = ops[i];
    const auto product = multiplyAddOf(op.code);
    if (!product) {
      for (sass::DecodedOperand& operand : op.code.operands) operand.reuse = false;
      forget([&op](int reg) { return op.writes.registers[static_cast<std::size_t>(reg)]; });
      continue;
    }
    const std::array<int, kSlots> sources = {product->factors[0], product->factors[1],
                                             product->addend};
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      const int reg = sources[slot];
      op.code.operands[slot + 1].reuse =
          reg != product->result && next[slot][static_cast<std::size_t>(reg % 2)] == reg;
    }
    forget([&product](int reg) { return reg == product->result; });
    for (std::size_t slot = 0; slot < kSlots; ++slot)
      next[slot][static_cast<std::size_t>(sources[slot] % 2)] = sources[slot];
  }
}

std::string whyStale(std::span<const Op> turn) {
  for (std::size_t i = 0; i < turn.size(); ++i) {
    const Op& op = turn[i];
    const auto product = multiplyAddOf(op.code);
    for (std::size_t n = 0; n < op.code.operands.size(); ++n) {
      const sass::DecodedOperand& kept = op.code.operands[n];
      if (!kept.reuse) continue;
      if (!product)
        return fmt::format("\"{}\" is not a multiply-add, but keeps an operand", op.code.text());
      bool written = kept.number == product->result;
      for (std::size_t step = 1; step <= turn.size(); ++step) {
        const Op& later = turn[(i + step) % turn.size()];
        const auto reg = static_cast<std::size_t>(kept.number);
        const bool isProduct = multiplyAddOf(later.code).has_value();
        const int next = isProduct ? later.code.operands[n].number : sass::RegisterFile::kNone;
        if (written && (isProduct ? next == kept.number : later.reads.registers[reg])) {
          return fmt::format("\"{}\" finds an old value of R{} in the operand cache",
                             later.code.text(), kept.number);
        }
        if (isProduct && next % 2 == kept.number % 2) break;
        written |= later.writes.registers[reg];
      }
    }
  }
  return {};
}

}  // namespace tileloom::rewrite
