// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/goal.h"

#include "viz/base/scene.h"

namespace tileloom {

std::optional<std::uint32_t> instructionAt(const Goal& goal, const analysis::Recording& recording,
                                           std::uint32_t warp) {
  const auto* wanted = std::get_if<LineInTile>(&goal);
  if (wanted == nullptr) return openingIndex(recording);
  for (std::uint32_t i = 0; i < recording.trace.length(warp); ++i) {
    const auto place = recording.trace.position(warp, i);
    const emulator::Instruction& instruction =
        recording.trace.at(warp, place.interval).instructions[place.instruction];
    const bool before = instruction.kTile == emulator::kNoTile ? wanted->kTile > 0
                                                               : instruction.kTile < wanted->kTile;
    if (instruction.line == wanted->line && !before) return i;
  }
  return std::nullopt;
}

}  // namespace tileloom
