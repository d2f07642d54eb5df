// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/accumulation.h"

namespace tileloom::executor {
namespace {

struct Rule {
  int since, until;  // compute capabilities
  Factor factor;
  Accumulation how;
};

// Those of 9.0 are measured on an H200 (hardware.md, rule 90). The others are not: they are from
// P. Xie et al., "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores"
// (arXiv 2511.10909), which found equal bits for random operands. M. Fasi et al., "Numerical
// behavior of NVIDIA tensor cores" (2021), and FTTN (Li et al., 2024) found the same numbers for
// 8.0 and 9.0. The numbers of 8-bit factors at 9.0 are those of wgmma.
constexpr Rule kRules[] = {
    {80, 89, Factor::Fp16, {8, 24}},      {80, 89, Factor::Bf16, {8, 24}},
    {80, 89, Factor::Tf32, {4, 24}},      {89, 89, Factor::E4m3, {16, 13, 13}},
    {89, 89, Factor::E5m2, {16, 13, 13}}, {90, 129, Factor::Fp16, {16, 25}},
    {90, 129, Factor::Bf16, {16, 25}},    {90, 129, Factor::Tf32, {8, 25}},
    {90, 90, Factor::E4m3, {32, 13, 13}}, {90, 90, Factor::E5m2, {32, 13, 13}},
};

}  // namespace

Accumulation accumulationOf(int capability, Factor factor) {
  for (const Rule& each : kRules)
    if (each.factor == factor && capability >= each.since && capability <= each.until)
      return each.how;
  return {};
}

}  // namespace tileloom::executor
