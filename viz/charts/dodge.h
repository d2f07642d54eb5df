// SPDX-License-Identifier: GPL-3.0-or-later
// Marks in a row that would cover each other move aside.
#pragma once

#include <span>
#include <vector>

namespace tileloom::charts {

struct Dodging {
  double centre = 0;  // where a mark belongs
  double width = 0;
};

// The left ends of marks that are ordered by their centres: as close to where they belong as can be
// (the sum of the squares of what they are moved by is least) without covering one another, within
// [low, high]. Where these are too close for all widths, the marks stand in equal steps and cover
// one another.
std::vector<double> dodged(std::span<const Dodging> marks, double low, double high);

}  // namespace tileloom::charts
