// SPDX-License-Identifier: GPL-3.0-or-later
// The multistage pipeline in words.
#pragma once

#include <QString>
#include <QStringList>

#include "viz/ring/ring_data.h"

namespace tileloom {

QString slotStateName(analysis::SlotState state);  // "in flight"

// "warp 3", "warps 0 to 7", "warps 0, 2 and 3"
QString warpsText(const std::vector<std::uint32_t>& warps);

// "K tile 6", "K tiles 6 and 2" of a stage with old and new side by side, or "empty".
QString stageHolds(const RingStage& stage);
// "67 % in flight, 33 % read for the last time"
QString stageShares(const RingStage& stage);
// One line each: phase, bytes, arrivals, and the waiting warps; empty without an mbarrier.
QStringList barrierLines(const RingStage& stage);
// The lines of a stage's card below its title.
QStringList cardLines(const RingStage& stage);
// One or two sentences on what happens now.
QString ringSentence(const RingData& data);
// What a click on the stage does: "A click goes to where warp 0 first reads K tile 6."
QString clickText(const RingStage& stage);
// Everything about one stage, for its tool tip and for screen readers.
QString stageText(const RingData& data, std::uint32_t number);
// What the picture is based on.
QString ringNote(const RingData& data);

}  // namespace tileloom
