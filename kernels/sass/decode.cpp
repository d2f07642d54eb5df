// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/decode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "kernels/sass/form_parts.h"
#include "kernels/sass/placed.h"

namespace tileloom::sass {
namespace {

constexpr int kShapeFrom = 9;

// The rows of the tables, by the lower 12 bits of a word.
class Index {
 public:
  Index() : rows_(1 << 12) {
    for (const std::span<const Form> table :
         {integerForms(), floatForms(), uniformForms(), memoryForms(), controlForms(),
          tensorForms(), asyncForms(), halfForms(), doubleForms(), conversionForms(), atomicForms(),
          laneForms()})
      for (const Form& form : table) add(form);
  }
  std::span<const Form* const> of(std::uint64_t opcode) const { return rows_[opcode]; }

 private:
  void add(const Form& form) {
    if (form.shapes == 0) rows_[form.opcode].push_back(&form);
    for (unsigned shape = 0; shape < 8; ++shape)
      if ((form.shapes >> shape & 1) != 0)
        rows_[form.opcode | shape << kShapeFrom].push_back(&form);
  }

  std::vector<std::vector<const Form*>> rows_;
};

const Choice* choiceOf(const Modifier& modifier, std::uint64_t value) {
  static constexpr Choice kAnyNumber{};
  if (modifier.step != 0) return &kAnyNumber;
  const auto* end = modifier.choices.begin() + modifier.known;
  const auto* found = std::find_if(modifier.choices.begin(), end,
                                   [&](const Choice& choice) { return choice.value == value; });
  return found == end ? nullptr : found;
}

std::int64_t withSign(std::uint64_t value, int count) {
  const int unused = 64 - count;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// The distance in bytes from the instruction after this one to a label.
std::int64_t distanceOf(const Field& f, const CodeWord& word) {
  const std::uint64_t units =
      word.bits(f.from, f.count) << f.lowCount | word.bits(f.lowFrom, f.lowCount);
  return withSign(units, f.count + f.lowCount) * (1 << f.shift);
}

// Reads the operands of one word by the fields of a row.
class Reader {
 public:
  Reader(const CodeWord& word, Decoded& decoded) : word_(word), d_(decoded) {}

  DecodedOperand operand(const Field& f) const {
    DecodedOperand read;
    read.kind = f.kind;
    read.access = f.access;
    read.firstBit = f.from;
    read.bitCount = f.count;
    read.registers = f.registers != 0 ? f.registers : std::max(1, d_.bytes() / 4);
    read.negated = f.minus >= 0 && word_.bits(f.minus, 1) != 0;
    read.absolute = f.absolute >= 0 && word_.bits(f.absolute, 1) != 0;
    read.reuse = f.reuse >= 0 && word_.bits(f.reuse, 1) != 0;
    if (f.suffix != nullptr)
      read.suffix = static_cast<std::uint8_t>(word_.bits(f.suffix->from, f.suffix->count));
    value(f, read);
    const bool isDefault = !read.negated && read.number == defaultOf(read);
    switch (f.show) {
      case Show::Always:
        break;
      case Show::UnlessDefault:
        read.shown = !isDefault;
        break;
      case Show::UnlessDefaultBefore100:
        read.shown = d_.capability >= 100 || !isDefault;
        break;
      case Show::Never:
        read.shown = false;
        break;
    }
    return read;
  }

  // The number of an absent register or predicate, or of the immediate 0.
  static int defaultOf(const DecodedOperand& operand) {
    switch (operand.kind) {
      case OperandKind::Register:
      case OperandKind::UniformRegister:
        return kZeroRegister;
      case OperandKind::Immediate:
        return operand.value == 0 ? 0 : -1;
      default:
        return kTruePredicate;  // also the absent wgmma group
    }
  }

 private:
  int uniform(int from, int count) const {
    const auto number = static_cast<int>(word_.bits(from, count));
    return number == (1 << count) - 1 ? kZeroRegister : number;
  }

  void value(const Field& f, DecodedOperand& read) const {
    const std::uint64_t raw = word_.bits(f.from, f.count);
    switch (f.kind) {
      case OperandKind::UniformRegister:
      case OperandKind::UniformAddress:
      case OperandKind::MatrixDescriptor:
      case OperandKind::Descriptor:
        read.number = uniform(f.from, f.count);
        if (f.offsetCount > 0)
          read.value = withSign(word_.bits(f.offsetFrom, f.offsetCount), f.offsetCount);
        return;
      case OperandKind::Address:
      case OperandKind::GlobalAddress:
      case OperandKind::BarrierAddress:
      case OperandKind::ClusterAddress:
        read.number = static_cast<int>(raw);
        read.value = f.offsetCount == 0
                         ? 0
                         : withSign(word_.bits(f.offsetFrom, f.offsetCount), f.offsetCount);
        if (f.uniformFrom >= 0 && (f.uniformFlag < 0 || word_.bits(f.uniformFlag, 1) != 0)) {
          read.uniform = uniform(f.uniformFrom, f.uniformCount);
          read.uniformRegisters = f.uniformRegisters;
        }
        if (f.scaleFrom >= 0) {
          const std::uint64_t code = word_.bits(f.scaleFrom, 2);
          read.scale = code == 0 ? 1 : 2 << code;
        }
        return;
      case OperandKind::IndexedLabel:
        read.number = static_cast<int>(word_.bits(forms::kIndexFrom, 8));
        read.value = distanceOf(f, word_) + d_.address + kCodeWordBytes;
        return;
      case OperandKind::Label:
        read.value = distanceOf(f, word_) + d_.address + kCodeWordBytes;
        return;
      case OperandKind::IndexedConstant:
        read.number = static_cast<int>(raw);
        read.uniformRegisters = f.uniformRegisters;
        read.bank = static_cast<int>(word_.bits(forms::kBankFrom, forms::kBankCount));
        read.value = withSign(word_.bits(f.offsetFrom, f.offsetCount), f.offsetCount);
        return;
      case OperandKind::Constant:
        read.bank = static_cast<int>(raw);
        read.value = static_cast<std::int64_t>(word_.bits(f.offsetFrom, f.offsetCount)) << f.shift;
        return;
      case OperandKind::Immediate:
      case OperandKind::Half:
      case OperandKind::BHalf:
      case OperandKind::Float:
      case OperandKind::Double: {
        const std::uint64_t all = raw << f.lowCount | word_.bits(f.lowFrom, f.lowCount);
        read.value = f.isSigned ? withSign(all, f.count) : static_cast<std::int64_t>(all);
        return;
      }
      case OperandKind::AllPredicates:
        return;
      case OperandKind::Predicate:
      case OperandKind::UniformPredicate:
        if (f.uniformFlag >= 0)
          read.kind = word_.bits(f.uniformFlag, 1) != 0 ? OperandKind::UniformPredicate
                                                        : OperandKind::Predicate;
        break;
      default:
        break;
    }
    const std::uint64_t ones = (std::uint64_t{1} << f.count) - 1;
    read.number = static_cast<int>(f.inverted ? raw ^ ones : raw);
  }

  const CodeWord& word_;
  Decoded& d_;
};

// The bits of `word` that the row does not explain, and why.
struct Difference {
  int bits = 128;
  std::string why;
};

// Reads the word by this row, whether or not the row fits.
Difference readBy(const Form& form, const CodeWord& word, Decoded& d) {
  d.form = &form;
  d.shape = form.shapes != 0 ? static_cast<int>(word.bits(kShapeFrom, 3)) : 0;
  for (std::size_t i = 0; i < form.modifierCount; ++i) {
    const Modifier& modifier = form.modifiers[i];
    const std::uint64_t value = word.bits(modifier.from, modifier.count);
    if (choiceOf(modifier, value) == nullptr)
      return {modifier.count, fmt::format("the value {} in bits {} to {}", value, modifier.from,
                                          modifier.from + modifier.count - 1)};
    d.modifiers[i] = static_cast<std::uint8_t>(value);
  }
  const Reader reader(word, d);
  d.operands.clear();
  for (std::size_t i = 0; i < form.fieldCount; ++i) {
    const Field field = placed(form.fields[i], d.shape, d.capability);
    d.operands.push_back(reader.operand(field));
    const DecodedOperand& read = d.operands.back();
    if (field.show == Show::Never && (read.negated || read.number != Reader::defaultOf(read)))
      return {field.count,
              fmt::format("an operand in bits {} to {}", field.from, field.from + field.count - 1)};
    if (field.suffix != nullptr && choiceOf(*field.suffix, read.suffix) == nullptr)
      return {field.suffix->count,
              fmt::format("the value {} in bits {} to {}", read.suffix, field.suffix->from,
                          field.suffix->from + field.suffix->count - 1)};
    const bool beyond =
        read.kind == OperandKind::Label && (read.value < 0 || read.value > INT32_MAX);
    if (beyond) return {field.count, "a target outside of any kernel"};
  }
  const auto back = encode(d);
  if (!back) return {128, back.error()};
  const std::uint64_t low = back->low ^ word.low;
  const std::uint64_t high = back->high ^ word.high;
  Difference difference{std::popcount(low) + std::popcount(high), {}};
  if (difference.bits == 0) return difference;
  std::vector<int> unknown;
  for (int bit = 0; bit < 128; ++bit)
    if (((bit < 64 ? low >> bit : high >> (bit - 64)) & 1) != 0) unknown.push_back(bit);
  constexpr std::size_t kMostShown = 8;
  const std::size_t more = unknown.size() - std::min(unknown.size(), kMostShown);
  unknown.resize(unknown.size() - more);
  difference.why = fmt::format("bits without a known meaning: {}", fmt::join(unknown, ", "));
  if (more > 0) difference.why += fmt::format(" and {} more", more);
  return difference;
}

void include(std::bitset<256>& set, int first, int count) {
  if (first < 0 || first == kZeroRegister) return;
  for (int i = first; i < std::min(first + count, kZeroRegister); ++i)
    set.set(static_cast<std::size_t>(i));
}

void include(std::uint8_t& set, int predicate) {
  if (predicate != kTruePredicate) set = static_cast<std::uint8_t>(set | 1u << predicate);
}

RegisterUse useOf(const Decoded& d, Access access) {
  RegisterUse use;
  for (const DecodedOperand& operand : d.operands) {
    // The registers of an address are read, even if the memory is written.
    if (operand.access != access && operand.access != Access::Both) continue;
    switch (operand.kind) {
      case OperandKind::Register:
      case OperandKind::IndexedLabel:
        include(use.registers, operand.number, operand.registers);
        break;
      case OperandKind::UniformRegister:
      case OperandKind::UniformAddress:
      case OperandKind::MatrixDescriptor:
      case OperandKind::Descriptor:
        include(use.uniform, operand.number, operand.registers);
        break;
      case OperandKind::Predicate:
        include(use.predicates, operand.number);
        break;
      case OperandKind::UniformPredicate:
        include(use.uniformPredicates, operand.number);
        break;
      case OperandKind::Address:
      case OperandKind::GlobalAddress:
      case OperandKind::BarrierAddress:
      case OperandKind::ClusterAddress:
        include(use.registers, operand.number, operand.registers);
        include(use.uniform, operand.uniform, operand.uniformRegisters);
        break;
      case OperandKind::IndexedConstant:
        include(operand.uniformRegisters != 0 ? use.uniform : use.registers, operand.number, 1);
        break;
      case OperandKind::AllPredicates:
        // The last operand says which of them.
        use.predicates =
            static_cast<std::uint8_t>(use.predicates | (d.operands.back().value & 0x7f));
        break;
      default:
        break;
    }
  }
  return use;
}

}  // namespace

tl::expected<Decoded, std::string> decode(const CodeWord& word, std::uint32_t address,
                                          int capability) {
  static const Index index;
  Decoded d;
  d.address = address;
  d.capability = capability;
  d.guard = {static_cast<int>(word.bits(12, 3)), word.bits(15, 1) != 0};
  d.control = controlOf(word);
  d.control.reuse = 0;
  const std::uint64_t opcode = word.bits(0, 12);
  const Form* nearest = nullptr;
  Difference least;
  for (const Form* form : index.of(opcode)) {
    if (capability < form->since || capability > form->until) continue;
    const Difference difference = readBy(*form, word, d);
    if (difference.bits == 0) return d;
    if (nearest == nullptr || difference.bits < least.bits) {
      nearest = form;
      least = difference;
    }
  }
  if (nearest == nullptr)
    return tl::unexpected(
        fmt::format("the opcode {:#05x} of the instruction at {:#06x} is not known for compute "
                    "capability {}.{}",
                    opcode, address, capability / 10, capability % 10));
  return tl::unexpected(
      fmt::format("the instruction {} at {:#06x} has {}", nearest->name, address, least.why));
}

std::int64_t branchDistance(const CodeWord& word, int capability) {
  return distanceOf(capability >= 90 ? forms::kTarget : forms::kOldTarget, word);
}

int Decoded::bytes() const {
  for (std::size_t i = 0; i < form->modifierCount; ++i) {
    if (form->modifiers[i].step != 0) return (modifiers[i] + 1) * form->modifiers[i].bytes;
    if (const Choice* choice = choiceOf(form->modifiers[i], modifiers[i]);
        choice != nullptr && choice->bytes != 0)
      return choice->bytes;
  }
  return 0;
}

std::optional<std::uint32_t> Decoded::target() const {
  const auto label = std::ranges::find(operands, OperandKind::Label, &DecodedOperand::kind);
  if (label == operands.end()) return std::nullopt;
  return static_cast<std::uint32_t>(label->value);
}

RegisterUse Decoded::reads() const {
  RegisterUse use = useOf(*this, Access::Read);
  include(form->uniformGuard ? use.uniformPredicates : use.predicates, guard.predicate);
  return use;
}

RegisterUse Decoded::writes() const {
  return useOf(*this, Access::Write);
}

}  // namespace tileloom::sass
