// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps of an SM do in the loop that is shown beside the untouched one: by the model, and
// by hardware samples if this is the version that runs.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "viz/code/loop/loop_data.h"

namespace tileloom {

struct LoopWait {
  QString name;                     // "for data from shared memory"
  std::optional<double> sampled;    // share of the warps' time in the loop, 0 to 1
  std::optional<double> predicted;  // likewise; std::nullopt: the model does not know this reason
  bool waits = true;                // false: an instruction is issued, its own or another warp's
};

// Largest first, without those below half a percent. Empty: there is no such loop.
std::vector<LoopWait> loopWaits(const LoopData& data);

// "rewritten · recorded on H100, 2026-11-27 · 4096³"
QString waitsOrigin(const LoopData& data);

// "For data from shared memory: 8.6 % of the warps' time sampled, 5.6 % predicted"
QString waitText(const LoopWait& wait);
// All of them as one sentence without a full stop. Empty: there are none.
QString waitsSentence(const std::vector<LoopWait>& waits);
QString shareText(std::optional<double> share);  // "8.6 %", or a dash
QString sampledHeading();                        // above the column of sampled shares

}  // namespace tileloom
