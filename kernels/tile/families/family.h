// SPDX-License-Identifier: GPL-3.0-or-later
// A family of kernels: how the values that follow from a tile, the rules for tiles, the registers,
// the launch and the arguments are found for its rungs. Each family is one source in this folder. A
// new family is one more alternative of KernelKind (kinds.h), one source here, and one row in
// family.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/features.h"
#include "kernels/tile/kernel_form.h"
#include "kernels/tile/mma.h"
#include "kernels/tile/stage.h"

namespace tileloom {

struct KernelFamily {
  std::string_view name;  // "SIMT"
  Features (*features)(const Stage& stage);
  // The tensor core instruction of its main loop; nullptr: none.
  const MmaRow* (*mma)(const Stage& stage) = nullptr;
  Derived (*derive)(const Stage& stage, const TileShape& tile);
  // The rules in the order in which they are judged; a later one may rely on the earlier ones.
  std::span<const Constraint> (*rules)();
  // Derived values that are worth showing besides those of all families. nullptr: none.
  void (*show)(const Stage& stage, const Derived& derived,
               std::vector<NamedValue>& shown) = nullptr;
  KernelForm (*form)(const Stage& stage);
  // nullptr: its tiles are not split along K.
  SplitK (*split)(const Stage& stage) = nullptr;
  // The warps for which the assembler plans the registers of a block of `warps`. nullptr: these.
  int (*plannedWarps)(const Stage& stage, int warps) = nullptr;
  // Whether its warps reallocate registers (setmaxnreg). nullptr: no.
  bool (*reallocates)(const Stage& stage) = nullptr;
};

// The families, in the order of the alternatives of KernelKind.
std::span<const KernelFamily* const> kernelFamilies();
const KernelFamily& familyOf(const Stage& stage);

extern const KernelFamily kSimtFamily, kWarpMmaFamily, kWarpgroupFamily, kOwnFamily;

}  // namespace tileloom
