// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/op.h"

#include <algorithm>
#include <utility>

namespace tileloom::rewrite {
namespace {

bool isPlainRegister(const sass::DecodedOperand& operand) {
  return operand.kind == sass::OperandKind::Register && !operand.negated && !operand.isZero() &&
         operand.registers == 1;
}

}  // namespace

Op Op::of(sass::Decoded code, std::size_t at) {
  Op op;
  op.reads = code.reads();
  op.writes = code.writes();
  op.code = std::move(code);
  op.at = at;
  return op;
}

bool Op::never() const {
  return code.guard.predicate == sass::kTruePredicate && code.guard.negated;
}

std::optional<MultiplyAdd> multiplyAddOf(const sass::Decoded& code) {
  constexpr std::size_t kOperands = 4;
  if (code.base() != "FFMA" || code.mnemonic() != "FFMA" || code.guard != sass::Guard{} ||
      code.operands.size() < kOperands)
    return std::nullopt;
  std::array<int, kOperands> numbers{};
  for (std::size_t i = 0; i < kOperands; ++i) {
    if (!isPlainRegister(code.operands[i])) return std::nullopt;
    numbers[i] = code.operands[i].number;
  }
  return MultiplyAdd{numbers[0], {numbers[1], numbers[2]}, numbers[3]};
}

std::optional<LoadedWords> loadedWordsOf(const sass::Decoded& code) {
  if (code.effect() != sass::Effect::SharedLoad || code.guard != sass::Guard{} ||
      code.operands.empty())
    return std::nullopt;
  const sass::DecodedOperand& result = code.operands.front();
  const bool words = result.kind == sass::OperandKind::Register &&
                     result.access == sass::Access::Write && !result.isZero();
  return words ? std::optional(LoadedWords{result.number, result.registers}) : std::nullopt;
}

bool namesRegisters(const sass::DecodedOperand& operand) {
  switch (operand.kind) {
    case sass::OperandKind::Register:
    case sass::OperandKind::Address:
    case sass::OperandKind::GlobalAddress:
    case sass::OperandKind::BarrierAddress:
      return operand.number != sass::kZeroRegister;
    default:
      return false;
  }
}

bool overlap(const sass::RegisterUse& a, const sass::RegisterUse& b) {
  return (a.registers & b.registers).any() || (a.uniform & b.uniform).any() ||
         (a.predicates & b.predicates) != 0 || (a.uniformPredicates & b.uniformPredicates) != 0;
}

sass::RegisterUse united(sass::RegisterUse a, const sass::RegisterUse& b) {
  a.registers |= b.registers;
  a.uniform |= b.uniform;
  a.predicates = static_cast<std::uint8_t>(a.predicates | b.predicates);
  a.uniformPredicates = static_cast<std::uint8_t>(a.uniformPredicates | b.uniformPredicates);
  return a;
}

sass::RegisterUse without(sass::RegisterUse a, const sass::RegisterUse& b) {
  a.registers &= ~b.registers;
  a.uniform &= ~b.uniform;
  a.predicates = static_cast<std::uint8_t>(a.predicates & ~b.predicates);
  a.uniformPredicates = static_cast<std::uint8_t>(a.uniformPredicates & ~b.uniformPredicates);
  return a;
}

bool empty(const sass::RegisterUse& a) {
  return a == sass::RegisterUse{};
}

}  // namespace tileloom::rewrite
