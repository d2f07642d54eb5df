// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds in the four ways of an instruction.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// `exact` is the true value, or so near to it that rounding cannot tell them apart.
template <class Number, class Exact>
Number rounded(Rounding how, Exact exact) {
  const auto nearest = static_cast<Number>(exact);
  if (how == Rounding::Nearest || std::isnan(exact) || static_cast<Exact>(nearest) == exact)
    return nearest;
  constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
  const bool above = static_cast<Exact>(nearest) > exact;
  switch (how) {
    case Rounding::Down:
      return above ? std::nextafter(nearest, -kInfinity) : nearest;
    case Rounding::Up:
      return above ? nearest : std::nextafter(nearest, kInfinity);
    default:
      return std::abs(static_cast<Exact>(nearest)) > std::abs(exact)
                 ? std::nextafter(nearest, Number{0})
                 : nearest;
  }
}

// A sum that is exactly zero is -0 where it is rounded down, unless both of its terms are +0.
template <class Number>
Number zeroOf(Rounding how, Number sum, bool bothPositive) {
  return sum == 0 && how == Rounding::Down && !bothPositive ? -Number{0} : sum;
}

// To a whole number.
inline double whole(Rounding how, double x) {
  return how == Rounding::ToZero ? std::trunc(x)
         : how == Rounding::Down ? std::floor(x)
         : how == Rounding::Up   ? std::ceil(x)
                                 : std::nearbyint(x);
}

}  // namespace tileloom::executor
