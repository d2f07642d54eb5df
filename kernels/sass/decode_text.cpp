// SPDX-License-Identifier: GPL-3.0-or-later
// Prints an instruction in the notation of nvdisasm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/sass/decode.h"

namespace tileloom::sass {
namespace {

std::string numbered(std::string_view name, int number, int none) {
  if (number != none) return fmt::format("{}{}", name, number);
  return fmt::format("{}{}", name, none == kTruePredicate ? 'T' : 'Z');
}

std::string hex(std::int64_t value) {
  return value < 0 ? fmt::format("-{:#x}", -value) : fmt::format("{:#x}", value);
}

// An FP16 number with all of its digits.
std::string half(std::int64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  constexpr int kNoNumber = 31;
  if (exponent == kNoNumber) value = fraction == 0 ? INFINITY : NAN;
  return fmt::format("{:.20g}", (bits >> 15 & 1) != 0 ? -value : value);
}

std::string special(int number) {
  switch (number) {
    case 0x21:
      return "SR_TID.X";
    case 0x22:
      return "SR_TID.Y";
    case 0x23:
      return "SR_TID.Z";
    case 0x25:
      return "SR_CTAID.X";
    case 0x26:
      return "SR_CTAID.Y";
    case 0x27:
      return "SR_CTAID.Z";
    case 0x88:
      return "SR_CgaCtaId";
    case 0xff:
      return "SRZ";
    default:
      return fmt::format("SR{}", number);
  }
}

std::string offset(std::int64_t value) {
  return value == 0 ? std::string() : fmt::format("+{}", hex(value));
}

// The present parts, joined; of an address of nothing but zeros its register.
std::string sharedAddress(const DecodedOperand& o) {
  const bool alone = o.uniform < 0 && o.value == 0;
  std::string text;
  if (o.number != kZeroRegister || alone) text = numbered("R", o.number, kZeroRegister);
  if (o.scale != 1) text += fmt::format(".X{}", o.scale);
  if (o.uniform >= 0) {
    if (!text.empty()) text += '+';
    text += numbered("UR", o.uniform, kZeroRegister);
  }
  if (text.empty()) return fmt::format("[{}]", hex(o.value));
  return fmt::format("[{}{}]", text, offset(o.value));
}

std::string textOf(const DecodedOperand& o, int capability) {
  switch (o.kind) {
    case OperandKind::Register:
      return numbered("R", o.number, kZeroRegister);
    case OperandKind::UniformRegister:
      return numbered("UR", o.number, kZeroRegister);
    case OperandKind::Predicate:
      return numbered("P", o.number, kTruePredicate);
    case OperandKind::UniformPredicate:
      return numbered("UP", o.number, kTruePredicate);
    case OperandKind::Immediate:
      return hex(o.value);
    case OperandKind::Half:
      return half(o.value);
    case OperandKind::Constant:
      return fmt::format("c[{}][{}]", hex(o.bank), hex(o.value));
    case OperandKind::Address:
    case OperandKind::BarrierAddress:
      return sharedAddress(o);
    case OperandKind::GlobalAddress: {
      // Before compute capability 9.0 the descriptor exists but is not printed.
      const std::string address =
          fmt::format("[{}.64{}]", numbered("R", o.number, kZeroRegister), offset(o.value));
      if (capability < 90) return address;
      return fmt::format("desc[{}]{}", numbered("UR", o.uniform, kZeroRegister), address);
    }
    case OperandKind::UniformAddress:
      return fmt::format("[{}]", numbered("UR", o.number, kZeroRegister));
    case OperandKind::MatrixDescriptor:
      return fmt::format("gdesc[{}].tnspB", numbered("UR", o.number, kZeroRegister));
    case OperandKind::SpecialRegister:
      return special(o.number);
    case OperandKind::Scoreboard:
      return fmt::format("SB{}", o.number);
    case OperandKind::ProductGroup:
      return fmt::format("gsb{}", o.number);
    case OperandKind::ConvergenceBarrier:
      return fmt::format("B{}", o.number);
    case OperandKind::AllPredicates:
      return "PR";
    case OperandKind::Label:
      return hex(o.value);
  }
  return {};
}

}  // namespace

std::string_view Decoded::base() const {
  return form->name.substr(0, form->name.find('.'));
}

std::string Decoded::mnemonic() const {
  std::string text(form->name);
  if (form->alias != nullptr) text += form->alias(*this);
  for (std::size_t i = 0; i < form->modifierCount; ++i) {
    const Modifier& modifier = form->modifiers[i];
    for (std::size_t c = 0; c < modifier.known; ++c)
      if (modifier.choices[c].value == modifiers[i]) text += modifier.choices[c].text;
  }
  return text;
}

std::string Decoded::operandText() const {
  std::string text;
  for (const DecodedOperand& o : operands) {
    if (!o.shown) continue;
    if (!text.empty()) text += ", ";
    const bool isPredicate =
        o.kind == OperandKind::Predicate || o.kind == OperandKind::UniformPredicate;
    if (o.negated) text += isPredicate ? '!' : '-';
    text += textOf(o, capability);
    if (o.reuse) text += ".reuse";
  }
  return text;
}

std::string Decoded::text() const {
  std::string text;
  if (guard.predicate != kTruePredicate || guard.negated) {
    const std::string_view name = form->uniformGuard ? "UP" : "P";
    text = fmt::format("@{}{} ", guard.negated ? "!" : "",
                       numbered(name, guard.predicate, kTruePredicate));
  }
  text += mnemonic();
  const std::string list = operandText();
  if (!list.empty()) text += ' ' + list;
  return text;
}

}  // namespace tileloom::sass
