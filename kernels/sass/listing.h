// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's machine code as NVIDIA's disassemblers print it, as a value. Needs no tool and no GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"

namespace tileloom::sass {

inline constexpr int kMostRegisters = 1024;  // that may be live, or a kernel's
inline constexpr int kMostLines = 1 << 20;   // of a kernel's source

// One of the operands separated by commas, with what matters to the register file.
struct Operand {
  int reg = -1;        // of a plain general register; -1: RZ, uniform, constant, address, …
  bool reuse = false;  // marked to stay in the operand cache for the next instruction
  bool operator==(const Operand&) const = default;
};

struct Instruction {
  std::uint32_t address = 0;            // bytes from the kernel's first instruction
  std::string predicate;                // "P0", "!P1", "!PT"; empty: always executed
  std::string opcode;                   // with its modifiers: "LDS.128"
  std::string operands;                 // as printed: "R36, [R104+0x40]"; labels are addresses
  std::vector<Operand> registers;       // one per operand, the destination first if there is one
  std::optional<int> live;              // general registers that hold a value still needed
  int line = 0;                         // of the kernel's source, from 1; 0: unknown
  std::optional<std::uint32_t> target;  // address that a branch or call goes to

  std::string_view base() const;                     // "LDS"
  bool never() const { return predicate == "!PT"; }  // a placeholder that is never executed
  std::string text() const;                          // "@!P0 BRA 0x53c0"
};

struct Listing {
  std::string kernel;                     // its name in the machine code
  std::vector<Instruction> instructions;  // by address, without the padding at the end

  bool hasLive() const;   // every instruction says how many registers are live
  bool hasLines() const;  // some instruction says which source line it comes from
  int mostLive() const;   // 0: the listing does not say
  // The index of the instruction at this address. std::nullopt: there is none.
  std::optional<std::size_t> at(std::uint32_t address) const;
};

// Parses one instruction, such as "@!P0 BRA 0x53c0". The caller fills in its address and live
// registers. std::nullopt: the text is not an instruction.
std::optional<Instruction> parseInstruction(std::string_view text);

// Parses what `nvdisasm -c`, with or without `-lrm count`, `-gi` and `-hex`, or `cuobjdump -sass`
// prints. An instruction of an inlined function gets the innermost line of the kernel's own file:
// for a function in a header the line that calls it. If the text has several kernels, the first is
// taken. Trouble::Unsupported: the text has no instruction.
Result<Listing> parseListing(std::string_view text);

// Removes the padding after a kernel's end, which exists for the instruction prefetch: NOPs and a
// branch to itself. At least one instruction stays.
void dropPadding(Listing& listing);

// Copies the source lines from a listing of the same kernel, if it has the same instructions.
void takeLines(Listing& listing, const Listing& from);

// Copies them from the listing that its instructions come from: the i-th one was at place
// origins[i] of `from`; a place that `from` does not have, such as -1, has no line.
void takeLines(Listing& listing, const Listing& from, std::span<const int> origins);

}  // namespace tileloom::sass
