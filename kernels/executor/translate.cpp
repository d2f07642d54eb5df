// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "kernels/executor/accesses.h"
#include "kernels/executor/control.h"
#include "kernels/executor/integers.h"
#include "kernels/executor/numbers.h"

namespace tileloom::executor {
namespace {

using sass::Decoded;
using sass::DecodedOperand;
using sass::OperandKind;

// The words of a mnemonic: IMAD, WIDE, U32.
class Words {
 public:
  explicit Words(std::string text) : text_(std::move(text)) {
    for (std::size_t begin = 0; begin <= text_.size();) {
      const std::size_t end = std::min(text_.find('.', begin), text_.size());
      words_.push_back(std::string_view(text_).substr(begin, end - begin));
      begin = end + 1;
    }
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  std::string_view base() const { return words_.front(); }
  bool has(std::string_view word) const {
    return std::ranges::find(words_.begin() + 1, words_.end(), word) != words_.end();
  }

 private:
  std::string text_;
  std::vector<std::string_view> words_;
};

std::uint8_t relationOf(const Words& words) {
  struct Name {
    std::string_view word;
    std::uint8_t relation;
  };
  static constexpr Name kNames[] = {
      {"LT", kLess},
      {"EQ", kEqual},
      {"LE", kLess | kEqual},
      {"GT", kGreater},
      {"NE", kLess | kGreater},
      {"GE", kGreater | kEqual},
      {"NUM", kLess | kEqual | kGreater},
      {"NAN", kUnordered},
      {"LTU", kLess | kUnordered},
      {"EQU", kEqual | kUnordered},
      {"LEU", kLess | kEqual | kUnordered},
      {"GTU", kGreater | kUnordered},
      {"NEU", kLess | kGreater | kUnordered},
      {"GEU", kGreater | kEqual | kUnordered},
      {"T", kLess | kEqual | kGreater | kUnordered},
  };
  for (const Name& each : kNames)
    if (words.has(each.word)) return each.relation;
  return 0;
}

Rounding roundingOf(const Words& words) {
  if (words.has("RM") || words.has("FLOOR")) return Rounding::Down;
  if (words.has("RP") || words.has("CEIL")) return Rounding::Up;
  if (words.has("RZ") || words.has("TRUNC")) return Rounding::ToZero;
  return Rounding::Nearest;
}

class Translator {
 public:
  Translator(Program& program, const Decoded& decoded)
      : program_(program), d_(decoded), words_(decoded.mnemonic()) {}

  // Empty: it is translated; otherwise why not.
  std::string translate(Operation& o);

 private:
  std::uint16_t uniformRow(int number) const {
    return number == sass::kZeroRegister ? kZeroRow
                                         : static_cast<std::uint16_t>(kUniformRows + number);
  }
  std::uint16_t addFixed(std::uint32_t value) {
    const auto known =
        std::ranges::find(program_.fixed, value, [](const Row& row) { return row.lane.front(); });
    if (known != program_.fixed.end())
      return static_cast<std::uint16_t>(known - program_.fixed.begin());
    Row row;
    row.lane.fill(value);
    program_.fixed.push_back(row);
    return static_cast<std::uint16_t>(program_.fixed.size() - 1);
  }
  std::uint32_t constant(int bank, std::int64_t at) {
    if (bank < 0 || static_cast<std::size_t>(bank) >= program_.constants.size()) return 0;
    const auto& bytes = program_.constants[static_cast<std::size_t>(bank)];
    std::uint32_t value = 0;
    if (at >= 0 && at + 4 <= static_cast<std::int64_t>(bytes.size()))
      std::memcpy(&value, bytes.data() + at, 4);
    else
      trouble_ = fmt::format("constant bank {} has no {:#x}", bank, at);
    return value;
  }

  Source source(const DecodedOperand& operand) {
    Source s;
    s.negative = operand.negated;
    s.absolute = operand.absolute;
    s.half = operand.suffix;
    const bool pair = operand.registers >= 2;
    switch (operand.kind) {
      case OperandKind::Register:
        s.row = static_cast<std::uint16_t>(operand.number);
        s.upper = s.row == kZeroRow ? kZeroRow : static_cast<std::uint16_t>(s.row + 1);
        break;
      case OperandKind::UniformRegister:
        s.row = uniformRow(operand.number);
        s.upper = s.row == kZeroRow ? kZeroRow : static_cast<std::uint16_t>(s.row + 1);
        break;
      case OperandKind::Constant:
        s.fixed = true;
        s.row = addFixed(constant(operand.bank, operand.value));
        if (pair) s.upper = addFixed(constant(operand.bank, operand.value + 4));
        break;
      case OperandKind::Double:
        s.fixed = true;
        s.row = addFixed(0);
        s.upper = addFixed(static_cast<std::uint32_t>(operand.value));
        break;
      case OperandKind::Immediate:
      case OperandKind::Float: {
        s.fixed = true;
        s.row = addFixed(static_cast<std::uint32_t>(operand.value));
        if (pair) s.upper = addFixed(operand.value < 0 ? ~0u : 0u);
        break;
      }
      default:
        trouble_ = "it has an operand of another kind";
        break;
    }
    return s;
  }

  void sortOperands(Operation& o);
  std::string memory(Operation& o);

  Program& program_;
  const Decoded& d_;
  Words words_;
  std::string trouble_;
};

// Gives results and sources their places, in the order of the text: registers that are written,
// predicates that are written, then A, B and C, and P, Q and R.
void Translator::sortOperands(Operation& o) {
  int sources = 0, predicates = 0, results = 0;
  for (const DecodedOperand& each : d_.operands) {
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
          const bool zero = each.number == sass::kZeroRegister;
          o.result = zero                                 ? kWasteRow
                     : each.kind == OperandKind::Register ? static_cast<std::uint16_t>(each.number)
                                                          : uniformRow(each.number);
          if (each.registers >= 2 && !zero)
            o.resultUpper = static_cast<std::uint16_t>(o.result + 1);
          break;
        }
        [[fallthrough]];
      case OperandKind::Constant:
      case OperandKind::Float:
      case OperandKind::Double:
      case OperandKind::Immediate: {
        // Tables and shifts are not sources.
        if (each.kind == OperandKind::Immediate && each.bitCount != 32) break;
        Source& s = sources == 0 ? o.a : sources == 1 ? o.b : o.c;
        ++sources;
        s = source(each);
        break;
      }
      default:
        break;
    }
  }
}

std::string Translator::memory(Operation& o) {
  for (const DecodedOperand& each : d_.operands) {
    switch (each.kind) {
      case OperandKind::GlobalAddress:
        if (o.execute == copyToShared) {
          o.globalBase = static_cast<std::uint16_t>(each.number);
          o.globalBaseUpper = each.number == sass::kZeroRegister
                                  ? kZeroRow
                                  : static_cast<std::uint16_t>(each.number + 1);
          o.globalOffset = each.value;
          break;
        }
        o.base = static_cast<std::uint16_t>(each.number);
        o.baseUpper = each.number == sass::kZeroRegister
                          ? kZeroRow
                          : static_cast<std::uint16_t>(each.number + 1);
        o.offset = each.value;
        break;
      case OperandKind::Address:
        o.base = static_cast<std::uint16_t>(each.number);
        o.uniformBase = each.uniform < 0 ? kZeroRow : uniformRow(each.uniform);
        o.scale = each.scale;
        o.offset = each.value;
        break;
      case OperandKind::IndexedConstant:
        o.base = each.uniformRegisters != 0 ? uniformRow(each.number)
                                            : static_cast<std::uint16_t>(each.number);
        o.table = static_cast<std::uint32_t>(each.bank);
        o.offset = each.value;
        if (o.table >= program_.constants.size())
          return fmt::format("there is no constant bank {}", o.table);
        break;
      case OperandKind::Constant:
        o.base = kZeroRow;
        o.table = static_cast<std::uint32_t>(each.bank);
        o.offset = each.value;
        if (o.table >= program_.constants.size())
          return fmt::format("there is no constant bank {}", o.table);
        break;
      case OperandKind::Register:
      case OperandKind::UniformRegister: {
        const bool zero = each.number == sass::kZeroRegister;
        const auto row = zero ? kZeroRow
                         : each.kind == OperandKind::Register
                             ? static_cast<std::uint16_t>(each.number)
                             : uniformRow(each.number);
        if (each.access == sass::Access::Read)
          o.a.row = row;
        else
          o.result = zero ? kWasteRow : row;
        break;
      }
      case OperandKind::Predicate:
        if (each.access == sass::Access::Read)
          o.p = {static_cast<std::uint8_t>(each.number), each.negated, false};
        break;
      default:
        break;
    }
  }
  o.bytes = std::max(1, d_.bytes());
  o.extendsSign = words_.has("S8") || words_.has("S16");
  return {};
}

std::string Translator::translate(Operation& o) {
  const std::string_view base = words_.base();
  o.guard = {static_cast<std::uint8_t>(d_.guard.predicate), d_.guard.negated,
             d_.form->uniformGuard};
  o.isSigned = !words_.has("U32") && !words_.has("U64");
  o.relation = relationOf(words_);
  o.combine = words_.has("OR") ? Combine::Or : words_.has("XOR") ? Combine::Xor : Combine::And;
  o.rounding = roundingOf(words_);
  o.saturates = words_.has("SAT");
  o.flushes = words_.has("FTZ");

  struct Entry {
    std::string_view name;
    Execute execute;
    bool uniform = false;
  };
  static constexpr Entry kArithmetic[] = {
      {"MOV", move},
      {"UMOV", move, true},
      {"IADD3", add3},
      {"UIADD3", add3, true},
      {"VIADD", add3},
      {"SEL", select},
      {"USEL", select, true},
      {"FSEL", select},
      {"PRMT", permute},
      {"UPRMT", permute, true},
      {"IMNMX", minMax},
      {"VIMNMX", minMax},
      {"IABS", magnitude},
      {"FFMA", fusedMultiplyAdd},
      {"FMUL", multiply},
      {"FADD", add},
      {"FSETP", compareFloats},
      {"FMNMX", minMaxFloats},
      {"FCHK", needsSlowDivision},
      {"I2F", fromInteger},
      {"I2FP", fromInteger},
      {"F2I", toInteger},
      {"DFMA", doubleMultiplyAdd},
      {"DMUL", doubleMultiply},
      {"DADD", doubleAdd},
      {"DSETP", compareDoubles},
      {"R2UR", firstLane, true},
      {"VOTE", vote},
      {"VOTEU", vote, true},
      {"SHFL", shuffle},
      {"POPC", countBits},
      {"UPOPC", countBits, true},
      {"FLO", countBits},
      {"UFLO", countBits, true},
      {"BREV", countBits},
      {"ISETP", compare},
      {"UISETP", compare, true},
      {"LEA", shiftAdd},
      {"ULEA", shiftAdd, true},
      {"LOP3", logic},
      {"ULOP3", logic, true},
      {"SHF", funnelShift},
      {"USHF", funnelShift, true},
      {"IMAD", multiplyAdd},
      {"UIMAD", multiplyAdd, true},
      {"MUFU", function},
      {"PLOP3", combinePredicates},
      {"UPLOP3", combinePredicates, true},
      {"P2R", packPredicates},
  };
  const auto arithmetic = std::ranges::find(kArithmetic, base, &Entry::name);
  if (arithmetic != std::end(kArithmetic)) {
    o.execute = arithmetic->execute;
    o.uniform = arithmetic->uniform;
    sortOperands(o);
    const bool high = words_.has("HI"), carries = words_.has("X");
    o.extended = carries || words_.has("EX");
    if (base == "IMAD" || base == "UIMAD") {
      if (words_.has("WIDE")) o.execute = multiplyWide;
      if (high) o.execute = multiplyHigh;
      if (carries) {
        o.c.complement = o.c.negative;
        o.c.negative = false;
      }
    } else if (base == "IADD3" || base == "UIADD3") {
      for (Source* each : {&o.a, &o.b, &o.c}) {
        if (!carries) continue;
        each->complement = each->negative;
        each->negative = false;
      }
    } else if (base == "LEA" || base == "ULEA") {
      if (high) o.execute = shiftAddHigh;
      o.wide = words_.has("SX32");
      for (const DecodedOperand& each : d_.operands)
        if (each.kind == OperandKind::Immediate && each.bitCount == 5)
          o.shift = static_cast<int>(each.value);
    } else if (base == "LOP3" || base == "ULOP3" || base == "P2R") {
      for (const DecodedOperand& each : d_.operands)
        if (each.kind == OperandKind::Immediate && each.bitCount < 32)
          o.table = static_cast<std::uint32_t>(each.value);
    } else if (base == "SHF" || base == "USHF") {
      o.right = words_.has("R");
      o.upperHalf = high;
      o.wraps = words_.has("W");
      o.wide = words_.has("U64") || words_.has("S64");
      o.isSigned = words_.has("S32") || words_.has("S64");
    } else if (base == "PLOP3" || base == "UPLOP3") {
      std::vector<std::uint32_t> tables;
      for (const DecodedOperand& each : d_.operands)
        if (each.kind == OperandKind::Immediate)
          tables.push_back(static_cast<std::uint32_t>(each.value));
      if (tables.size() != 2) return "it has no two tables";
      o.table = tables[0];
      o.secondTable = tables[1];
    } else if (base == "MUFU") {
      static constexpr std::string_view kFunctions[] = {"COS", "SIN",    "EX2",    "LG2",  "RCP",
                                                        "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"};
      const auto found =
          std::ranges::find_if(kFunctions, [this](auto name) { return words_.has(name); });
      o.kind = static_cast<std::uint8_t>(found - std::begin(kFunctions));
      o.b = o.a;
    } else if (base == "VOTE" || base == "VOTEU") {
      o.kind = words_.has("ALL") ? 0 : 1;
    } else if (base == "SHFL") {
      o.kind = words_.has("IDX") ? 0 : words_.has("UP") ? 1 : words_.has("DOWN") ? 2 : 3;
      // Lane and clamp may be immediate numbers of fewer bits.
      int place = 0;
      for (const DecodedOperand& each : d_.operands) {
        if (each.access != sass::Access::Read) continue;
        Source& s = place == 0 ? o.a : place == 1 ? o.b : o.c;
        ++place;
        s = source(each);
      }
    } else if (base == "POPC" || base == "FLO" || base == "BREV" || base == "UPOPC" ||
               base == "UFLO") {
      o.kind = base.ends_with("POPC") ? kPopulation : base.ends_with("FLO") ? kLeading : kReverse;
      o.wraps = words_.has("SH");
      o.b = o.a;
    } else if (base == "IABS" || base == "I2F" || base == "I2FP" || base == "F2I") {
      o.b = o.a;
      o.kind = words_.has("F64") ? kDouble : kSingle;
      o.wide = words_.has("S64") || words_.has("U64");
      if (words_.has("F16") || words_.has("S16") || words_.has("U16") || words_.has("S8") ||
          words_.has("U8"))
        return "conversions of this width are not executed yet";
    } else if ((base == "VIMNMX" || base == "IMNMX") &&
               (words_.has("S16x2") || words_.has("U16x2") || words_.has("RELU"))) {
      return "it is not executed yet";
    }
    return trouble_;
  }

  if (base == "HFMA2" && d_.operands.size() == 5 && d_.operands[1].isZero() &&
      d_.operands[2].isZero()) {
    // -0 * 0 + two immediate numbers: a move through another pipe.
    sortOperands(o);
    o.execute = move;
    o.a = {};
    o.a.fixed = true;
    o.a.row = addFixed(static_cast<std::uint32_t>(d_.operands[3].value) << 16 |
                       static_cast<std::uint32_t>(d_.operands[4].value));
    return {};
  }
  if (base == "S2R" || base == "S2UR" || base == "CS2R" || base == "CS2UR") {
    o.execute = special;
    o.uniform = base == "S2UR" || base == "CS2UR";
    sortOperands(o);
    for (const DecodedOperand& each : d_.operands)
      if (each.kind == OperandKind::SpecialRegister)
        o.table = static_cast<std::uint32_t>(each.number);
    return {};
  }

  static constexpr Entry kMemory[] = {
      {"LDG", loadGlobal},          {"LD", loadGlobal},           {"STG", storeGlobal},
      {"ST", storeGlobal},          {"LDS", loadShared},          {"STS", storeShared},
      {"LDL", loadLocal},           {"STL", storeLocal},          {"LDC", loadConstant},
      {"ULDC", loadConstant, true}, {"LDCU", loadConstant, true}, {"LDGSTS", copyToShared},
      {"RED", reduceGlobal},        {"REDG", reduceGlobal},       {"ATOMG", reduceGlobal},
  };
  const auto access = std::ranges::find(kMemory, base, &Entry::name);
  if (access != std::end(kMemory)) {
    o.execute = access->execute;
    o.uniform = access->uniform;
    if (const std::string why = memory(o); !why.empty()) return why;
    if (o.execute == reduceGlobal) {
      static constexpr std::pair<std::string_view, std::uint8_t> kKinds[] = {
          {"ADD", 0}, {"MIN", 1}, {"MAX", 2}, {"AND", 5}, {"OR", 6}, {"XOR", 7}, {"EXCH", 8}};
      const auto found =
          std::ranges::find_if(kKinds, [this](const auto& each) { return words_.has(each.first); });
      if (found == std::end(kKinds) || words_.has("64") || words_.has("F64") || words_.has("F16x2"))
        return "this atomic operation is not executed yet";
      o.kind = found->second;
      o.isSigned = words_.has("S32");
      if (words_.has("F32")) o.kind = 9;
      o.bytes = 4;
    }
    return trouble_;
  }

  const auto operand = [this](OperandKind kind) {
    return std::ranges::find(d_.operands, kind, &DecodedOperand::kind);
  };
  const auto number = [&] {
    return static_cast<std::uint8_t>(operand(OperandKind::ConvergenceBarrier)->number);
  };
  if (base == "BRA" && !words_.has("U")) {
    sortOperands(o);
    o.execute = branch;
    o.target = *d_.target() / sass::kCodeWordBytes;
    return {};
  }
  if (base == "CALL" && operand(OperandKind::Label) != d_.operands.end()) {
    o.execute = callTo;
    o.target = *d_.target() / sass::kCodeWordBytes;
    return {};
  }
  if (base == "RET" || base == "BRX" || (base == "CALL" && words_.has("REL"))) {
    const auto to = operand(OperandKind::IndexedLabel);
    if (to == d_.operands.end()) return "it goes to an absolute address";
    o.execute = branchIndexed;
    o.base = static_cast<std::uint16_t>(to->number);
    o.baseUpper = o.base == kZeroRow ? kZeroRow : static_cast<std::uint16_t>(o.base + 1);
    o.offset = to->value;
    return {};
  }
  if (base == "EXIT") {
    sortOperands(o);
    o.execute = leave;
    return {};
  }
  if (base == "BSSY" || base == "BSYNC" || base == "BREAK") {
    o.execute = base == "BSSY" ? noteMeeting : base == "BSYNC" ? meet : breakMeeting;
    o.kind = number();
    return {};
  }
  if (base == "BMOV") {
    sortOperands(o);
    o.kind = number();
    const bool restores = operand(OperandKind::ConvergenceBarrier)->access != sass::Access::Read;
    o.execute = restores ? restoreMeeting : saveMeeting;
    o.extended = words_.has("CLEAR");
    return {};
  }
  if (base == "WARPSYNC") {
    o.execute = meetWarp;
    return {};
  }
  if (base == "BAR" && words_.has("SYNC")) {
    o.execute = waitForBlock;
    int place = 0;
    for (const DecodedOperand& each : d_.operands) {
      const bool first = place++ == 0;
      if (first && each.kind == OperandKind::Register) {
        o.extended = true;
        o.base = static_cast<std::uint16_t>(each.number);
      } else if (first) {
        o.table = static_cast<std::uint32_t>(each.value);
      } else {
        o.secondTable = static_cast<std::uint32_t>(each.value);
      }
    }
    return {};
  }
  static constexpr std::string_view kNothing[] = {
      "NOP", "YIELD", "MEMBAR", "ERRBAR", "CCTL", "CGAERRBAR", "DEPBAR", "LDGDEPBAR", "NANOSLEEP"};
  if (std::ranges::find(kNothing, base) != std::end(kNothing)) {
    o.execute = nothing;
    return {};
  }
  return "it is not executed yet";
}

std::vector<std::uint8_t> launchBank(const Launch& launch) {
  const sass::KernelInfo& info = launch.kernel->info;
  std::vector<std::uint8_t> bank(static_cast<std::size_t>(info.parametersAt) +
                                 launch.parameters.size());
  const auto put = [&bank](std::size_t at, std::uint32_t value) {
    if (at + 4 <= bank.size()) std::memcpy(bank.data() + at, &value, 4);
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    put(kBlockSizeAt + 4 * axis, launch.block[axis]);
    put(kGridSizeAt + 4 * axis, launch.grid[axis]);
  }
  put(kStackAt, static_cast<std::uint32_t>(launch.kernel->info.frameBytes));
  std::ranges::copy(launch.parameters, bank.begin() + info.parametersAt);
  return bank;
}

}  // namespace

Program translated(const Launch& launch) {
  Program program;
  constexpr std::size_t kBanks = 5;
  program.constants.resize(kBanks);
  const auto take = [&](const std::vector<sass::ConstantBank>& banks) {
    for (const sass::ConstantBank& each : banks) {
      if (each.bank <= 0 || static_cast<std::size_t>(each.bank) >= kBanks) continue;
      program.constants[static_cast<std::size_t>(each.bank)].assign(each.bytes.begin(),
                                                                    each.bytes.end());
    }
  };
  take(launch.module->constants);
  take(launch.kernel->constants);
  program.constants[0] = launchBank(launch);
  const std::size_t count = launch.kernel->words.size();
  program.operations.resize(count);
  program.unknown.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    const auto decoded = sass::decode(launch.kernel->words[i], address, launch.module->capability);
    Operation& operation = program.operations[i];
    if (!decoded) {
      program.unknown[i] = decoded.error();
      continue;
    }
    program.unknown[i] = Translator(program, *decoded).translate(operation);
    if (program.unknown[i].empty()) continue;
    program.unknown[i] = fmt::format("{}: {}", decoded->text(), program.unknown[i]);
    operation.execute = nullptr;
  }
  return program;
}

}  // namespace tileloom::executor
