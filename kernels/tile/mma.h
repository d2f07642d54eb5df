// SPDX-License-Identifier: GPL-3.0-or-later
// What a tensor core instruction is. Derivation, rules, fragments, products, counts, floors and
// words read the shape of an instruction from its row. Its rows and names are in mma_table.h, which
// few sources include.
//
// The lane maps are those of the PTX ISA, "Matrix Fragments for mma.m16n8k8, m16n8k16,
// m16n8k32 and m16n8k64" and "Register Fragments and Shared Memory Matrix Layouts" of wgmma.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tileloom {

// An instruction with its shape: the number of its row.
enum class Mma : std::uint8_t;

// Of a rung that names no other: mma.m16n8k16 and wgmma.m64nNk16, both of 16-bit elements.
inline constexpr Mma kUsualWarpMma{0}, kUsualGroupMma{1};

// A row and column of an operand.
struct FragmentPlace {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  bool operator==(const FragmentPlace&) const = default;
};

struct MmaRow {
  Mma mma;
  std::string_view ptx;    // "mma.sync"
  std::string_view shape;  // "m16n8k16"
  std::string_view sass;   // how its name begins in machine code: "HMMA.16816"
  std::uint32_t warps;     // that execute it together
  // C (rows x columns) += A (rows x depth) · B (depth x columns).
  std::uint32_t rows;
  std::uint32_t columns;  // of wgmma: the unit of N, which the instruction names
  std::uint32_t mostColumns;
  std::uint32_t depth;
  std::uint32_t elementBits;  // of an element of A and B
  bool inShared;              // where A and B are: in shared memory, or in registers
  // Whether the compiler has it only for an architecture's own target: "sm_120a".
  bool ownTarget = false;

  static constexpr std::uint32_t kLanes = 32, kRegisterBits = 32;

  constexpr std::uint32_t elementsPerRegister() const { return kRegisterBits / elementBits; }
  // Multiply-adds of one warp for `columns` columns (its unit, unless the instruction says more).
  constexpr std::uint32_t products() const { return rows / warps * columns * depth; }
  // Rows of A and C that one warp has.
  constexpr std::uint32_t warpRows() const { return rows / warps; }

  // Of an instruction with operands in registers: the elements that each lane holds.
  constexpr std::uint32_t laneA() const { return rows * depth / kLanes; }
  constexpr std::uint32_t laneB() const { return depth * columns / kLanes; }
  constexpr std::uint32_t laneC() const { return warpRows() * columns / kLanes; }
  constexpr std::uint32_t laneOperands() const { return laneA() + laneB() + laneC(); }

  // The place of element i of a lane: part i % elementsPerRegister() of its register.
  constexpr FragmentPlace placeInA(std::uint32_t lane, std::uint32_t i) const {
    const std::uint32_t parts = elementsPerRegister(), reg = i / parts;
    return {lane / 4 + reg % 2 * 8, lane % 4 * parts + i % parts + reg / 2 * 4 * parts};
  }
  constexpr FragmentPlace placeInB(std::uint32_t lane, std::uint32_t i) const {
    const std::uint32_t parts = elementsPerRegister(), reg = i / parts;
    return {lane % 4 * parts + i % parts + reg * 4 * parts, lane / 4};
  }
  // Accumulator i of a lane, of wgmma in the rows of its warp.
  constexpr FragmentPlace placeInC(std::uint32_t lane, std::uint32_t i) const {
    return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
  }
};

// The rows, in the order of the enumeration.
extern const MmaRow* const kMmaRows;

inline const MmaRow& rowOf(Mma mma) {
  return kMmaRows[static_cast<std::size_t>(mma)];
}

// The first instruction of one warp that multiplies elements of this width, from registers.
const MmaRow& warpMmaOf(int elementBits);

struct Architecture;

// Multiply-adds of this instruction that the tensor cores of one SM execute per cycle: those of
// 16-bit factors times 16 over the width of an element, as the data sheets of all architectures in
// the table say; those of 16-bit factors where operands are converted to them. 0: not documented.
double tensorPerCycle(const Architecture& arch, const MmaRow& row);

// "16 x 8 x 16"; of wgmma with the columns that the instruction names.
std::string sizeText(const MmaRow& row, std::uint32_t columns = 0);

}  // namespace tileloom
