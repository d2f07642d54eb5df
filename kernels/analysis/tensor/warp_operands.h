// SPDX-License-Identifier: GPL-3.0-or-later
// The values that the 32 lanes of a warp hold for one instruction that they execute together: the
// operands of mma, or the four matrices that ldmatrix distributes. Elements are those of the
// recording; only their places in the operand follow the hardware's rule
// (kernels/emulator/fragment_layout.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

enum class Operand : std::uint8_t { A, B, C, Matrix };

struct WarpOperands {
  // One element of an operand, and the register that holds it.
  struct Value {
    Operand operand = Operand::A;
    std::uint32_t matrix = 0;  // of four, of Operand::Matrix
    std::uint32_t row = 0, column = 0;
    std::uint32_t lane = 0;   // that holds it
    std::uint32_t value = 0;  // of the lane's values of this operand, in the order of registers
    std::optional<Element> element;
    // The register's number among those of its operand (for ldmatrix its matrix), which of the
    // register's elements it is, and how many these are.
    std::uint32_t reg = 0, part = 0, parts = 1;
  };

  bool load = false;            // ldmatrix; otherwise mma
  const MmaRow* mma = nullptr;  // of mma
  bool turned = false;
  std::uint32_t warp = 0;
  std::uint32_t index = 0;   // of the instruction in the warp's stream
  std::string array;         // that ldmatrix reads
  std::uint32_t number = 0;  // of that array in Trace::arrays
  // The element of the array at the beginning of the row that each lane names for ldmatrix.
  std::array<std::uint32_t, 32> named{};
  std::vector<Value> values;  // operand by operand, rows first
};

// For instruction `index`, which must be an Mma or a MatrixLoad.
WarpOperands warpOperands(const Recording& recording, std::uint32_t warp, std::uint32_t index);

// The last such instruction of the warp at or before `index`, else the first one after it;
// std::nullopt: the warp executes none.
std::optional<std::uint32_t> nearestTensor(const Recording& recording, std::uint32_t warp,
                                           std::uint32_t index);
// The same for multiplications alone: mma or wgmma.
std::optional<std::uint32_t> nearestProduct(const Recording& recording, std::uint32_t warp,
                                            std::uint32_t index);

}  // namespace tileloom::analysis
