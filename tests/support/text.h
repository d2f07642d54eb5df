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

// A row for each stage of both ladders in a data-driven test, or only of the FP32 ladder if the
// test is about something that the other one lacks; stageOfRow() is its stage.
void addStageRows();
void addFp32StageRows();
const Stage& stageOfRow();

// The stage of either ladder with this id, which must exist.
const Stage& stage(std::string_view id);

}  // namespace tileloom::test
