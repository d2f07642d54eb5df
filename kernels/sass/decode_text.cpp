// SPDX-License-Identifier: GPL-3.0-or-later
// Prints an instruction in the notation of nvdisasm.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

// A number with all of its digits that count. nvdisasm puts a space after what is not a number.
std::string decimal(double value, bool negative) {
  if (std::isnan(value)) return negative ? "-QNAN " : "+QNAN ";
  if (std::isinf(value)) return negative ? "-INF " : "+INF ";
  // Large numbers have an exponent; the limit lies between 1.4e8 and 6.7e15.
  constexpr double kLarge = 1e10;
  return std::abs(value) >= kLarge ? fmt::format("{:.20e}", value) : fmt::format("{:.20g}", value);
}

std::string single(std::uint32_t bits) {
  return decimal(double{std::bit_cast<float>(bits)}, bits >> 31 != 0);
}

// Of an FP64 number only the upper half is given.
std::string wide(std::uint64_t upper) {
  return decimal(std::bit_cast<double>(upper << 32), upper >> 31 != 0);
}

// An FP16 number with all of its digits.
std::string half(std::int64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  constexpr int kNoNumber = 31;
  if (exponent == kNoNumber) value = fraction == 0 ? INFINITY : NAN;
  const bool negative = (bits >> 15 & 1) != 0;
  return decimal(negative ? -value : value, negative);
}

struct SpecialName {
  int number;
  std::string_view name;
};

constexpr SpecialName kSpecialNames[] = {
    {0x00, "SR_LANEID"},        {0x02, "SR_VIRTCFG"},  {0x03, "SR_VIRTID"},
    {0x20, "SR_TID"},           {0x21, "SR_TID.X"},    {0x22, "SR_TID.Y"},
    {0x23, "SR_TID.Z"},         {0x25, "SR_CTAID.X"},  {0x26, "SR_CTAID.Y"},
    {0x27, "SR_CTAID.Z"},       {0x28, "SR_NTID"},     {0x2f, "SR_SWINHI"},
    {0x38, "SR_EQMASK"},        {0x39, "SR_LTMASK"},   {0x3a, "SR_LEMASK"},
    {0x3b, "SR_GTMASK"},        {0x3c, "SR_GEMASK"},   {0x43, "SR_VIRTUALSMID"},
    {0x50, "SR_CLOCKLO"},       {0x51, "SR_CLOCKHI"},  {0x52, "SR_GLOBALTIMERLO"},
    {0x53, "SR_GLOBALTIMERHI"}, {0x88, "SR_CgaCtaId"}, {0xff, "SRZ"},
};

std::string special(int number) {
  for (const SpecialName& each : kSpecialNames)
    if (each.number == number) return std::string(each.name);
  return fmt::format("SR{}", number);
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
    case OperandKind::BHalf:
      return single(static_cast<std::uint32_t>(o.value) << 16);
    case OperandKind::Float:
      return single(static_cast<std::uint32_t>(o.value));
    case OperandKind::Double:
      return wide(static_cast<std::uint64_t>(o.value));
    case OperandKind::Constant:
      return fmt::format("c[{}][{}]", hex(o.bank), hex(o.value));
    case OperandKind::IndexedConstant: {
      const std::string index =
          numbered(o.uniformRegisters != 0 ? "UR" : "R", o.number, kZeroRegister);
      if (o.number != kZeroRegister || o.value == 0)
        return fmt::format("c[{}][{}{}]", hex(o.bank), index, offset(o.value));
      return fmt::format("c[{}][{}]", hex(o.bank), hex(o.value));
    }
    case OperandKind::Address:
    case OperandKind::BarrierAddress:
      return sharedAddress(o);
    case OperandKind::GlobalAddress: {
      // Before compute capability 9.0 the descriptor exists but is not printed.
      const std::string address =
          fmt::format("[{}.64{}]", numbered("R", o.number, kZeroRegister), offset(o.value));
      if (capability < 90 || o.uniform < 0) return address;
      return fmt::format("desc[{}]{}", numbered("UR", o.uniform, kZeroRegister), address);
    }
    case OperandKind::ClusterAddress:
      return fmt::format("[{}.U32+{}{}]", numbered("R", o.number, kZeroRegister),
                         numbered("UR", o.uniform, kZeroRegister), offset(o.value));
    case OperandKind::UniformAddress:
      return fmt::format("[{}{}]", numbered("UR", o.number, kZeroRegister), offset(o.value));
    case OperandKind::Descriptor:
      return fmt::format("desc[{}]", numbered("UR", o.number, kZeroRegister));
    case OperandKind::MatrixDescriptor:
      return fmt::format("gdesc[{}]", numbered("UR", o.number, kZeroRegister));
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
    case OperandKind::IndexedLabel:
      return fmt::format("{} {}", numbered("R", o.number, kZeroRegister), hex(o.value));
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
    if (modifier.step != 0)
      text += fmt::format("{}{}", (modifiers[i] + 1) * modifier.step, modifier.tail);
    for (std::size_t c = 0; c < modifier.known; ++c)
      if (modifier.choices[c].value == modifiers[i]) text += modifier.choices[c].text;
  }
  return text;
}

std::string Decoded::operandText() const {
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const DecodedOperand& o = operands[i];
    if (!o.shown) continue;
    if (!text.empty()) text += ", ";
    const bool isPredicate =
        o.kind == OperandKind::Predicate || o.kind == OperandKind::UniformPredicate;
    if (o.negated) text += isPredicate ? '!' : form->fields[i].complement ? '~' : '-';
    if (o.absolute) text += '|';
    std::string its = textOf(o, capability);
    if (o.kind == OperandKind::IndexedLabel && form->fields[i].isSigned)
      its = fmt::format("{} {}", numbered("R", o.number, kZeroRegister),
                        hex(o.value - address - kCodeWordBytes));
    const Modifier* suffix = form->fields[i].suffix;
    // nvdisasm separates bank and offset of a constant that may have a suffix.
    if (suffix != nullptr && o.kind == OperandKind::Constant)
      its.insert(its.find("][") + 1, 1, ' ');
    text += its;
    if (o.absolute) text += '|';
    if (o.reuse) text += ".reuse";
    if (suffix != nullptr) {
      for (std::size_t c = 0; c < suffix->known; ++c)
        if (suffix->choices[c].value == o.suffix) text += suffix->choices[c].text;
    }
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
  std::string list = operandText();
  while (!list.empty() && list.back() == ' ') list.pop_back();
  if (!list.empty()) text += ' ' + list;
  return text;
}

}  // namespace tileloom::sass
