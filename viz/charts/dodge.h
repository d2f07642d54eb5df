// SPDX-License-Identifier: GPL-3.0-or-later
// Moves marks in a row apart that would overlap.
#pragma once

#include <span>
#include <vector>

namespace tileloom::charts {

struct Dodging {
  double centre = 0;  // where a mark belongs
  double width = 0;
};

// Left ends of marks, ordered by their centres: as close to their places as possible (least sum of
// squared shifts) without overlap, within [low, high]. If the range is too small for all widths,
// the marks are in equal steps and overlap.
std::vector<double> dodged(std::span<const Dodging> marks, double low, double high);

}  // namespace tileloom::charts
