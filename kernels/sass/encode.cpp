// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "kernels/sass/decode.h"
#include "kernels/sass/form_parts.h"
#include "kernels/sass/placed.h"

namespace tileloom::sass {
namespace {

// Puts fields into a word, and keeps the first error.
class Writer {
 public:
  explicit Writer(const Decoded& instruction) : d_(instruction) {}

  tl::expected<CodeWord, std::string> write() {
    const Form& form = *d_.form;
    word_.put(0, 12, form.opcode);
    if (form.shapes != 0) {
      constexpr int kFirstUniform = 6;  // and 7: a source is a uniform register
      word_.put(9, 3, static_cast<std::uint64_t>(d_.shape));
      if (d_.shape >= kFirstUniform) word_.put(91, 1, 1);
    }
    number(12, 3, d_.guard.predicate, "the guard");
    word_.put(15, 1, d_.guard.negated ? 1 : 0);
    Control control = d_.control;
    control.reuse = 0;
    putControl(word_, control);
    for (std::size_t i = 0; i < form.fixedCount; ++i)
      word_.put(form.fixed[i].from, form.fixed[i].count, form.fixed[i].value);
    for (std::size_t i = 0; i < form.modifierCount; ++i)
      word_.put(form.modifiers[i].from, form.modifiers[i].count, d_.modifiers[i]);
    if (d_.operands.size() != form.fieldCount)
      return tl::unexpected(fmt::format("{} has {} operands, but was given {}", form.name,
                                        form.fieldCount, d_.operands.size()));
    for (std::size_t i = 0; i < form.fieldCount; ++i)
      put(placed(form.fields[i], d_.shape, d_.capability), d_.operands[i]);
    if (!complaint_.empty()) return tl::unexpected(complaint_);
    return word_;
  }

 private:
  void complain(std::string_view what, std::int64_t value) {
    if (complaint_.empty())
      complaint_ = fmt::format("{} of {} cannot be {}", what, d_.mnemonic(), value);
  }

  // An unsigned number.
  void number(int from, int count, std::int64_t value, std::string_view what) {
    if (value < 0 || value >> count != 0) return complain(what, value);
    word_.put(from, count, static_cast<std::uint64_t>(value));
  }

  // A signed number, in `count` bits.
  void signedNumber(int from, int count, std::int64_t value, std::string_view what) {
    const std::int64_t limit = std::int64_t{1} << (count - 1);
    if (value < -limit || value >= limit) return complain(what, value);
    word_.put(from, count, static_cast<std::uint64_t>(value));
  }

  void uniform(int from, int count, int value, std::string_view what) {
    const int zero = (1 << count) - 1;
    if (value != kZeroRegister && value >= zero) return complain(what, value);
    number(from, count, value == kZeroRegister ? zero : value, what);
  }

  void addressOf(const Field& f, const DecodedOperand& operand) {
    number(f.from, f.count, operand.number, "the register of the address");
    if (f.offsetCount > 0)
      signedNumber(f.offsetFrom, f.offsetCount, operand.value, "the offset of the address");
    else if (operand.value != 0)
      complain("the offset of the address", operand.value);
    const bool present = operand.uniform >= 0;
    if (f.uniformFlag >= 0) word_.put(f.uniformFlag, 1, present ? 1 : 0);
    if (present != (f.uniformFrom >= 0) && f.uniformFlag < 0)
      return complain("the uniform register of the address", operand.uniform);
    if (present)
      uniform(f.uniformFrom, f.uniformCount, operand.uniform,
              "the uniform register of the address");
    if (f.scaleFrom >= 0) {
      const int code = operand.scale == 4    ? 1
                       : operand.scale == 8  ? 2
                       : operand.scale == 16 ? 3
                                             : 0;
      if (code == 0 && operand.scale != 1) complain("the scale of the address", operand.scale);
      word_.put(f.scaleFrom, 2, static_cast<std::uint64_t>(code));
    }
  }

  void labelOf(const Field& f, const DecodedOperand& operand) {
    const std::int64_t distance = operand.value - d_.address - kCodeWordBytes;
    const std::int64_t units = distance >> f.shift;
    const std::int64_t limit = std::int64_t{1} << (f.count + f.lowCount - 1);
    if (units * (1 << f.shift) != distance || units < -limit || units >= limit)
      return complain("the target", operand.value);
    word_.put(f.lowFrom, f.lowCount, static_cast<std::uint64_t>(units));
    word_.put(f.from, f.count, static_cast<std::uint64_t>(units >> f.lowCount));
  }

  void constantOf(const Field& f, const DecodedOperand& operand) {
    number(f.from, f.count, operand.bank, "the constant bank");
    if (operand.value % (1 << f.shift) != 0)
      return complain("the constant's offset", operand.value);
    number(f.offsetFrom, f.offsetCount, operand.value >> f.shift, "the constant's offset");
  }

  void immediateOf(const Field& f, const DecodedOperand& operand) {
    if (f.isSigned) return signedNumber(f.from, f.count, operand.value, "the immediate number");
    const std::int64_t upper = operand.value >> f.lowCount;
    number(f.from, f.count, upper, "the immediate number");
    word_.put(f.lowFrom, f.lowCount, static_cast<std::uint64_t>(operand.value));
  }

  void put(const Field& f, const DecodedOperand& operand) {
    if (f.reuse >= 0) word_.put(f.reuse, 1, operand.reuse ? 1 : 0);
    if (f.minus >= 0) word_.put(f.minus, 1, operand.negated ? 1 : 0);
    if (f.absolute >= 0) word_.put(f.absolute, 1, operand.absolute ? 1 : 0);
    if (f.suffix != nullptr) word_.put(f.suffix->from, f.suffix->count, operand.suffix);
    switch (operand.kind) {
      case OperandKind::UniformRegister:
      case OperandKind::UniformAddress:
      case OperandKind::MatrixDescriptor:
      case OperandKind::Descriptor:
        if (f.offsetCount > 0)
          signedNumber(f.offsetFrom, f.offsetCount, operand.value, "the offset of the address");
        return uniform(f.from, f.count, operand.number, "a uniform register");
      case OperandKind::Address:
      case OperandKind::GlobalAddress:
      case OperandKind::BarrierAddress:
      case OperandKind::ClusterAddress:
        return addressOf(f, operand);
      case OperandKind::IndexedLabel:
        number(forms::kIndexFrom, 8, operand.number, "the register of the target");
        return labelOf(f, operand);
      case OperandKind::Label:
        return labelOf(f, operand);
      case OperandKind::IndexedConstant:
        number(f.from, f.count, operand.number, "the register of the constant");
        number(forms::kBankFrom, forms::kBankCount, operand.bank, "the constant bank");
        return signedNumber(f.offsetFrom, f.offsetCount, operand.value, "the constant's offset");
      case OperandKind::Constant:
        return constantOf(f, operand);
      case OperandKind::Immediate:
      case OperandKind::Half:
      case OperandKind::BHalf:
      case OperandKind::Float:
      case OperandKind::Double:
        return immediateOf(f, operand);
      case OperandKind::AllPredicates:
        return;
      case OperandKind::Predicate:
      case OperandKind::UniformPredicate:
        // If both are possible, a bit says which.
        if (f.uniformFlag >= 0)
          word_.put(f.uniformFlag, 1, operand.kind == OperandKind::UniformPredicate ? 1 : 0);
        break;
      default:
        break;
    }
    const int ones = (1 << f.count) - 1;
    number(f.from, f.count, f.inverted ? operand.number ^ ones : operand.number, "a number");
  }

  const Decoded& d_;
  CodeWord word_;
  std::string complaint_;
};

}  // namespace

tl::expected<CodeWord, std::string> encode(const Decoded& instruction) {
  return Writer(instruction).write();
}

}  // namespace tileloom::sass
