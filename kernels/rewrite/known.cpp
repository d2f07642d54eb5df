// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace tileloom::rewrite {
namespace {

using sass::Effect;
using sass::OperandKind;

constexpr auto kPlaced = std::to_array<std::string_view>(
    {"ATOMG",     "BAR",          "CCTL",    "CGAERRBAR", "CS2R",  "DEPBAR",    "ELECT",
     "ERRBAR",    "F2FP",         "F2I",     "FADD",      "FENCE", "FFMA",      "FMUL",
     "HFMA2",     "HGMMA",        "HMMA",    "I2F",       "IADD",  "IADD3",     "IMAD",
     "IMNMX",     "ISETP",        "LDC",     "LDCU",      "LDG",   "LDGDEPBAR", "LDGSTS",
     "LDL",       "LDS",          "LDSM",    "LEA",       "LOP3",  "MEMBAR",    "MOV",
     "MUFU",      "NOP",          "P2R",     "PLOP3",     "PRMT",  "R2UR",      "REDUX",
     "S2R",       "S2UR",         "SEL",     "SHF",       "STG",   "STL",       "STS",
     "STSM",      "SYNCS",        "UCGABAR", "UIADD3",    "UIMAD", "UISETP",    "ULDC",
     "ULEA",      "ULOP3",        "UMOV",    "UPLOP3",    "UPRMT", "USEL",      "USETMAXREG",
     "USHF",      "UTMACMDFLUSH", "UTMALDG", "UTMASTG",   "VIADD", "VIMNMX",    "VOTEU",
     "WARPGROUP", "YIELD"});

// "BRA P0, 0x1a0": it goes on where its predicate is false, besides its guard.
bool hasSecondCondition(const sass::Decoded& code) {
  return std::ranges::any_of(code.operands, [](const sass::DecodedOperand& operand) {
    const bool predicate =
        operand.kind == OperandKind::Predicate || operand.kind == OperandKind::UniformPredicate;
    return predicate && (operand.number != sass::kTruePredicate || operand.negated);
  });
}

// Operands that name registers in a way that renaming does not know.
bool namesUnknownRegisters(const sass::DecodedOperand& operand) {
  switch (operand.kind) {
    case OperandKind::IndexedConstant:
      return operand.number != sass::kZeroRegister;
    case OperandKind::ClusterAddress:
    case OperandKind::Descriptor:
    case OperandKind::IndexedLabel:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string whyNotInKernel(const sass::Decoded& code) {
  const bool branch = code.effect() == Effect::Branch;
  const bool leaves = branch || (code.effect() == Effect::Call && code.base() != kReturn);
  if (leaves && !code.target())
    return fmt::format("\"{}\" leads to code that is not followed", code.text());
  if ((branch || code.effect() == Effect::Exit) && hasSecondCondition(code))
    return fmt::format("\"{}\" has two conditions", code.text());
  return {};
}

std::string whyNotInLoop(const sass::Decoded& code) {
  const Effect effect = code.effect();
  if (effect == Effect::Branch) return {};
  const bool placed = std::ranges::find(kPlaced, code.base()) != kPlaced.end();
  if (!placed || effect == Effect::Exit || effect == Effect::Convergence ||
      std::ranges::any_of(code.operands, namesUnknownRegisters))
    return fmt::format("\"{}\" is in the loop", code.text());
  return {};
}

}  // namespace tileloom::rewrite
