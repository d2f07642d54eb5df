// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the picture of a rewritten loop.
#pragma once

#include <QString>

#include "viz/code/loop/loop_geometry.h"

namespace tileloom {

// "As compiled: 2,593 cycles per iteration, measured on H100 · 2,454 predicted"
QString turnText(const LoopData& data, bool rewritten);
// "2 warps × 1,103 instructions + 387 cycles without an issue · …"; empty: there is no such
// version.
QString turnDetails(const LoopData& data, bool rewritten);
// One instruction, its position as compiled and as rewritten, its waits and the first use of its
// load.
QString placeText(const LoopData& data, const LoopGeometry& geometry, const LoopPlace& place);
// A row: the name and all of its figures.
QString rowText(const LoopData& data, const LoopRow& row);
// The origin of the measured cycles: "recorded on H100, 2026-11-26".
QString measuredText(const LoopData& data);
// The whole picture in one sentence, for captions and screen readers.
QString loopSentence(const LoopData& data);

}  // namespace tileloom
