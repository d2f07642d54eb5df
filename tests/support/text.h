// SPDX-License-Identifier: GPL-3.0-or-later
// Text for QtTest, which prints both sides of a failed comparison only if it knows their type.
#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom::test {

inline QString q(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// "warptiled BM=128 BN=128 …"
std::string toString(const Stage& stage, const TileShape& tile);

// A row for each stage of the ladder in a data-driven test; stageOfRow() is its stage.
void addStageRows();
const Stage& stageOfRow();

// The stages of both ladders.
std::vector<const Stage*> allStages();

// The stage of either ladder with this id, which must exist.
const Stage& stage(std::string_view id);

}  // namespace tileloom::test
