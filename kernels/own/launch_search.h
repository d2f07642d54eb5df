// SPDX-License-Identifier: GPL-3.0-or-later
// Finds how a kernel of a cubin is launched, from the sizes of its parameters, its limits, and what
// its blocks do: one block is executed and recorded for each guess, until one adds all products of
// a tile of C. That block says how large the tile is, and its neighbours say which way the grid
// goes. At the end the whole launch is executed, and its result checked.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/own/launch_file.h"
#include "kernels/own/product_check.h"
#include "kernels/own/source_hints.h"

namespace tileloom::own {

struct FoundLaunch {
  LaunchFile file;
  std::uint32_t tileRows = 0, tileColumns = 0;  // of C, of a block
  int tried = 0;                                // launches of one block
  ProductCheck check;                           // of the whole launch
};

// The error is one sentence without a full stop: why nothing was found. Pointers are to matrices by
// rows without gaps; their names are taken in the order A, B, C, or C, A, B. What `hints` say is
// tried first.
tl::expected<FoundLaunch, std::string> foundLaunch(const sass::Module& module,
                                                   const sass::KernelImage& kernel,
                                                   const SourceHints& hints = {});

}  // namespace tileloom::own
