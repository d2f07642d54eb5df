// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores, copies and atomic operations.
#include <algorithm>
#include <utility>

#include "kernels/executor/accesses.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

// LDGSTS has two addresses.
std::string copyOf(Translator& t, Operation& o) {
  t.sortAccess(o);
  const sass::DecodedOperand& from = *t.operand(sass::OperandKind::GlobalAddress);
  const sass::DecodedOperand& to = *t.operand(sass::OperandKind::Address);
  o.globalBase = registerRow(from);
  o.globalBaseUpper = after(o.globalBase);
  o.globalOffset = from.value;
  o.base = registerRow(to);
  o.baseUpper = kZeroRow;
  o.offset = to.value;
  return {};
}

std::string reductionOf(Translator& t, Operation& o) {
  static constexpr std::pair<std::string_view, std::uint8_t> kKinds[] = {
      {"ADD", 0}, {"MIN", 1}, {"MAX", 2}, {"AND", 5}, {"OR", 6}, {"XOR", 7}, {"EXCH", 8}};
  const auto found =
      std::ranges::find_if(kKinds, [&](const auto& each) { return t.words.has(each.first); });
  if (found == std::end(kKinds) || t.words.has("64") || t.words.has("F64") || t.words.has("F16x2"))
    return "this atomic operation is not executed yet";
  o.kind = found->second;
  o.isSigned = t.words.has("S32");
  if (t.words.has("F32")) o.kind = 9;
  o.bytes = 4;
  return {};
}

constexpr Operands kAccess = Operands::Access;

constexpr Instruction kInstructions[] = {
    {"LDG", loadGlobal, kAccess},
    {"LD", loadGlobal, kAccess},
    {"STG", storeGlobal, kAccess},
    {"ST", storeGlobal, kAccess},
    {"LDS", loadShared, kAccess},
    {"STS", storeShared, kAccess},
    {"LDL", loadLocal, kAccess},
    {"STL", storeLocal, kAccess},
    {"LDC", loadConstant, kAccess},
    {"ULDC", loadConstant, kAccess, nullptr, true},
    {"LDCU", loadConstant, kAccess, nullptr, true},
    {"LDGSTS", copyToShared, Operands::Own, copyOf},
    {"RED", reduceGlobal, kAccess, reductionOf},
    {"REDG", reduceGlobal, kAccess, reductionOf},
    {"ATOMG", reduceGlobal, kAccess, reductionOf},
};

}  // namespace

std::span<const Instruction> memoryInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
