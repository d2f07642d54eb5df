// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rewrite/damage.h"

#include <fmt/format.h>

#include <algorithm>

namespace tileloom::test {
namespace {

using rewrite::Op;
using sass::Access;
using sass::DecodedOperand;
using sass::OperandKind;

bool hasNumber(const DecodedOperand& operand) {
  switch (operand.kind) {
    case OperandKind::Register:
    case OperandKind::UniformRegister:
    case OperandKind::Predicate:
    case OperandKind::UniformPredicate:
    case OperandKind::Address:
    case OperandKind::GlobalAddress:
    case OperandKind::Scoreboard:
      return true;
    default:
      return false;
  }
}

bool hasValue(const DecodedOperand& operand) {
  switch (operand.kind) {
    case OperandKind::Immediate:
    case OperandKind::Constant:
    case OperandKind::Address:
    case OperandKind::GlobalAddress:
      return true;
    default:
      return false;
  }
}

int otherNumber(const DecodedOperand& operand, Random& random) {
  switch (operand.kind) {
    case OperandKind::Predicate:
    case OperandKind::UniformPredicate:
      return random.integer(0, 7);
    case OperandKind::Scoreboard:
      return random.integer(0, 5);
    case OperandKind::UniformRegister:
      return random.oneIn(8) ? 255 : random.integer(0, 20);
    default: {
      if (random.oneIn(16)) return 255;
      const int near = operand.number + random.integer(-8, 8);
      const int aligned =
          operand.registers > 2 ? near / 4 * 4 : near / operand.registers * operand.registers;
      return std::clamp(aligned, 0, 250);
    }
  }
}

class Damage {
 public:
  Damage(std::span<const Op> turn, Random& random)
      : turn_(turn.begin(), turn.end()), random_(random) {}

  // An instruction of the iteration; the branch may be chosen or not.
  std::size_t any(bool withJump) {
    return static_cast<std::size_t>(
        random_.integer(0, static_cast<int>(turn_.size()) - (withJump ? 1 : 2)));
  }
  // Preferably not a multiply-add: the others are few.
  std::size_t one(bool withJump) {
    std::size_t at = any(withJump);
    if (random_.oneIn(3)) return at;
    while (rewrite::multiplyAddOf(turn_[at].code)) at = any(withJump);
    return at;
  }

  DecodedOperand* operand(std::size_t at, bool (*fits)(const DecodedOperand&)) {
    std::vector<DecodedOperand*> all;
    for (DecodedOperand& its : turn_[at].code.operands)
      if (fits(its)) all.push_back(&its);
    if (all.empty()) return nullptr;
    return all[static_cast<std::size_t>(random_.integer(0, static_cast<int>(all.size()) - 1))];
  }

  void number() {
    const std::size_t at = one(true);
    name(at);
    if (auto* its = operand(at, hasNumber)) its->number = otherNumber(*its, random_);
  }
  void value() {
    const std::size_t at = one(false);
    name(at);
    if (auto* its = operand(at, hasValue)) its->value += random_.oneIn(2) ? 4 : -16;
  }
  void negation() {
    const std::size_t at = one(false);
    name(at);
    if (auto* its = operand(at, [](const DecodedOperand&) { return true; }))
      its->negated = !its->negated;
  }
  void guard() {
    const std::size_t at = one(true);
    name(at);
    sass::Guard& its = turn_[at].code.guard;
    if (random_.oneIn(2)) {
      its.negated = !its.negated;
    } else {
      its.predicate = random_.oneIn(3) ? 7 : random_.integer(0, 2);
    }
  }
  void modifier() {
    const std::size_t at = one(false);
    name(at);
    const std::size_t count = turn_[at].code.form->modifierCount;
    if (count == 0) return;
    auto& its = turn_[at].code.modifiers[static_cast<std::size_t>(
        random_.integer(0, static_cast<int>(count) - 1))];
    its = static_cast<std::uint8_t>(random_.integer(0, 7));
  }
  // Two operands of the same instruction are exchanged.
  void exchange() {
    const std::size_t at = one(false);
    name(at);
    DecodedOperand* a = operand(at, hasNumber);
    DecodedOperand* b = operand(at, hasNumber);
    if (a == nullptr || a->kind != b->kind || a->registers != b->registers) return;
    std::swap(a->number, b->number);
    std::swap(a->negated, b->negated);
  }
  // Two instructions of the same kind exchange an operand.
  void exchangeWithAnother() {
    const std::size_t at = one(false);
    name(at);
    const std::size_t with =
        std::min(at + static_cast<std::size_t>(random_.integer(1, 40)), turn_.size() - 2);
    auto& a = turn_[at].code;
    auto& b = turn_[with].code;
    if (a.form != b.form || a.shape != b.shape || a.operands.empty()) return;
    const auto n =
        static_cast<std::size_t>(random_.integer(0, static_cast<int>(a.operands.size()) - 1));
    std::swap(a.operands[n], b.operands[n]);
  }
  void swap(bool neighbours) {
    const std::size_t at = one(false);
    name(at);
    const std::size_t with = std::min(
        at + static_cast<std::size_t>(neighbours ? 1 : random_.integer(1, 40)), turn_.size() - 2);
    std::swap(turn_[at], turn_[with]);
  }
  void move() {
    const std::size_t at = one(false);
    name(at);
    Op op = turn_[at];
    turn_.erase(turn_.begin() + static_cast<std::ptrdiff_t>(at));
    turn_.insert(turn_.begin() + static_cast<std::ptrdiff_t>(any(false)), std::move(op));
  }
  void drop() {
    const std::size_t at = one(false);
    name(at);
    turn_.erase(turn_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void twice() {
    const std::size_t at = one(false);
    name(at);
    const std::size_t to =
        std::min(at + static_cast<std::size_t>(random_.integer(0, 30)), turn_.size() - 2);
    const Op op = turn_[at];
    turn_.insert(turn_.begin() + static_cast<std::ptrdiff_t>(to), op);
  }

  void wait() {
    const std::size_t at = withWait();
    name(at);
    turn_[at].code.control.wait &= ~(1u << random_.integer(0, 5));
  }
  void stall() {
    std::size_t at = any(true);
    for (int tries = 0; tries < 200 && turn_[at].code.control.stall < 2; ++tries) at = any(true);
    name(at);
    turn_[at].code.control.stall = 1;
  }
  void scoreboard() {
    std::size_t at = one(true);
    for (int tries = 0; tries < 50; ++tries) {
      const sass::Control& its = turn_[at].code.control;
      if (its.writeScoreboard >= 0 || its.readScoreboard >= 0) break;
      at = one(true);
    }
    name(at);
    sass::Control& its = turn_[at].code.control;
    int& which = random_.oneIn(2) ? its.writeScoreboard : its.readScoreboard;
    if (which >= 0) which = random_.oneIn(2) ? -1 : random_.integer(0, 5);
  }
  void reuse() {
    const std::size_t at = any(false);
    name(at);
    if (!rewrite::multiplyAddOf(turn_[at].code)) return;
    auto& its = turn_[at].code.operands[static_cast<std::size_t>(random_.integer(1, 3))];
    its.reuse = !its.reuse;
  }

  std::vector<Op> turn() && { return std::move(turn_); }
  std::string said;

 private:
  std::size_t withWait() {
    std::size_t at = any(true);
    for (int tries = 0; tries < 500 && turn_[at].code.control.wait == 0; ++tries) at = any(true);
    return at;
  }
  void name(std::size_t at) { said += fmt::format(" {} \"{}\"", at, turn_[at].code.text()); }

  std::vector<Op> turn_;
  Random& random_;
};

std::optional<Damaged> finished(Damage damage, std::span<const Op> before) {
  const std::string what = damage.said;
  auto turn = placedAgain(std::move(damage).turn());
  if (!turn) return std::nullopt;
  const bool changed =
      turn->size() != before.size() ||
      !std::ranges::equal(*turn, before, [](const Op& a, const Op& b) { return a.code == b.code; });
  if (!changed) return std::nullopt;
  return Damaged{what, std::move(*turn)};
}

}  // namespace

std::optional<std::vector<Op>> placedAgain(std::vector<Op> turn) {
  const std::size_t first = turn.empty() ? 0 : turn.back().at + 1 - turn.size();
  for (std::size_t i = 0; i < turn.size(); ++i) {
    sass::Decoded code = turn[i].code;
    code.address = static_cast<std::uint32_t>((first + i) * sass::kCodeWordBytes);
    if (i + 1 == turn.size()) {
      for (DecodedOperand& operand : code.operands)
        if (operand.kind == OperandKind::Label)
          operand.value = static_cast<std::int64_t>(first * sass::kCodeWordBytes);
    }
    const auto word = sass::encode(code);
    if (!word) return std::nullopt;
    auto again = sass::decode(*word, code.address, code.capability);
    if (!again) return std::nullopt;
    turn[i] = Op::of(std::move(*again), first + i);
  }
  return turn;
}

std::optional<Damaged> damagedMeaning(std::span<const Op> turn, Random& random) {
  Damage damage(turn, random);
  const int kind = random.integer(0, 13);
  damage.said = fmt::format("kind {}:", kind);
  switch (kind) {
    case 0:
    case 1:
    case 2:
      damage.number();
      break;
    case 3:
      damage.value();
      break;
    case 4:
      damage.negation();
      break;
    case 5:
      damage.guard();
      break;
    case 6:
      damage.modifier();
      break;
    case 7:
      damage.exchange();
      break;
    case 8:
      damage.exchangeWithAnother();
      break;
    case 9:
      damage.swap(true);
      break;
    case 10:
      damage.swap(false);
      break;
    case 11:
      damage.move();
      break;
    case 12:
      damage.drop();
      break;
    default:
      damage.twice();
      break;
  }
  return finished(std::move(damage), turn);
}

std::optional<Damaged> damagedTime(std::span<const Op> turn, Random& random) {
  Damage damage(turn, random);
  const int kind = random.integer(0, 5);
  damage.said = fmt::format("kind {}:", kind);
  switch (kind) {
    case 0:
      damage.wait();
      break;
    case 1:
      damage.stall();
      break;
    case 2:
      damage.scoreboard();
      break;
    case 3:
      damage.reuse();
      break;
    case 4:
      damage.move();
      break;
    default:
      damage.swap(random.oneIn(2));
      break;
  }
  return finished(std::move(damage), turn);
}

}  // namespace tileloom::test
