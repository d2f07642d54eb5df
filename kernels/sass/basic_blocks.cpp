// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/basic_blocks.h"

#include <algorithm>

namespace tileloom::sass {
namespace {

bool leaves(const Decoded& d) {
  return d.effect() == Effect::Branch || d.effect() == Effect::Call || d.effect() == Effect::Exit;
}

bool isNever(const Decoded& d) {
  return d.guard.predicate == kTruePredicate && d.guard.negated;
}

// A branch may have a condition of its own: a predicate, or a mask of threads (BRA.DIV).
bool hasCondition(const Decoded& d) {
  return std::ranges::any_of(d.operands, [](const DecodedOperand& operand) {
    switch (operand.kind) {
      case OperandKind::Predicate:
      case OperandKind::UniformPredicate:
        return operand.number != kTruePredicate || operand.negated;
      case OperandKind::UniformRegister:
        return true;
      default:
        return false;
    }
  });
}

// Control never reaches the instruction below.
bool endsPath(const Decoded& d) {
  return leaves(d) && d.effect() != Effect::Call && !isConditional(d) && !isNever(d) &&
         !hasCondition(d);
}

}  // namespace

bool isConditional(const Decoded& instruction) {
  return instruction.guard.predicate != kTruePredicate;
}

std::optional<std::vector<BasicBlock>> basicBlocks(std::span<const Decoded> code) {
  std::vector<bool> begins(code.size() + 1);
  begins.front() = true;
  begins.back() = true;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!leaves(code[i])) continue;
    begins[i + 1] = true;
    if (code[i].effect() == Effect::Exit || isNever(code[i])) continue;
    const auto target = code[i].target();
    if (!target || *target % kCodeWordBytes != 0 || *target / kCodeWordBytes >= code.size())
      return std::nullopt;
    begins[*target / kCodeWordBytes] = true;
  }
  std::vector<BasicBlock> blocks;
  std::vector<std::size_t> blockOf(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (begins[i]) blocks.push_back({i, i, {}, {}});
    blocks.back().end = i + 1;
    blockOf[i] = blocks.size() - 1;
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Decoded& last = code[blocks[b].end - 1];
    if (!endsPath(last) && b + 1 < blocks.size()) blocks[b].next = b + 1;
    if (leaves(last) && last.effect() != Effect::Exit && !isNever(last))
      blocks[b].target = blockOf[*last.target() / kCodeWordBytes];
  }
  return blocks;
}

}  // namespace tileloom::sass
