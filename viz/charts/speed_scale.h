// SPDX-License-Identifier: GPL-3.0-or-later
// Which speed has which colour: one scale for all tiles that are shown together, measured or
// predicted, on one device or on two.
#pragma once

#include <QString>
#include <vector>

namespace tileloom {

struct SpeedScale {
  double low = 0, high = 0;  // GFLOP/s at the ends of the colours; 0, 0: nothing is known
  bool more = false;         // there are slower ones than `low`, which have its colour

  bool known() const { return high > 0; }
  double shareOf(double gflops) const;  // 0 to 1
  // Round speeds within the scale, slowest first, at most `most` of them; its ends where fewer than
  // two are round.
  std::vector<double> ticks(int most) const;
  bool operator==(const SpeedScale&) const = default;
};

// From the slowest of these speeds (a quarter of the fastest, if that is more, because what lies
// lower is not worth telling apart) to the fastest. All in GFLOP/s, above 0.
SpeedScale speedScale(const std::vector<double>& speeds);

}  // namespace tileloom
