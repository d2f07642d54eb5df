// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/latency.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tileloom::rewrite {
namespace {

constexpr std::array<std::string_view, 16> kArithmetic = {
    "FFMA", "FADD", "FMUL", "IADD3", "IMAD", "ISETP", "LEA",    "LOP3",
    "MOV",  "SEL",  "SHF",  "VIADD", "PRMT", "IMNMX", "VIMNMX", "PLOP3"};
constexpr std::array<std::string_view, 9> kUniform = {"UIADD3", "UIMAD", "UISETP", "ULEA", "ULOP3",
                                                      "UMOV",   "USEL",  "USHF",   "ULDC"};

constexpr int kArithmeticCycles = 6;  // 4 to a user in the same pipe
constexpr int kUniformCycles = 8;     // 4 to a uniform user, 6 to any other
constexpr int kPredicateCycles = 14;  // 4 to arithmetic, 13 to a guard or a branch

}  // namespace

Latencies latenciesOf(const Op& op) {
  const std::string_view base = op.code.base();
  if (std::ranges::find(kArithmetic, base) != kArithmetic.end())
    return {kArithmeticCycles, kLongestLatency, kPredicateCycles};
  if (std::ranges::find(kUniform, base) != kUniform.end())
    return {kLongestLatency, kUniformCycles, kPredicateCycles};
  return {};
}

}  // namespace tileloom::rewrite
