// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/micro_code.h"

#include <algorithm>
#include <stdexcept>

namespace tileloom::sass::micro {
namespace {

struct Bits {
  int from = 0;
  int count = 0;
  std::uint64_t value = 0;
};

constexpr std::uint64_t kZero = 0xff;         // RZ
constexpr std::uint64_t kUniformZero = 0x3f;  // URZ

std::uint64_t number(int value) {
  return static_cast<std::uint64_t>(value);
}

// The word with these bits as an instruction. An instruction exists for these bits: they are those
// of the tables in forms_*.cpp.
Decoded made(std::initializer_list<Bits> parts, Control control = {.stall = 1}) {
  CodeWord word;
  for (const Bits& part : parts) word.put(part.from, part.count, part.value);
  constexpr Bits kAlways{12, 3, kTruePredicate};
  word.put(kAlways.from, kAlways.count, kAlways.value);
  putControl(word, control);
  constexpr int kCapability = 90;
  auto decoded = decode(word, 0, kCapability);
  if (!decoded) throw std::logic_error(decoded.error());
  return *decoded;
}

// The bits for the width of an access.
std::uint64_t sizeCode(int bytes) {
  return bytes == 16 ? 6 : bytes == 8 ? 5 : 4;
}

}  // namespace

Decoded ffma(int result, int a, int b, int c, unsigned kept) {
  return made({{0, 12, 0x223},
               {16, 8, number(result)},
               {24, 8, number(a)},
               {32, 8, number(b)},
               {64, 8, number(c)}},
              {.stall = 1, .reuse = kept});
}

Decoded sharedLoad(int bytes, int result) {
  return made({{0, 12, 0x984},
               {16, 8, number(result)},
               {24, 8, number(kAddressRegister)},
               {73, 3, sizeCode(bytes)}},
              {.stall = 1, .writeScoreboard = kLoads});
}

Decoded sharedStore(int bytes, int stored) {
  return made({{0, 12, 0x388},
               {24, 8, number(kAddressRegister)},
               {32, 8, number(stored)},
               {73, 3, sizeCode(bytes)}});
}

Decoded move(int to, int from) {
  return made({{0, 12, 0x202}, {16, 8, number(to)}, {32, 8, number(from)}, {72, 4, 0xf}});
}

Decoded uniformAdd() {
  constexpr int kOwn = 40;
  return made({{0, 12, 0x290},
               {16, 6, kOwn},
               {24, 6, kOwn},
               {32, 6, kUniformZero},
               {64, 6, kUniformZero},
               {77, 4, 0xf},
               {81, 3, 7},
               {84, 3, 7},
               {87, 4, 0xf},
               {91, 1, 1}});
}

Decoded countDown(int reg) {
  constexpr std::uint64_t kMinusOne = 0xffffffff;
  return made({{0, 12, 0x810},
               {16, 8, number(reg)},
               {24, 8, number(reg)},
               {32, 32, kMinusOne},
               {64, 8, kZero},
               {77, 4, 0xf},
               {81, 3, 7},
               {84, 3, 7},
               {87, 4, 0xf}});
}

Decoded isMoreThanOne(int predicate, int reg) {
  constexpr std::uint64_t kGreater = 4;
  return made({{0, 12, 0x80c},
               {24, 8, number(reg)},
               {32, 32, 1},
               {68, 3, 7},
               {73, 1, 1},
               {76, 3, kGreater},
               {81, 3, number(predicate)},
               {84, 3, 7},
               {87, 3, 7}});
}

Decoded branchToStart(int predicate, std::uint32_t address) {
  constexpr int kStall = 5;  // as the compiler sets it
  Decoded branch = made({{0, 12, 0x947}, {87, 3, 7}}, {.stall = kStall});
  branch.guard.predicate = predicate;
  branch.address = address;
  std::ranges::find(branch.operands, OperandKind::Label, &DecodedOperand::kind)->value = 0;
  return branch;
}

Decoded nothing() {
  return made({{0, 12, 0x918}});
}

Decoded mayNotExecute(Decoded code) {
  code.guard = {kTruePredicate, true};
  return code;
}

Decoded stalled(Decoded code, int cycles) {
  code.control.stall = cycles;
  return code;
}

}  // namespace tileloom::sass::micro
