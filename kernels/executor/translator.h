// SPDX-License-Identifier: GPL-3.0-or-later
// Makes an Operation of a decoded instruction: a row of the tables below for each base of a
// mnemonic. A new instruction is a row, and a function that completes it where it needs one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/executor/mnemonic.h"
#include "kernels/executor/operation.h"
#include "kernels/sass/decode.h"

namespace tileloom::executor {

class Translator {
 public:
  Translator(Program& of, const sass::Decoded& instruction)
      : program(of), decoded(instruction), words(instruction.mnemonic()) {}

  // Empty: it is translated; otherwise why not.
  std::string translate(Operation& o);

  // For the functions that complete an operation.
  Program& program;
  const sass::Decoded& decoded;
  Mnemonic words;

  // The row of `program.fixed` with this value in each lane.
  std::uint16_t addFixed(std::uint32_t value);
  Source source(const sass::DecodedOperand& operand);
  // Gives results and sources their places, in the order of the text: registers that are written,
  // predicates that are written, then A, B and C, and P, Q and R.
  void sortOperands(Operation& o);
  // The places of an instruction with one address: what is stored is A, and what is compared B.
  void sortAccess(Operation& o);
  // The first operand of this kind; nullptr: it has none.
  const sass::DecodedOperand* operand(sass::OperandKind kind) const;
  // The first immediate number of fewer than 32 bits.
  std::uint32_t table() const;

 private:
  std::uint32_t constant(int bank, std::int64_t at);

  std::string trouble_;
};

// Rows of registers, with the places of RZ.
std::uint16_t registerRow(const sass::DecodedOperand& operand);
std::uint16_t writtenRow(const sass::DecodedOperand& operand);
std::uint16_t after(std::uint16_t row);  // the next one

enum class Operands : std::uint8_t { Sorted, Access, Own };

struct Instruction {
  std::string_view name;      // the base of its mnemonic
  Execute execute = nullptr;  // nullptr: `complete` chooses it
  Operands operands = Operands::Sorted;
  // Completes it; why it cannot be executed, or nothing. nullptr: it is complete.
  std::string (*complete)(Translator&, Operation&) = nullptr;
  bool uniform = false;  // executed once for the warp
};

inline constexpr std::string_view kNotExecuted = "it is not executed yet";

// The tables.
std::span<const Instruction> integerInstructions();
std::span<const Instruction> laneInstructions();
std::span<const Instruction> numberInstructions();
std::span<const Instruction> halfInstructions();
std::span<const Instruction> tensorInstructions();
std::span<const Instruction> memoryInstructions();
std::span<const Instruction> controlInstructions();
std::span<const Instruction> asyncInstructions();

}  // namespace tileloom::executor
