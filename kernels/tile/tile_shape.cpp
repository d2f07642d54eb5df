// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/tile_shape.h"

#include <fmt/format.h>

namespace tileloom {

std::string toString(const Problem& problem) {
  return fmt::format("{}x{}x{}", problem.m, problem.n, problem.k);
}

}  // namespace tileloom
