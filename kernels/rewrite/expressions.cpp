// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/expressions.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace tileloom::rewrite {
namespace {

using sass::Effect;
using sass::OperandKind;

// The first part of an expression: its kind.
enum Tag : long long {
  kInitial,
  kConstant,
  kMultiplyAdd,
  kInstruction,
  kResult,
  kChoice,
  kGuard,
  kBoth
};

long long identity(const sass::Form* form) {
  return static_cast<long long>(reinterpret_cast<std::intptr_t>(form));
}

bool hasOrder(Effect effect) {
  return effect != Effect::None && effect != Effect::SharedLoad;
}

std::optional<Place::File> fileOf(OperandKind kind) {
  switch (kind) {
    case OperandKind::Register:
    case OperandKind::Address:
    case OperandKind::GlobalAddress:
    case OperandKind::BarrierAddress:
      return Place::File::General;
    case OperandKind::UniformRegister:
    case OperandKind::UniformAddress:
    case OperandKind::MatrixDescriptor:
      return Place::File::Uniform;
    case OperandKind::Predicate:
      return Place::File::Predicate;
    case OperandKind::UniformPredicate:
      return Place::File::UniformPredicate;
    default:
      return std::nullopt;
  }
}

// RZ, URZ, PT and UPT, which are constant.
bool isFixed(const Place& place) {
  const bool predicate =
      place.file == Place::File::Predicate || place.file == Place::File::UniformPredicate;
  return place.number >= (predicate ? sass::kTruePredicate : sass::kZeroRegister);
}

}  // namespace

std::string nameOf(const Place& place) {
  constexpr std::array<const char*, 4> kPrefixes = {"R", "UR", "P", "UP"};
  return fmt::format("{}{}", kPrefixes[static_cast<std::size_t>(place.file)], place.number);
}

std::vector<Place> placesOf(const sass::RegisterUse& use) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < use.registers.size(); ++i)
    if (use.registers[i]) places.push_back({Place::File::General, static_cast<int>(i)});
  for (std::size_t i = 0; i < use.uniform.size(); ++i)
    if (use.uniform[i]) places.push_back({Place::File::Uniform, static_cast<int>(i)});
  for (int i = 0; i < sass::kTruePredicate; ++i)
    if ((use.predicates >> i & 1) != 0) places.push_back({Place::File::Predicate, i});
  for (int i = 0; i < sass::kTruePredicate; ++i)
    if ((use.uniformPredicates >> i & 1) != 0) places.push_back({Place::File::UniformPredicate, i});
  return places;
}

int Expressions::numberOf(const std::vector<long long>& parts) {
  return numbers_.emplace(parts, static_cast<int>(numbers_.size())).first->second;
}

int Execution::always() {
  return expressions_->numberOf({kGuard});
}

int Execution::valueOf(const Place& place) {
  const auto file = static_cast<long long>(place.file);
  if (isFixed(place)) return expressions_->numberOf({kConstant, file});
  const auto found = values_.find(place);
  if (found != values_.end()) return found->second;
  return expressions_->numberOf({kInitial, file, place.number});
}

int Execution::conditionOf(const sass::Decoded& code) {
  if (code.guard == sass::Guard{}) return always();
  const auto file =
      code.form->uniformGuard ? Place::File::UniformPredicate : Place::File::Predicate;
  return expressions_->numberOf(
      {kGuard, valueOf({file, code.guard.predicate}), code.guard.negated ? 1 : 0});
}

void Execution::set(const Place& place, int value, int condition) {
  if (condition != always()) {
    const Choice choice{condition, value};
    value = expressions_->numberOf({kChoice, condition, value, valueOf(place)});
    choices_[value] = choice;
  }
  values_[place] = value;
}

int Execution::valueUnder(const Place& place, int condition) {
  const int value = valueOf(place);
  const auto choice = choices_.find(value);
  const bool chosen = choice != choices_.end() && choice->second.condition == condition;
  return chosen ? choice->second.value : value;
}

void Execution::append(const sass::DecodedOperand& operand, int condition,
                       std::vector<long long>& parts) {
  parts.push_back(static_cast<long long>(operand.kind));
  parts.push_back(static_cast<long long>(operand.access));
  parts.push_back(operand.negated ? 1 : 0);
  parts.push_back(operand.absolute ? 1 : 0);
  parts.push_back(operand.suffix);
  parts.push_back(operand.registers);
  const auto file = fileOf(operand.kind);
  if (operand.access == sass::Access::Write) return;
  if (file) {
    for (int i = 0; i < operand.registers; ++i) {
      const bool fixed = isFixed({*file, operand.number});
      parts.push_back(valueUnder({*file, fixed ? operand.number : operand.number + i}, condition));
    }
  } else {
    parts.push_back(operand.number);
  }
  for (int i = 0; i < operand.uniformRegisters && operand.uniform >= 0; ++i) {
    const bool fixed = operand.uniform == sass::kZeroRegister;
    parts.push_back(valueUnder(
        {Place::File::Uniform, fixed ? operand.uniform : operand.uniform + i}, condition));
  }
  parts.push_back(operand.uniform >= 0 ? 1 : 0);
  parts.push_back(operand.scale);
  parts.push_back(operand.bank);
  parts.push_back(operand.value);
}

void Execution::run(const Op& op) {
  if (jumpsTo_ && op.at >= *jumpsTo_) jumpsTo_.reset();
  if (op.never()) return;
  readFirst_ = united(readFirst_, without(op.reads, written_));

  if (op.code.effect() == Effect::Branch) {
    // Skipped instructions are executed where the branch's own condition does not hold.
    sass::Decoded otherwise = op.code;
    otherwise.guard.negated = !otherwise.guard.negated;
    jumpCondition_ = conditionOf(otherwise);
    jumpsTo_ = *op.code.target() / static_cast<std::uint32_t>(sass::kCodeWordBytes);
    return;
  }
  int condition = conditionOf(op.code);
  if (jumpsTo_)
    condition =
        op.guarded() ? expressions_->numberOf({kBoth, jumpCondition_, condition}) : jumpCondition_;
  written_ = united(written_, op.writes);

  if (const auto product = multiplyAddOf(op.code)) {
    long long one = valueOf({Place::File::General, product->factors[0]});
    long long other = valueOf({Place::File::General, product->factors[1]});
    if (one > other) std::swap(one, other);
    const int sum = expressions_->numberOf(
        {kMultiplyAdd, one, other, valueOf({Place::File::General, product->addend})});
    set({Place::File::General, product->result}, sum, condition);
    return;
  }
  std::vector<long long> parts = {kInstruction, identity(op.code.form), op.code.shape};
  for (const std::uint8_t modifier : op.code.modifiers) parts.push_back(modifier);
  for (const sass::DecodedOperand& operand : op.code.operands) append(operand, condition, parts);
  const Effect effect = op.code.effect();
  if (effect == Effect::SharedLoad) parts.push_back(barriers_);
  // A second execution of the same access may have another result.
  if (hasOrder(effect)) parts.push_back(static_cast<long long>(effects_.size()));
  // A wait for the copies is a wait for the scoreboard that the commit increments.
  if (effect == Effect::AsyncCommit) parts.push_back(op.code.control.writeScoreboard);
  const int whole = expressions_->numberOf(parts);
  if (hasOrder(effect)) effects_.push_back(expressions_->numberOf({kResult, whole, condition, -1}));
  if (effect == Effect::SharedLoad)
    sharedLoads_.push_back(expressions_->numberOf({kResult, whole, condition, -1}));
  if (effect == Effect::Barrier) ++barriers_;
  // Which of several results it is depends on the operand: the second predicate of a comparison is
  // the negation of the first.
  for (std::size_t i = 0; i < op.code.operands.size(); ++i) {
    const sass::DecodedOperand& operand = op.code.operands[i];
    const auto file = fileOf(operand.kind);
    if (operand.access != sass::Access::Write || !file) continue;
    if (isFixed({*file, operand.number})) continue;
    for (int part = 0; part < operand.registers; ++part) {
      const Place place{*file, operand.number + part};
      const int value = expressions_->numberOf({kResult, whole, static_cast<long long>(i), part});
      if (!isFixed(place)) set(place, value, condition);
    }
  }
}

}  // namespace tileloom::rewrite
