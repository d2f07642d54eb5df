// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rewrite/code.h"

#include <QtTest>
#include <algorithm>
#include <fstream>
#include <iterator>

namespace tileloom::test {
namespace {

constexpr int kCapability = 90;

sass::Decoded made(std::uint64_t low, std::uint64_t high) {
  auto code = sass::decode({low, high}, 0, kCapability);
  if (!code) qFatal("%s", code.error().c_str());
  code->control = {.stall = 1};
  code->guard = {};
  for (sass::DecodedOperand& operand : code->operands) operand.reuse = false;
  return *code;
}

}  // namespace

namespace make {

sass::Decoded ffma(int result, int a, int b, int addend) {
  auto code = made(0x00000017103b7223, 0x0ccfe20000000005);  // FFMA R59, R16, R23, R5
  code.operands[0].number = result;
  code.operands[1].number = a;
  code.operands[2].number = b;
  code.operands[3].number = addend;
  return code;
}

sass::Decoded lds128(int result, int address, int offset) {
  auto code = made(0x0000000039147984, 0x0002a20000000c00);  // LDS.128 R20, [R57]
  code.operands[0].number = result;
  code.operands[1].number = address;
  code.operands[1].value = offset;
  return code;
}

sass::Decoded lds(int result, int address, int offset) {
  auto code = made(0x00000000fffff984, 0x000fe20000000800);  // LDS RZ, [RZ]
  code.operands[0].number = result;
  code.operands[1].number = address;
  code.operands[1].value = offset;
  return code;
}

sass::Decoded lds64(int result, int address, int offset) {
  auto code = lds128(result, address, offset);
  code.modifiers[0] = 5;  // of 0 to 7: U8, S8, U16, S16, 32, 64, 128 bits
  code.operands[0].registers = 2;
  return code;
}

sass::Decoded sts(int address, int value, int offset) {
  auto code = made(0x0000001807007388, 0x004fe80000000800);  // STS [R7], R24
  code.operands[0].number = address;
  code.operands[0].value = offset;
  code.operands[1].number = value;
  return code;
}

sass::Decoded ldg128(int result, int address) {
  auto code = made(0x0000000c120c7981, 0x000ea2000c1e1d00);  // LDG.E.128 R12, desc[UR12][R18.64]
  code.operands[0].number = result;
  code.operands[1].number = address;
  return code;
}

sass::Decoded ldgsts(int shared, int address) {
  // LDGSTS.E.BYPASS.128 [R11], desc[UR12][R60.64]
  auto code = made(0x000000003c0b7fae, 0x0003e8000b901c4c);
  code.operands[0].number = shared;
  code.operands[1].number = address;
  return code;
}

sass::Decoded ldgsts4(int shared, int address) {
  // LDGSTS.E [R41], desc[UR8][R12.64]
  auto code = made(0x000000000c297fae, 0x0003e2000b921848);
  code.operands[0].number = shared;
  code.operands[1].number = address;
  return code;
}

sass::Decoded commit(int scoreboard) {
  auto code = made(0x00000000000079af, 0x000e280000000000);  // LDGDEPBAR
  code.control.writeScoreboard = scoreboard;
  return code;
}

sass::Decoded depbar(int scoreboard, int mostLeft) {
  auto code = made(0x000080000000791a, 0x000fc80000000000);  // DEPBAR.LE SB0, 0x0
  code.operands[0].number = scoreboard;
  code.operands[1].value = mostLeft;
  return code;
}

sass::Decoded barrier() {
  return made(0x0000000000007b1d, 0x000fec0000010000);  // BAR.SYNC.DEFER_BLOCKING 0x0
}

sass::Decoded stg128(int address, int value) {
  auto code = made(0x0000000c12007986, 0x0003e8000c101d0c);  // STG.E.128 desc[UR12][R18.64], R12
  code.operands[0].number = address;
  code.operands[1].number = value;
  return code;
}

sass::Decoded iadd3(int result, int a, int immediate) {
  auto code = made(0x0ffffffe04027810, 0x010fc80007ffe0ff);  // IADD3 R2, R4, 0xffffffe, RZ
  code.operands[0].number = result;
  for (sass::DecodedOperand& operand : code.operands) {
    if (operand.kind == sass::OperandKind::Register && operand.access == sass::Access::Read &&
        operand.number == 4)
      operand.number = a;
    if (operand.kind == sass::OperandKind::Immediate) operand.value = immediate;
  }
  return code;
}

sass::Decoded mov(int result, int from) {
  auto code = made(0x000000ff00027202, 0x002fe20000000f00);  // MOV R2, RZ
  code.operands[0].number = result;
  code.operands[1].number = from;
  return code;
}

sass::Decoded sel(int result, int a, int predicate) {
  auto code = made(0x000000ff0c0b7207, 0);  // SEL R11, R12, RZ, P0
  code.operands[0].number = result;
  code.operands[1].number = a;
  code.operands[3].number = predicate;
  return code;
}

sass::Decoded isetp(int predicate, int a, int b) {
  auto code = made(0x000000060300720c, 0x000fda0003f06070);  // ISETP.GE.U32.AND P0, PT, R3, R6, PT
  code.operands[0].number = predicate;
  code.operands[2].number = a;
  code.operands[3].number = b;
  return code;
}

sass::Decoded ldc(int result, int offset) {
  auto code = made(0x00000a00ff017b82, 0x000fe20000000800);  // LDC R1, c[0x0][0x28]
  code.operands[0].number = result;
  code.operands[1].value = offset;
  return code;
}

sass::Decoded s2r(int result) {
  auto code = made(0x0000000000007919, 0x000e620000002600);  // S2R R0, SR_CTAID.Y
  code.operands[0].number = result;
  return code;
}

sass::Decoded uiadd3(int result, int a, int immediate) {
  auto code = made(0x0000110004057890, 0x000fe2000fffe03f);  // UIADD3 UR5, UR4, 0x1100, URZ
  code.operands[0].number = result;
  for (sass::DecodedOperand& operand : code.operands) {
    if (operand.kind == sass::OperandKind::UniformRegister &&
        operand.access == sass::Access::Read && operand.number == 4)
      operand.number = a;
    if (operand.kind == sass::OperandKind::Immediate) operand.value = immediate;
  }
  return code;
}

sass::Decoded branch(std::size_t target) {
  auto code = made(0x0000001400748947, 0x000fea0003800000);  // BRA
  for (sass::DecodedOperand& operand : code.operands) {
    if (operand.kind == sass::OperandKind::Label)
      operand.value = static_cast<std::int64_t>(target * sass::kCodeWordBytes);
  }
  return code;
}

sass::Decoded exit() {
  return made(0x000000000000794d, 0x000fea0003800000);
}

sass::Decoded nop() {
  return made(0x0000000000007918, 0x000fc00000000000);
}

}  // namespace make

sass::Decoded under(sass::Decoded code, int predicate, bool negated) {
  code.guard = {predicate, negated};
  return code;
}

sass::Decoded stalled(sass::Decoded code, int cycles) {
  code.control.stall = cycles;
  return code;
}

sass::Decoded counting(sass::Decoded code, int writeScoreboard, int readScoreboard) {
  code.control.writeScoreboard = writeScoreboard;
  code.control.readScoreboard = readScoreboard;
  return code;
}

sass::Decoded waiting(sass::Decoded code, unsigned scoreboards) {
  code.control.wait = scoreboards;
  return code;
}

std::vector<rewrite::Op> opsOf(std::vector<sass::Decoded> code, std::size_t first) {
  std::vector<rewrite::Op> ops;
  for (std::size_t i = 0; i < code.size(); ++i) {
    code[i].address = static_cast<std::uint32_t>((first + i) * sass::kCodeWordBytes);
    ops.push_back(rewrite::Op::of(std::move(code[i]), first + i));
  }
  return ops;
}

sass::Cubin kernelOf(const std::vector<sass::Decoded>& code, int registers) {
  sass::Cubin cubin{"made", {}, kCapability, registers, 0};
  for (const rewrite::Op& op : opsOf(code)) {
    const auto word = sass::encode(op.code);
    if (!word) qFatal("%s", word.error().c_str());
    cubin.words.push_back(*word);
  }
  return cubin;
}

std::vector<sass::Decoded> productKernel() {
  constexpr int kRows[2] = {16, 24}, kColumns[2] = {20, 28}, kSums = 32;
  std::vector<sass::Decoded> code = {counting(make::lds128(kRows[0], 1), 0),
                                     counting(make::lds128(kColumns[0], 2), 0), make::nop(),
                                     stalled(waiting(make::nop(), 1), 15)};
  const auto products = [&](int set) {
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) {
        const int sum = kSums + 4 * row + column;
        code.push_back(make::ffma(sum, kRows[set] + row, kColumns[set] + column, sum));
      }
    }
  };
  code.push_back(stalled(make::iadd3(3, 3, 1), 6));
  code.push_back(stalled(make::isetp(0, 3, 4), 15));
  code.push_back(counting(make::lds128(kRows[1], 1, 16), 1));
  code.push_back(stalled(counting(make::lds128(kColumns[1], 2, 16), 1), 2));
  products(0);
  code.push_back(waiting(make::barrier(), 2));
  code.push_back(counting(make::lds128(kRows[0], 1, 32), 2));
  code.push_back(counting(make::lds128(kColumns[0], 2, 32), 2));
  products(1);
  code.push_back(waiting(under(make::branch(kProductLoop), 0, true), 4));
  for (int row = 0; row < 4; ++row) code.push_back(stalled(make::stg128(8, kSums + 4 * row), 6));
  code.push_back(make::exit());
  code.push_back(make::branch(code.size()));
  code.push_back(make::nop());
  return code;
}

std::vector<char> cubinFixture(const std::string& name) {
  std::ifstream file(TILELOOM_REWRITE_FIXTURES "/" + name + ".cubin", std::ios::binary);
  if (!file) qFatal("no fixture %s", name.c_str());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<char> withWord(std::span<const char> file, std::size_t at, const sass::CodeWord& word) {
  auto cubin = sass::readCubin(file);
  if (!cubin) qFatal("%s", cubin.error().c_str());
  cubin->words.at(at) = word;
  auto changed = sass::withCode(file, cubin->words, 0);
  if (!changed) qFatal("%s", changed.error().c_str());
  return *changed;
}

Judged judgedOf(std::span<const char> original, std::span<const char> rewritten) {
  const auto old = rewrite::loopCodeOf(*sass::readCubin(original));
  const auto now = rewrite::loopCodeOf(*sass::readCubin(rewritten));
  if (!old) qFatal("%s", old.error().c_str());
  if (!now) qFatal("%s", now.error().c_str());
  const auto part = [](const rewrite::LoopCode& loop, std::size_t begin, std::size_t end) {
    return std::vector<rewrite::Op>(loop.kernel.begin() + static_cast<std::ptrdiff_t>(begin),
                                    loop.kernel.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {part(*now, 0, now->begin), part(*now, now->begin, now->end),
          part(*now, now->end, now->kernel.size()), part(*old, old->begin, old->end),
          rewrite::liveAround(*old)};
}

}  // namespace tileloom::test
