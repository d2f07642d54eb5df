// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/seam_places.h"

#include <algorithm>

namespace tileloom {
namespace {

using timeline::kNone;

// The instruction after the last one of a K tile.
std::uint32_t behindTile(const timeline::Program& program, std::uint32_t tile) {
  std::uint32_t behind = kNone;
  for (const timeline::Operation& op : program.operations) {
    if (op.kTile != tile || op.first == kNone) continue;
    const std::uint32_t end = op.first + op.count;
    if (behind == kNone || end > behind) behind = end;
  }
  return behind;
}

// The warp's first instruction after its last K tile.
std::uint32_t epilogueOf(const emulator::Trace& trace, std::uint32_t warp) {
  std::uint32_t behind = kNone, index = 0;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (const auto& instruction : trace.at(warp, interval).instructions) {
      ++index;
      if (instruction.kTile != emulator::kNoTile) behind = index;
    }
  }
  return behind;
}

}  // namespace

std::uint32_t firstOfTile(const timeline::Program& program, std::uint32_t tile) {
  std::uint32_t first = kNone;
  for (const timeline::Operation& op : program.operations) {
    if (op.kTile == tile) first = std::min(first, op.first);
  }
  return first;
}

std::uint32_t atSeam(const analysis::Recording& recording, const timeline::Program& program,
                     std::uint32_t first, std::uint32_t warp, std::uint32_t index) {
  const auto& trace = recording.trace;
  const auto position = trace.position(warp, index);
  const std::uint32_t tile =
      trace.at(warp, position.interval).instructions[position.instruction].kTile;
  if (tile != emulator::kNoTile) {
    const auto same = recording.find(warp, tile, emulator::kNoDot);
    const std::uint32_t begins = firstOfTile(program, first + tile);
    return same && begins != kNone ? begins + (index - *same) : index;
  }
  const std::uint32_t epilogue = epilogueOf(trace, warp);
  if (epilogue == kNone || index < epilogue) return index;
  const std::uint32_t behind = behindTile(program, first - 1);
  return behind != kNone ? behind + (index - epilogue) : index;
}

std::optional<std::uint32_t> fromSeam(const analysis::Recording& recording,
                                      const timeline::Program& program, std::uint32_t first,
                                      std::uint32_t warp, std::uint32_t instruction) {
  const auto& trace = recording.trace;
  const std::uint32_t operation = program.operationOf(instruction);
  if (operation == kNone || trace.kTilesTraced == 0) return std::nullopt;
  const std::uint32_t tile = program.operations[operation].kTile;
  const auto within = [&](std::uint32_t index) {
    return index < trace.length(warp) ? std::optional(index) : std::nullopt;
  };
  if (tile != emulator::kNoTile) {
    const std::uint32_t begins = firstOfTile(program, tile);
    const auto same =
        recording.find(warp, std::min(tile % first, trace.kTilesTraced - 1), emulator::kNoDot);
    if (!same || instruction < begins) return std::nullopt;
    return within(*same + (instruction - begins));
  }
  const std::uint32_t epilogue = epilogueOf(trace, warp);
  for (const std::uint32_t last : {2 * first - 1, first - 1}) {
    const std::uint32_t behind = behindTile(program, last);
    if (behind == kNone || instruction < behind || epilogue == kNone) continue;
    return within(epilogue + (instruction - behind));
  }
  return within(instruction);
}

}  // namespace tileloom
