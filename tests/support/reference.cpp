// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reference.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace tileloom::test {

std::string firstWrong(const Operands& o, std::span<const float> result) {
  const auto m = static_cast<std::size_t>(o.problem.m);
  const auto n = static_cast<std::size_t>(o.problem.n);
  const auto k = static_cast<std::size_t>(o.problem.k);
  std::vector<double> sum(n), size(n);
  for (std::size_t i = 0; i < m; ++i) {
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(size.begin(), size.end(), 0.0);
    for (std::size_t x = 0; x < k; ++x) {
      const double a = double{o.a[i * k + x]};
      for (std::size_t j = 0; j < n; ++j) {
        const double product = a * double{o.b[x * n + j]};
        sum[j] += product;
        size[j] += std::abs(product);
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double before = double{o.beta} * double{o.c[i * n + j]};
      const double expected = double{o.alpha} * sum[j] + before;
      // One rounding of at most half a unit per addition, and three for the epilogue.
      const double tolerance = (static_cast<double>(k) + 3.0) * 0x1p-24 *
                                   (std::abs(double{o.alpha}) * size[j] + std::abs(before)) +
                               1e-37;
      const double error = std::abs(double{result[i * n + j]} - expected);
      if (!(error <= tolerance)) {
        return fmt::format("C[{}][{}] is {} and should be {} within {:.3g} ({}, alpha {}, beta {})",
                           i, j, result[i * n + j], expected, tolerance, toString(o.problem),
                           o.alpha, o.beta);
      }
    }
  }
  return {};
}

}  // namespace tileloom::test
