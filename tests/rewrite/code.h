// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code for tests of the rewriter: single instructions, made from words of NVIDIA's
// assembler by changing their operands; a small kernel made of them; and whole kernels from files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/rewrite/loop_code.h"
#include "kernels/sass/cubin/cubin.h"
#include "kernels/sass/decode.h"

namespace tileloom::test {

// Each without a guard, with one cycle of stall, no waits and no scoreboards.
namespace make {
sass::Decoded ffma(int result, int a, int b, int addend);
sass::Decoded lds128(int result, int address, int offset = 0);
sass::Decoded lds64(int result, int address, int offset = 0);
sass::Decoded lds(int result, int address, int offset = 0);
sass::Decoded sts(int address, int value, int offset = 0);
sass::Decoded ldg128(int result, int address);   // R[address] and the next one are the address
sass::Decoded ldgsts(int shared, int address);   // 16 bytes
sass::Decoded ldgsts4(int shared, int address);  // 4 bytes
sass::Decoded commit(int scoreboard);            // of the copies that were started
sass::Decoded depbar(int scoreboard, int mostLeft);
sass::Decoded barrier();
sass::Decoded stg128(int address, int value);
sass::Decoded iadd3(int result, int a, int immediate);
sass::Decoded mov(int result, int from);
sass::Decoded sel(int result, int a, int predicate);  // predicate ? a : RZ
sass::Decoded isetp(int predicate, int a, int b);
sass::Decoded ldc(int result, int offset);
sass::Decoded s2r(int result);
sass::Decoded uiadd3(int result, int a, int immediate);
sass::Decoded branch(std::size_t target);  // an index, not an address
sass::Decoded exit();
sass::Decoded nop();
}  // namespace make

sass::Decoded under(sass::Decoded code, int predicate, bool negated = false);
sass::Decoded stalled(sass::Decoded code, int cycles);
sass::Decoded counting(sass::Decoded code, int writeScoreboard, int readScoreboard = -1);
sass::Decoded waiting(sass::Decoded code, unsigned scoreboards);

// Each with its place; the first one has number `first` in its kernel.
std::vector<rewrite::Op> opsOf(std::vector<sass::Decoded> code, std::size_t first = 0);
sass::Cubin kernelOf(const std::vector<sass::Decoded>& code, int registers = 64);

// A kernel with a loop of two k, 4 x 4 accumulators in R32 to R47, rows in R16 and R24, columns in
// R20 and R28, addresses in R1 and R2, and a counter in R3.
std::vector<sass::Decoded> productKernel();
inline constexpr std::size_t kProductLoop = 4;  // its loop's first instruction

// A file of tests/rewrite/fixtures: kernels of rung 14 with lanes placed by exclusive or and
// toggles outside of branches, NVRTC 13.0, compute capability 9.0. small: a tile of 64 x 64 x 8, 4
// x 8 accumulators per thread; square: 64 x 64 x 4, 8 x 8 accumulators. Others are kernels of rung
// 16 of one warp and 8 x 8 accumulators with a second fragment that is loaded by 128 bits: narrow:
// 32 x 64 x 4, the first fragment by 64 bits; single: the same by 32; copies: 32 x 64 x 8, both by
// 128 bits, with four asynchronous copies and other instructions between them.
std::vector<char> cubinFixture(const std::string& name);

// The same file with another word for instruction `at`.
std::vector<char> withWord(std::span<const char> file, std::size_t at, const sass::CodeWord& word);

// A rewritten kernel as its checks see it.
struct Judged {
  std::vector<rewrite::Op> before, turn, behind;  // of the new code; `turn` ends with its branch
  std::vector<rewrite::Op> old;  // the old iteration, with the branch that closes it
  rewrite::LiveAround live;
};
Judged judgedOf(std::span<const char> original, std::span<const char> rewritten);

}  // namespace tileloom::test
