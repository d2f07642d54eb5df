// SPDX-License-Identifier: GPL-3.0-or-later
// Finds rungs that are slower than the rung before them: by how much, and what is known to differ.
// A difference is never called a cause.
#pragma once

#include <QStringList>
#include <optional>
#include <span>
#include <vector>

#include "viz/charts/ladder/ladder_columns.h"

namespace tileloom::charts {

// A rung compared with the rung before it, on the same device and at the same size.
struct LadderSetback {
  int row = 0;       // of the slower rung among the bars
  int before = 0;    // of the rung before it
  double share = 0;  // lost part of that rung's share of cuBLAS, 0 to 1
  bool operator==(const LadderSetback&) const = default;
};

// In the order of the bars, which have one size. A rung is slower if its share of cuBLAS in the
// same run, which its row shows, is below that of the rung before it, the 95 % intervals do not
// overlap, and neither share is noisy. GFLOP/s do not count: two runs may differ in clock. A rung
// that was measured on another device is not compared.
std::vector<LadderSetback> setbacksOf(std::span<const LadderBar> bars);
// nullptr: this row is not a setback.
const LadderSetback* setbackAt(std::span<const LadderSetback> setbacks, int row);

// "2.8 % slower than rung 6"
QString setbackText(std::span<const LadderBar> bars, const LadderSetback& setback);
// What is known to differ, the most important first: "its default tile has BK 16 instead of 8",
// "occupancy 12.5 % instead of 25.0 %, …". Without figures only the tiles are compared.
QStringList setbackFacts(std::span<const LadderBar> bars, std::span<const LadderFigures> figures,
                         const LadderSetback& setback);
// One paragraph for a tool tip: how much slower, both speeds, what differs.
QString setbackSentence(std::span<const LadderBar> bars, std::span<const LadderFigures> figures,
                        const LadderSetback& setback);

}  // namespace tileloom::charts
