// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of tensor cores that were computed by hand from the model of accumulation.h.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/executor/accumulation.h"

namespace tileloom::executor {

struct AccumulationCase {
  const char* what;
  int capability;
  Factor factor;
  bool half;  // sums are FP16
  std::uint32_t c;
  struct Term {
    std::uint32_t k, a, b;
  };
  std::vector<Term> terms;  // the other products are 0
  std::uint32_t sum;
};

// Element (0, 0) of a product of this depth.
inline std::uint32_t sumOf(const AccumulationCase& of, std::uint32_t depth) {
  Products p;
  p.depth = depth;
  for (auto& row : p.a) row.fill(0);
  for (auto& row : p.b) row.fill(0);
  for (auto& row : p.c) row.fill(0);
  p.c[0][0] = of.c;
  for (const auto& each : of.terms) {
    p.a[0][each.k] = each.a;
    p.b[each.k][0] = each.b;
  }
  multiplyAdd(p, of.factor, of.half, accumulationOf(of.capability, of.factor));
  return p.c[0][0];
}

inline std::uint32_t depthOf(Factor factor) {
  return factor == Factor::Tf32 ? 8 : factor == Factor::Fp16 || factor == Factor::Bf16 ? 16 : 32;
}

inline std::vector<AccumulationCase> accumulationCases() {
  constexpr auto kFp16 = Factor::Fp16;
  // FP16: 0x3c00 is 1, 0x0c00 is 2^-12, 0x0800 is 2^-13.
  const std::vector<AccumulationCase::Term> four25 = {
      {0, 0x0c00, 0x0800}, {1, 0x0c00, 0x0800}, {2, 0x0c00, 0x0800}, {3, 0x0c00, 0x0800}};
  const std::vector<AccumulationCase::Term> one25 = {{0, 0x0c00, 0x0800}};
  const std::vector<AccumulationCase::Term> oneThenSmall = {{0, 0x3c00, 0x3c00},
                                                            {8, 0x0c00, 0x0800},
                                                            {9, 0x0c00, 0x0800},
                                                            {10, 0x0c00, 0x0800},
                                                            {11, 0x0c00, 0x0800}};
  std::vector<AccumulationCase::Term> smallThenOne = four25;
  smallThenOne.push_back({8, 0x3c00, 0x3c00});
  const std::vector<AccumulationCase::Term> product225 = {{0, 0x3e00, 0x3e00},
                                                          {1, 0x0c00, 0x0c00},
                                                          {2, 0x0c00, 0x0c00},
                                                          {3, 0x0c00, 0x0c00},
                                                          {4, 0x0c00, 0x0c00}};
  const std::vector<AccumulationCase::Term> cancelled = {{0, 0xec00, 0x6c00}, {1, 0x3c00, 0x3800}};
  const std::vector<AccumulationCase::Term> twoTies = {{0, 0x1000, 0x3c00}, {8, 0x1000, 0x3c00}};
  std::vector<AccumulationCase::Term> tf32 = {{0, 0x3f801fff, 0x3f800000}};
  for (std::uint32_t k = 4; k < 8; ++k) tf32.push_back({k, 0x39800000, 0x39000000});
  return {
      {"1 + 4 x 2^-25", 80, kFp16, false, 0x3f800000, four25, 0x3f800000},
      {"1 + 4 x 2^-25", 90, kFp16, false, 0x3f800000, four25, 0x3f800001},
      {"-1 + 2^-25", 80, kFp16, false, 0xbf800000, one25, 0xbf800000},
      {"-1 + 2^-25 is truncated", 90, kFp16, false, 0xbf800000, one25, 0xbf7fffff},
      {"-1 + 4 x 2^-25", 90, kFp16, false, 0xbf800000, four25, 0xbf7ffffe},
      {"1, then small ones in another group", 80, kFp16, false, 0, oneThenSmall, 0x3f800000},
      {"1 and small ones in one group", 90, kFp16, false, 0, oneThenSmall, 0x3f800001},
      {"small ones, then 1", 80, kFp16, false, 0, smallThenOne, 0x3f800001},
      {"2.25 has the exponent 0", 80, kFp16, false, 0, product225, 0x40100001},
      {"a zero has no exponent",
       80,
       kFp16,
       false,
       0x35800000,
       {{0, 0, 0x7800}, {1, 0x0c00, 0x0c00}},
       0x35880000},
      {"a denormal number has the least one",
       80,
       kFp16,
       false,
       0x2b800000,
       {{0, 0x0001, 0x3c00}},
       0x33800000},
      {"2^24 - 2^24 + 0.5", 80, kFp16, false, 0x4b800000, cancelled, 0},
      {"2^24 - 2^24 + 0.5", 90, kFp16, false, 0x4b800000, cancelled, 0x3f000000},
      {"infinity - infinity", 80, kFp16, false, 0xff800000, {{3, 0x7c00, 0x3c00}}, 0x7fffffff},
      {"infinity x 0", 90, kFp16, false, 0, {{15, 0x7c00, 0}}, 0x7fffffff},
      {"-infinity + 1", 90, kFp16, false, 0x3f800000, {{9, 0xfc00, 0x3c00}}, 0xff800000},
      {"NaN", 80, kFp16, true, 0, {{9, 0x7e01, 0}}, 0x7fff},
      {"FP16: a half unit goes to even", 80, kFp16, true, 0x3c00, {{0, 0x1000, 0x3c00}}, 0x3c00},
      {"FP16: three half units", 80, kFp16, true, 0x3c00, {{0, 0x1600, 0x3c00}}, 0x3c02},
      {"FP16: a little more than half",
       80,
       kFp16,
       true,
       0x3c00,
       {{0, 0x1000, 0x3c00}, {1, 0x0010, 0x3c00}},
       0x3c01},
      {"FP16: groups are rounded", 80, kFp16, true, 0x3c00, twoTies, 0x3c00},
      {"FP16: one group", 90, kFp16, true, 0x3c00, twoTies, 0x3c01},
      {"FP16: too large", 80, kFp16, true, 0x7bff, {{0, 0x4c00, 0x3c00}}, 0x7c00},
      {"BF16: too large",
       80,
       Factor::Bf16,
       false,
       0,
       {{0, 0x7f00, 0x3f80}, {1, 0x7f00, 0x3f80}},
       0x7f800000},
      {"BF16: 2^-140", 80, Factor::Bf16, false, 0, {{0, 0x0d80, 0x2b80}}, 0x00000200},
      {"TF32: 4 products in a group", 80, Factor::Tf32, false, 0, tf32, 0x3f800000},
      {"TF32: 8 products in a group", 90, Factor::Tf32, false, 0, tf32, 0x3f800001},
      {"E4M3: 1 + 2^-13", 89, Factor::E4m3, false, 0x3f800000, {{0, 0x08, 0x04}}, 0x3f800400},
      {"E4M3: 1 + 2^-14", 89, Factor::E4m3, false, 0x3f800000, {{0, 0x04, 0x04}}, 0x3f800000},
      {"E4M3: the accumulator, too", 90, Factor::E4m3, false, 0x3f800008, {}, 0x3f800000},
      {"E4M3: NaN", 90, Factor::E4m3, false, 0, {{31, 0xff, 0x04}}, 0x7fffffff},
  };
}

}  // namespace tileloom::executor
