// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores, copies and atomic operations.
#include <algorithm>

#include "kernels/executor/accesses.h"
#include "kernels/executor/atomics.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

std::string loadOf(Translator& t, Operation& o) {
  o.strong = t.words.has("STRONG");
  return {};
}

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

std::string atomicOf(Translator& t, Operation& o) {
  struct Name {
    std::string_view word;
    Atomic kind;
  };
  static constexpr Name kNames[] = {
      {"ADD", Atomic::Add},       {"MIN", Atomic::Least},        {"MAX", Atomic::Most},
      {"INC", Atomic::Increment}, {"DEC", Atomic::Decrement},    {"AND", Atomic::And},
      {"OR", Atomic::Or},         {"XOR", Atomic::Xor},          {"EXCH", Atomic::Exchange},
      {"CAS", Atomic::Compare},   {"CAST", Atomic::CompareTest},
  };
  const auto found =
      std::ranges::find_if(kNames, [&](const Name& n) { return t.words.has(n.word); });
  if (found == std::end(kNames)) return std::string(kNotExecuted);
  const bool pairs = t.words.has("F16x2");
  // Only of pairs it is known: whether the address is one of global memory.
  if (o.first.number != sass::kTruePredicate && !pairs) return std::string(kNotExecuted);
  o.kind = static_cast<std::uint8_t>(found->kind);
  o.isSigned = t.words.has("S32") || t.words.has("S64");
  o.table = static_cast<std::uint32_t>(t.words.has("F32")   ? AtomicNumber::Fp32
                                       : t.words.has("F64") ? AtomicNumber::Fp64
                                       : pairs              ? AtomicNumber::Fp16Pair
                                                            : AtomicNumber::Whole);
  const bool wide = t.words.has("64") || t.words.has("S64") || t.words.has("F64");
  o.bytes = wide ? 8 : 4;
  const bool floats = t.words.has("F32") || t.words.has("F64") || pairs;
  if (floats && found->kind != Atomic::Add) return std::string(kNotExecuted);
  // The address of ATOMG.CAS is 64 bits without a descriptor.
  if (o.execute == atomicGlobal && o.baseUpper == kZeroRow && o.uniformBase == kZeroRow)
    o.baseUpper = after(o.base);
  return {};
}

constexpr Operands kAccess = Operands::Access;

constexpr Instruction kInstructions[] = {
    {"LDG", loadGlobal, kAccess, loadOf},
    {"LD", loadGlobal, kAccess, loadOf},
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
    {"RED", atomicGlobal, kAccess, atomicOf},
    {"REDG", atomicGlobal, kAccess, atomicOf},
    {"ATOMG", atomicGlobal, kAccess, atomicOf},
    {"ATOM", atomicGlobal, kAccess, atomicOf},
    {"ATOMS", atomicShared, kAccess, atomicOf},
};

}  // namespace

std::span<const Instruction> memoryInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
