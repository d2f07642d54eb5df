// SPDX-License-Identifier: GPL-3.0-or-later
// The effect of a knob in numbers: its legal values side by side, with what the tile would be with
// each of them if the other knobs keep their values.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

struct KnobColumn {
  QString name;                // what it is: "threads", with its unit
  std::vector<QString> cells;  // one per value of the knob
};

struct KnobEffects {
  std::vector<int> values;          // the legal ones, with the present one if it is legal
  int present = -1;                 // its index in `values`; -1: the tile is illegal
  std::vector<KnobColumn> changes;  // what differs between the values
  QStringList constants;            // names of what is the same for all values
};

KnobEffects effectsOf(const Stage& stage, const TileShape& tile, Knob knob);

// "rows of C that a block owns"
QString whatItIs(Knob knob);

// Both as the rich text of a tool tip.
QString knobNote(const Stage& stage, const TileShape& tile, Knob knob);

// What the last legal move changed, in one line: the knob, its old and new value, and the results.
QString knobStep(const Stage& stage, const TileShape& from, const TileShape& to);

}  // namespace tileloom
