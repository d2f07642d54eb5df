// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/reuse.h"

#include <array>
#include <cstddef>

#include "kernels/sass/register_file.h"

namespace tileloom::rewrite {

void setReuse(std::span<Op> ops) {
  constexpr int kNone = sass::RegisterFile::kNone;
  constexpr std::size_t kSlots = sass::RegisterFile::kSlots;
  // The register that the next multiply-add behind this place reads through a slot from a bank.
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

}  // namespace tileloom::rewrite
