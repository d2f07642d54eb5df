// SPDX-License-Identifier: GPL-3.0-or-later
// Maps speeds to colours: one scale for all tiles that are shown together, measured or predicted,
// on one device or on two.
#pragma once

#include <QString>
#include <vector>

namespace tileloom {

struct SpeedScale {
  double low = 0, high = 0;  // GFLOP/s at the ends of the scale; 0, 0: nothing is known
  bool more = false;         // there are slower tiles, with the colour of `low`

  bool known() const { return high > 0; }
  double shareOf(double gflops) const;  // 0 to 1
  // Round speeds within the scale, slowest first, at most `most` of them; its ends if fewer than
  // two are round.
  std::vector<double> ticks(int most) const;
  bool operator==(const SpeedScale&) const = default;
};

// From the slowest of these speeds, or a quarter of the fastest if that is more, to the fastest:
// differences below are not useful. All in GFLOP/s, above 0.
SpeedScale speedScale(const std::vector<double>& speeds);

}  // namespace tileloom
