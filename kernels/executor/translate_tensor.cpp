// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores, and what moves their matrices.
#include "kernels/executor/matrices.h"
#include "kernels/executor/products.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

struct Shape {
  std::string_view word;
  std::uint32_t depth;
};

// The depth of a shape of 16 rows and 8 columns; 0: it is another one.
std::uint32_t depthOf(const Translator& t) {
  static constexpr Shape kShapes[] = {{"1684", 4}, {"1688", 8}, {"16816", 16}, {"16832", 32}};
  for (const Shape& each : kShapes)
    if (t.words.has(each.word)) return each.depth;
  return 0;
}

std::string productOf(Translator& t, Operation& o) {
  o.table = depthOf(t);
  if (o.table == 0) return std::string(kNotExecuted);
  const Factor factor = t.words.has("TF32")   ? Factor::Tf32
                        : t.words.has("BF16") ? Factor::Bf16
                                              : Factor::Fp16;
  o.kind = static_cast<std::uint8_t>(factor);
  o.wide = t.words.has("F32");
  o.accumulation = accumulationOf(t.decoded.capability, factor);
  return o.accumulation.terms != 0 ? "" : "how this architecture adds is not known";
}

// The words of A and B: IMMA.16832.S8.U8.
std::string bytesOf(Translator& t, Operation& o) {
  o.table = depthOf(t);
  const auto& words = t.words.words();
  if (o.table == 0 || words.size() < 4) return std::string(kNotExecuted);
  o.isSigned = words[2] == "S8";
  o.secondSigned = words[3] == "S8";
  return {};
}

std::string matricesOf(Translator& t, Operation& o) {
  o.table = static_cast<std::uint32_t>(o.bytes) / 4;
  o.transposed = t.words.has("MT88");
  return {};
}

constexpr Instruction kInstructions[] = {
    {"HMMA", multiplyMatrices, Operands::Sorted, productOf},
    {"IMMA", multiplyBytes, Operands::Sorted, bytesOf},
    {"DMMA", multiplyDoubles},
    {"LDSM", loadMatrices, Operands::Access, matricesOf},
    {"STSM", storeMatrices, Operands::Access, matricesOf},
    {"MOVM", transposeMatrix},
};

}  // namespace

std::span<const Instruction> tensorInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
