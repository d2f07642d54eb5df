// SPDX-License-Identifier: GPL-3.0-or-later
// A machine instruction as a value that can be read, changed and written back, without NVIDIA's
// tools. The encoding is not documented; docs/hardware.md (rule 28) says how it was learned and how
// far it was checked. Unknown encodings are refused: encode(decode(word)) is the word, or
// decode(word) is an error.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/code_word.h"
#include "kernels/sass/cubin/cubin.h"
#include "kernels/sass/form.h"
#include "kernels/sass/listing.h"

namespace tileloom::sass {

inline constexpr int kZeroRegister = 255;  // RZ and URZ, on each compute capability
inline constexpr int kTruePredicate = 7;   // PT and UPT

struct DecodedOperand {
  OperandKind kind = OperandKind::Register;
  Access access = Access::Read;
  bool shown = true;         // the disassembler prints it
  bool negated = false;      // -R4, !P0, ~R4
  bool absolute = false;     // |R4|
  std::uint8_t suffix = 0;   // bits of the field's suffix
  bool reuse = false;        // R4.reuse
  int number = 0;            // of the register, predicate, scoreboard; of an address: its register
  int registers = 1;         // consecutive ones, this the first
  int uniform = -1;          // of an address: its uniform register; -1: it has none
  int uniformRegisters = 0;  // consecutive ones
  int scale = 1;             // of an address: the scale of its register
  int bank = 0;              // of a constant
  std::int64_t value = 0;    // of an immediate; offset in bytes; target of a branch
  int firstBit = 0;          // first bit of its number or value
  int bitCount = 0;

  bool isZero() const {  // RZ or URZ
    return (kind == OperandKind::Register || kind == OperandKind::UniformRegister) &&
           number == kZeroRegister;
  }
  bool operator==(const DecodedOperand&) const = default;
};

// What an instruction reads or writes. RZ, URZ, PT and UPT are in no set.
struct RegisterUse {
  std::bitset<256> registers;
  std::bitset<256> uniform;
  std::uint8_t predicates = 0;  // bit i: Pi
  std::uint8_t uniformPredicates = 0;
  bool operator==(const RegisterUse&) const = default;
};

struct Guard {
  int predicate = kTruePredicate;  // uniform if Form::uniformGuard
  bool negated = false;
  bool operator==(const Guard&) const = default;
};

struct Decoded {
  const Form* form = nullptr;  // the row of the tables: never nullptr after decode()
  int shape = 0;               // bits 9 to 11 of the opcode, if the form leaves them open
  int capability = 0;          // 90
  std::uint32_t address = 0;   // bytes from the kernel's first instruction
  Guard guard;
  Control control;  // without `reuse`, which the operands say
  std::array<std::uint8_t, Form::kMostModifiers> modifiers{};  // bits of those of the form
  std::vector<DecodedOperand> operands;  // one per field of the form, also those that are not shown

  std::string_view base() const;    // "IMAD"
  std::string mnemonic() const;     // "IMAD.MOV.U32"
  std::string operandText() const;  // "R1, RZ, RZ, 0x4"
  std::string text() const;         // "@!P0 IMAD.MOV.U32 R1, RZ, RZ, 0x4", as nvdisasm prints it
  Effect effect() const { return form->effect; }
  int bytes() const;  // that each thread moves, or that its part of a result has; 0: see operands
  std::optional<std::uint32_t> target() const;  // of a branch, call or BSSY
  RegisterUse reads() const;                    // the guard included
  RegisterUse writes() const;
  bool operator==(const Decoded&) const = default;
};

// The instruction of this word. `address` is its place in the kernel, in bytes, and `capability` is
// 90 for compute capability 9.0. The error is one sentence without a full stop: which opcode or
// bits are unknown.
tl::expected<Decoded, std::string> decode(const CodeWord& word, std::uint32_t address,
                                          int capability);

// The word of an instruction, from its fields alone. The error is one sentence without a full stop:
// which number or value does not fit into its bits.
tl::expected<CodeWord, std::string> encode(const Decoded& instruction);

// The distance in bytes from the instruction after a branch (BRA) to its target, read without its
// other bits.
std::int64_t branchDistance(const CodeWord& word, int capability);

// The listing that nvdisasm would print for the kernel, except for line numbers and live registers.
// The error is that of decode().
tl::expected<Listing, std::string> listingOf(const Cubin& cubin);

}  // namespace tileloom::sass
