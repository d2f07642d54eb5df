// SPDX-License-Identifier: GPL-3.0-or-later
// The effect of a tile parameter in numbers: its legal values side by side, with the properties of
// the tile for each of them if the other parameters keep their values.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

struct ParameterColumn {
  QString name;                // "threads", with its unit
  std::vector<QString> cells;  // one per value of the tile parameter
};

struct ParameterEffects {
  std::vector<int> values;               // the legal ones, with the present one if it is legal
  int present = -1;                      // its index in `values`; -1: the tile is illegal
  std::vector<ParameterColumn> changes;  // properties that differ between the values
  QStringList constants;                 // names of properties that are equal for all values
};

ParameterEffects effectsOf(const Stage& stage, const TileShape& tile, Parameter parameter);

// "rows of C that a block owns"
QString whatItIs(Parameter parameter);

// Both as the rich text of a tool tip.
QString parameterNote(const Stage& stage, const TileShape& tile, Parameter parameter);

// The effect of the last legal move, in one line: the parameter, its old and new value, and the
// results.
QString parameterStep(const Stage& stage, const TileShape& from, const TileShape& to);

}  // namespace tileloom
