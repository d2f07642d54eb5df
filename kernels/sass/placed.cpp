// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/placed.h"

#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr int kWideUniform = 100;  // from here on numbers of uniform registers have 8 bits

bool has(int shape, Shapes shapes) {
  return (1 << shape & shapes) != 0;
}

// A source whose place depends on the shape: bits 32 to 63 hold what need not be a general
// register, bits 64 to 71 a register.
Field chosen(const Field& field, int shape) {
  const bool swapped = has(shape, kThirdImmediate | kThirdConstant | kThirdUniform);
  const bool lower = field.slot == Slot::Lower || (field.slot == Slot::Second) != swapped;
  Field place = field;
  if (lower && has(shape, kImmediate | kThirdImmediate)) {
    place = immediate(32, 32).with(&Field::isSigned, field.isSigned);
    place.kind = field.immediate;
  } else if (lower && has(shape, kConstant | kThirdConstant)) {
    place = constant(40, 14, 2);
    place.registers = field.registers;
  } else {
    place.from = lower ? 32 : 64;
    if (lower && has(shape, kUniform | kThirdUniform)) place.kind = OperandKind::UniformRegister;
  }
  place.slot = Slot::Fixed;
  place.show = field.show;
  const bool number =
      place.kind == field.immediate && lower && has(shape, kImmediate | kThirdImmediate);
  const bool negatable = field.minus >= 0 && !number;
  place.minus = static_cast<std::int16_t>(!negatable ? -1 : lower ? 63 : field.upperMinus);
  const bool measurable = field.absolute >= 0 && !number;
  place.absolute = static_cast<std::int16_t>(!measurable ? -1 : lower ? 62 : field.upperAbsolute);
  place.complement = field.complement;
  place.suffix = number                                  ? nullptr
                 : lower || field.upperSuffix == nullptr ? field.suffix
                                                         : field.upperSuffix;
  if (place.kind == OperandKind::Register && field.cached)
    place.reuse =
        static_cast<std::int16_t>(field.slot == Slot::Third || field.reuse == 124 ? 124 : 123);
  return place;
}

}  // namespace

Field placed(const Field& field, int shape, int capability) {
  Field place = field.slot == Slot::Fixed ? field : chosen(field, shape);
  const bool uniform =
      place.kind == OperandKind::UniformRegister || place.kind == OperandKind::UniformAddress ||
      place.kind == OperandKind::MatrixDescriptor || place.kind == OperandKind::Descriptor;
  if (uniform) place.count = capability >= kWideUniform ? 8 : 6;
  if (place.uniformFrom >= 0) place.uniformCount = capability >= kWideUniform ? 8 : 6;
  return place;
}

}  // namespace tileloom::sass
