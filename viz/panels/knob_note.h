// SPDX-License-Identifier: GPL-3.0-or-later
// What a knob does now, in numbers: its legal values side by side with what each would make of the
// tile, the other knobs staying where they are.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

struct KnobColumn {
  QString name;                // "threads a block"
  std::vector<QString> cells;  // one a value
};

struct KnobEffects {
  std::vector<int> values;          // legal ones, the present one among them if it is legal
  int present = -1;                 // its index in `values`; -1: the tile is illegal
  std::vector<KnobColumn> changes;  // what is not the same for all values
  QStringList constants;            // names of what is
};

KnobEffects effectsOf(const Stage& stage, const TileShape& tile, Knob knob);

// "rows of C that a block owns"
QString whatItIs(Knob knob);

// Both as the rich text of a tool tip.
QString knobNote(const Stage& stage, const TileShape& tile, Knob knob);

// What changed with the last legal move, in one line: "WNITER 4 → 2: stamps a warp 1 × 4 → 2 × 2".
QString knobStep(const Stage& stage, const TileShape& from, const TileShape& to);

}  // namespace tileloom
