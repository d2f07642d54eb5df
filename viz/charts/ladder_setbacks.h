// SPDX-License-Identifier: GPL-3.0-or-later
// Rungs that are slower than the rung before them: which, by how much, and what is known to differ.
// What differs is not called a cause.
#pragma once

#include <QStringList>
#include <optional>
#include <span>
#include <vector>

#include "viz/charts/ladder_columns.h"

namespace tileloom::charts {

// A rung against the rung before it, on the same device and at the same size.
struct LadderSetback {
  int row = 0;       // of the slower rung among the bars
  int before = 0;    // of the rung before it
  double share = 0;  // of that rung's GFLOP/s that is missing: 1 - median / median before, 0 to 1
  bool operator==(const LadderSetback&) const = default;
};

// In the order of the bars, which are all of one size. A rung counts as slower if both its GFLOP/s
// and its share of cuBLAS lie below those of the rung before it, the 95 % intervals do not overlap,
// and neither figure is noisy. A rung that was measured on another device is not compared.
std::vector<LadderSetback> setbacksOf(std::span<const LadderBar> bars);
// nullptr: this row is none.
const LadderSetback* setbackAt(std::span<const LadderSetback> setbacks, int row);

// "2.8 % slower than rung 6"
QString setbackText(std::span<const LadderBar> bars, const LadderSetback& setback);
// What is known to differ, the most telling first: "its default tile has BK 16 instead of 8",
// "occupancy 12.5 % instead of 25.0 %, …". Without figures only the tiles are compared.
QStringList setbackFacts(std::span<const LadderBar> bars, std::span<const LadderFigures> figures,
                         const LadderSetback& setback);
// All in one paragraph for a tool tip: how much slower, both speeds, what differs.
QString setbackSentence(std::span<const LadderBar> bars, std::span<const LadderFigures> figures,
                        const LadderSetback& setback);

}  // namespace tileloom::charts
