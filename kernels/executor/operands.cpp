// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of an instruction become rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/executor/translator.h"

namespace tileloom::executor {

using sass::DecodedOperand;
using sass::OperandKind;

std::uint16_t registerRow(const DecodedOperand& operand) {
  if (operand.number == sass::kZeroRegister) return kZeroRow;
  const bool uniform =
      operand.kind == OperandKind::UniformRegister ||
      (operand.kind == OperandKind::IndexedConstant && operand.uniformRegisters != 0);
  return static_cast<std::uint16_t>(operand.number + (uniform ? kUniformRows : 0));
}

std::uint16_t writtenRow(const DecodedOperand& operand) {
  const std::uint16_t row = registerRow(operand);
  return row == kZeroRow ? kWasteRow : row;
}

std::uint16_t after(std::uint16_t row) {
  return row == kZeroRow || row == kWasteRow ? row : static_cast<std::uint16_t>(row + 1);
}

std::uint16_t Translator::addFixed(std::uint32_t value) {
  auto& fixed = program.fixed;
  if (const auto known = program.fixedAt.find(value); known != program.fixedAt.end())
    return known->second;
  // A source names its row in 16 bits.
  if (fixed.size() > UINT16_MAX) {
    trouble_ = "the kernel has too many different constants";
    return 0;
  }
  Row row;
  row.lane.fill(value);
  fixed.push_back(row);
  const auto at = static_cast<std::uint16_t>(fixed.size() - 1);
  program.fixedAt.emplace(value, at);
  return at;
}

std::uint32_t Translator::constant(int bank, std::int64_t at) {
  if (bank < 0 || static_cast<std::size_t>(bank) >= program.constants.size()) {
    trouble_ = fmt::format("the kernel has no constant bank {}", bank);
    return 0;
  }
  const auto& bytes = program.constants[static_cast<std::size_t>(bank)];
  std::uint32_t value = 0;
  if (at >= 0 && at + 4 <= static_cast<std::int64_t>(bytes.size()))
    std::memcpy(&value, bytes.data() + at, 4);
  else
    trouble_ = fmt::format("constant bank {} has no {:#x}", bank, at);
  return value;
}

Source Translator::source(const DecodedOperand& operand) {
  Source s;
  s.negative = operand.negated;
  s.absolute = operand.absolute;
  s.half = operand.suffix;
  const bool pair = operand.registers >= 2;
  switch (operand.kind) {
    case OperandKind::Register:
    case OperandKind::UniformRegister:
      s.row = registerRow(operand);
      s.upper = after(s.row);
      break;
    case OperandKind::Constant:
      s.fixed = true;
      s.row = addFixed(constant(operand.bank, operand.value));
      s.upper = addFixed(pair ? constant(operand.bank, operand.value + 4) : 0);
      break;
    case OperandKind::Double:
      s.fixed = true;
      s.row = addFixed(0);
      s.upper = addFixed(static_cast<std::uint32_t>(operand.value));
      break;
    case OperandKind::Immediate:
    case OperandKind::Float:
      s.fixed = true;
      s.row = addFixed(static_cast<std::uint32_t>(operand.value));
      s.upper = addFixed(pair && operand.value < 0 ? ~0u : 0u);
      break;
    default:
      trouble_ = "it has an operand of another kind";
      break;
  }
  return s;
}

void Translator::sortOperands(Operation& o) {
  int sources = 0, predicates = 0, results = 0;
  const auto next = [&]() -> Source& {
    Source& s = sources == 0 ? o.a : sources == 1 ? o.b : o.c;
    ++sources;
    return s;
  };
  const DecodedOperand* high = nullptr;  // the first one of two immediate halves
  for (const DecodedOperand& each : decoded.operands) {
    const bool writes = each.access != sass::Access::Read;
    switch (each.kind) {
      case OperandKind::Predicate:
      case OperandKind::UniformPredicate: {
        const bool uniform = each.kind == OperandKind::UniformPredicate;
        if (writes) {
          (results++ == 0 ? o.first : o.second) = {static_cast<std::uint8_t>(each.number), uniform};
        } else {
          PredicateSource& p = predicates == 0 ? o.p : predicates == 1 ? o.q : o.r;
          ++predicates;
          p = {static_cast<std::uint8_t>(each.number), each.negated, uniform};
        }
        break;
      }
      case OperandKind::Register:
      case OperandKind::UniformRegister:
        if (writes) {
          o.result = writtenRow(each);
          if (each.registers >= 2) o.resultUpper = after(o.result);
          break;
        }
        next() = source(each);
        break;
      case OperandKind::Immediate:
        // Tables and shifts are not sources.
        if (each.bitCount != 32) break;
        [[fallthrough]];
      case OperandKind::Constant:
      case OperandKind::Float:
      case OperandKind::Double:
        next() = source(each);
        break;
      case OperandKind::Half:
      case OperandKind::BHalf: {
        if (high == nullptr) {
          high = &each;
          break;
        }
        Source& s = next();
        s.fixed = true;
        s.row = addFixed(static_cast<std::uint32_t>(high->value) << 16 |
                         static_cast<std::uint32_t>(each.value));
        s.upper = addFixed(0);
        break;
      }
      default:
        break;
    }
  }
}

void Translator::sortAccess(Operation& o) {
  int sources = 0;
  for (const DecodedOperand& each : decoded.operands) {
    switch (each.kind) {
      case OperandKind::GlobalAddress:
        o.base = registerRow(each);
        o.baseUpper = after(o.base);
        o.offset = each.value;
        break;
      case OperandKind::Address:
        o.base = registerRow(each);
        o.baseUpper = each.registers == 2 ? after(o.base) : kZeroRow;  // of a generic address
        o.uniformBase = kZeroRow;
        if (each.uniform >= 0 && each.uniform != sass::kZeroRegister)
          o.uniformBase = static_cast<std::uint16_t>(kUniformRows + each.uniform);
        o.scale = each.scale;
        o.offset = each.value;
        break;
      case OperandKind::IndexedConstant:
      case OperandKind::Constant:
        o.base = each.kind == OperandKind::Constant ? kZeroRow : registerRow(each);
        o.table = static_cast<std::uint32_t>(each.bank);
        o.offset = each.value;
        if (o.table >= program.constants.size())
          trouble_ = fmt::format("the kernel has no constant bank {}", o.table);
        break;
      case OperandKind::Register:
      case OperandKind::UniformRegister:
        if (each.access == sass::Access::Read)
          (sources++ == 0 ? o.a : o.b).row = registerRow(each);
        else
          o.result = writtenRow(each);
        break;
      case OperandKind::Predicate:
        if (each.access == sass::Access::Read)
          o.p = {static_cast<std::uint8_t>(each.number), each.negated, false};
        else
          o.first = {static_cast<std::uint8_t>(each.number), false};
        break;
      case OperandKind::ClusterAddress:
        o.base = registerRow(each);
        o.baseUpper = kZeroRow;
        o.uniformBase = kZeroRow;
        if (each.uniform >= 0 && each.uniform != sass::kZeroRegister)
          o.uniformBase = static_cast<std::uint16_t>(kUniformRows + each.uniform);
        o.offset = each.value;
        break;
      case OperandKind::BarrierAddress:
      case OperandKind::UniformAddress:
        trouble_ = kNotExecuted;
        break;
      default:
        break;
    }
  }
  o.bytes = std::max(1, decoded.bytes());
  o.extendsSign = words.has("S8") || words.has("S16");
}

const DecodedOperand* Translator::operand(OperandKind kind) const {
  const auto found = std::ranges::find(decoded.operands, kind, &DecodedOperand::kind);
  return found == decoded.operands.end() ? nullptr : &*found;
}

std::uint32_t Translator::table() const {
  for (const DecodedOperand& each : decoded.operands)
    if (each.kind == OperandKind::Immediate && each.bitCount < 32)
      return static_cast<std::uint32_t>(each.value);
  return 0;
}

}  // namespace tileloom::executor
