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
  const bool lower = (field.slot == Slot::Second) != swapped;
  Field place = field;
  if (lower && has(shape, kImmediate | kThirdImmediate)) {
    place = immediate(32, 32).with(&Field::isSigned, field.isSigned);
  } else if (lower && has(shape, kConstant | kThirdConstant)) {
    place = constant(40, 14, 2);
  } else {
    place.from = lower ? 32 : 64;
    if (lower && has(shape, kUniform | kThirdUniform)) place.kind = OperandKind::UniformRegister;
  }
  place.slot = Slot::Fixed;
  place.show = field.show;
  // The second source may be negated only in the lower place.
  const bool negatable = field.minus >= 0 && place.kind != OperandKind::Immediate &&
                         (lower || field.slot == Slot::Third);
  place.minus = static_cast<std::int16_t>(!negatable ? -1 : lower ? 63 : 75);
  if (place.kind == OperandKind::Register)
    place.reuse = static_cast<std::int16_t>(field.slot == Slot::Second ? 123 : 124);
  return place;
}

}  // namespace

Field placed(const Field& field, int shape, int capability) {
  Field place = field.slot == Slot::Fixed ? field : chosen(field, shape);
  const bool uniform = place.kind == OperandKind::UniformRegister ||
                       place.kind == OperandKind::UniformAddress ||
                       place.kind == OperandKind::MatrixDescriptor;
  if (uniform) place.count = capability >= kWideUniform ? 8 : 6;
  if (place.uniformFrom >= 0) place.uniformCount = capability >= kWideUniform ? 8 : 6;
  return place;
}

}  // namespace tileloom::sass
