// SPDX-License-Identifier: GPL-3.0-or-later
// The model of the sums of tensor cores without the rest of the program. Checks the cases that were
// computed by hand, then prints the model's sum for each line of its input, all numbers but the
// first two as hexadecimal bits:
//
//   CAPABILITY FORMAT SUMS DEPTH C A0 B0 A1 B1 …      90 fp16 fp32 16 3f800000 3c00 3c00 …
//
// FORMAT is fp16, bf16, tf32, e4m3 or e5m2; SUMS is fp32 or fp16; DEPTH is decimal; products that
// are not given are 0. So a device's results can be compared with the model:
//   c++ -std=c++20 -O2 -I. tests/executor/accumulation_program.cpp
//   kernels/executor/accumulation*.cpp
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "tests/executor/accumulation_cases.h"

int main() {
  using namespace tileloom::executor;
  int wrong = 0;
  for (const AccumulationCase& each : accumulationCases()) {
    const std::uint32_t sum = sumOf(each, depthOf(each.factor));
    if (sum == each.sum) continue;
    ++wrong;
    std::fprintf(stderr, "%d, %s: %08x where %08x is wanted\n", each.capability, each.what, sum,
                 each.sum);
  }
  std::fprintf(stderr, "%d of %zu cases are wrong\n", wrong, accumulationCases().size());
  const std::map<std::string, Factor> formats = {{"fp16", Factor::Fp16},
                                                 {"bf16", Factor::Bf16},
                                                 {"tf32", Factor::Tf32},
                                                 {"e4m3", Factor::E4m3},
                                                 {"e5m2", Factor::E5m2}};
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    AccumulationCase its{};
    std::string format, sums;
    std::uint32_t depth = 0;
    words >> its.capability >> format >> sums >> depth >> std::hex >> its.c;
    for (AccumulationCase::Term term{}; words >> term.a >> term.b; ++term.k)
      its.terms.push_back(term);
    if (!formats.contains(format) || depth == 0 || depth > Products::kMostDepth ||
        its.terms.size() > depth) {
      std::fprintf(stderr, "not understood: %s\n", line.c_str());
      return 2;
    }
    its.factor = formats.at(format);
    its.half = sums == "fp16";
    if (accumulationOf(its.capability, its.factor).terms == 0) {
      std::puts("unknown");
      continue;
    }
    std::printf("%08x\n", sumOf(its, depth));
  }
  return wrong == 0 ? 0 : 1;
}
