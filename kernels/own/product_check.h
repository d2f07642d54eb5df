// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a launch has computed C = alpha A B + beta C, or D = alpha A B + beta C. The elements of
// the matrices are small whole numbers, so that each order of the sums gives the same in each
// format, and a product that is missing or added twice shows.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/own/resolved_launch.h"

namespace tileloom::own {

struct ProductCheck {
  std::string whyNot;  // one sentence without a full stop: it is not such a launch
  std::string result;  // the matrix: "C" or "D"
  std::uint64_t elements = 0, wrong = 0;
  std::uint32_t row = 0, column = 0;  // of the first wrong element
  double got = 0, wanted = 0;
  // With which layouts of the matrices the launch is right: "B by columns"; empty: with none.
  std::string rightWith;

  bool right() const { return whyNot.empty() && wrong == 0; }
};

// `before`, `after`: the buffers of the launch (executor::Arguments::buffers).
ProductCheck checkProduct(const ResolvedLaunch& launch, std::span<const executor::Buffer> before,
                          std::span<const executor::Buffer> after);

}  // namespace tileloom::own
