// SPDX-License-Identifier: GPL-3.0-or-later
// One launch twice: by a GPU, and its machine code executed on the host. Both get the same random
// matrices.
#pragma once

#include <cstdint>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/driver/driver.h"

namespace tileloom::gpu {

struct SameBits {
  std::size_t elements = 0;   // of C, padding included
  std::size_t different = 0;  // in any bit
  // The first of these: its number, and both results as the bits of an element.
  std::size_t first = 0;
  std::uint32_t device = 0, executed = 0;
};

// The kernel runs natively, in this process. Trouble::Unsupported: it cannot be executed here.
Result<SameBits> sameBits(const Context& context, const Build& build, const Problem& problem,
                          std::uint32_t seed);

}  // namespace tileloom::gpu
