// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tensor core instructions. Derivation, rules, fragments, products, counts, floors and
// words read their shape here. A new instruction is one row.
//
// The lane maps are those of the PTX ISA, "Matrix Fragments for mma.m16n8k8, m16n8k16 and
// m16n8k32" and "Register Fragments and Shared Memory Matrix Layouts" of wgmma.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tileloom {

// An instruction with its shape.
enum class Mma : std::uint8_t { M16n8k16, M64nNk16, M16n8k8Tf32, M16n8k32 };

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

inline constexpr auto kMmaTable = std::to_array<MmaRow>({
    {.mma = Mma::M16n8k16,
     .ptx = "mma.sync",
     .shape = "m16n8k16",
     .sass = "HMMA.16816",
     .warps = 1,
     .rows = 16,
     .columns = 8,
     .mostColumns = 8,
     .depth = 16,
     .elementBits = 16,
     .inShared = false},
    {.mma = Mma::M64nNk16,
     .ptx = "wgmma",
     .shape = "m64nNk16",
     .sass = "HGMMA.64x",
     .warps = 4,
     .rows = 64,
     .columns = 8,
     .mostColumns = 256,
     .depth = 16,
     .elementBits = 16,
     .inShared = true},
    {.mma = Mma::M16n8k8Tf32,
     .ptx = "mma.sync",
     .shape = "m16n8k8",
     .sass = "HMMA.1688.F32.TF32",
     .warps = 1,
     .rows = 16,
     .columns = 8,
     .mostColumns = 8,
     .depth = 8,
     .elementBits = 32,
     .inShared = false},
    {.mma = Mma::M16n8k32,
     .ptx = "mma.sync",
     .shape = "m16n8k32",
     .sass = "QMMA.16832",
     .warps = 1,
     .rows = 16,
     .columns = 8,
     .mostColumns = 8,
     .depth = 32,
     .elementBits = 8,
     .inShared = false},
});

namespace mma_table {
constexpr bool rowsStandAtTheirPlaces() {
  for (std::size_t i = 0; i < kMmaTable.size(); ++i) {
    if (static_cast<std::size_t>(kMmaTable[i].mma) != i) return false;
  }
  return true;
}
static_assert(rowsStandAtTheirPlaces(), "the table and the enumeration have different orders");
}  // namespace mma_table

constexpr const MmaRow& rowOf(Mma mma) {
  return kMmaTable[static_cast<std::size_t>(mma)];
}

// The instruction of one warp that multiplies elements of this width, from registers.
constexpr const MmaRow& warpMmaOf(int elementBits) {
  for (const MmaRow& row : kMmaTable) {
    if (!row.inShared && static_cast<int>(row.elementBits) == elementBits) return row;
  }
  return rowOf(Mma::M16n8k16);
}

struct Architecture;

// Multiply-adds of this instruction that the tensor cores of one SM execute per cycle: those of
// 16-bit factors times 16 over the width of an element, as the data sheets of all architectures in
// the table say; those of 16-bit factors where operands are converted to them. 0: not documented.
double tensorPerCycle(const Architecture& arch, const MmaRow& row);

// "16 x 8 x 16"; of wgmma with the columns that the instruction names.
std::string sizeText(const MmaRow& row, std::uint32_t columns = 0);

}  // namespace tileloom
