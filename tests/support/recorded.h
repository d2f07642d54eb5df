// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings to look at in tests of analyses, views and window, and ways to find an instant in one.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "kernels/analysis/recording.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/subject.h"
#include "tests/support/text.h"

namespace tileloom::test {

using RecordingPointer = std::shared_ptr<const analysis::Recording>;

// What to record; the tile is the stage's standard one unless it is set.
struct Take {
  std::string_view stage = "warptiled";
  std::optional<TileShape> tile = {};
  Problem problem{1024, 1024, 1024};
  Extent block{0, 0};
  std::uint32_t kTiles = 2;
};

inline RecordingPointer recorded(const Take& take) {
  static emulator::Workspace workspace;
  const Stage& s = stage(take.stage);
  const emulator::TraceRequest request{
      {usualSubject(s, take.tile.value_or(s.standardTile())), take.problem},
      take.block,
      take.kTiles};
  if (const std::string why = emulator::whyNotTraceable(request); !why.empty()) {
    throw std::invalid_argument(why);
  }
  return analysis::record(workspace, request);
}

inline const emulator::Instruction& instructionAt(const analysis::Recording& recording,
                                                  std::uint32_t warp, std::uint32_t index) {
  const emulator::Position at = recording.trace.position(warp, index);
  return recording.trace.at(warp, at.interval).instructions[at.instruction];
}

// Index of the warp's first instruction at or after `from` for which `wanted` is true. It must
// exist.
template <class Wanted>
std::uint32_t indexOf(const analysis::Recording& recording, std::uint32_t warp, Wanted wanted,
                      std::uint32_t from = 0) {
  for (std::uint32_t i = from; i < recording.trace.length(warp); ++i) {
    if (wanted(instructionAt(recording, warp, i))) return i;
  }
  throw std::out_of_range("the warp has no such instruction");
}

// The index of an array of the trace by its name.
inline std::uint32_t arrayNamed(const analysis::Recording& recording, std::string_view name) {
  for (std::uint32_t i = 0; i < recording.trace.arrays.size(); ++i) {
    if (recording.trace.arrays[i].name == name) return i;
  }
  throw std::out_of_range("the trace has no such array");
}

// The line, counted from 1, of the only line of the stage's source that contains `part`.
inline int lineOf(const Stage& stage, const char* part) {
  int line = 0, found = 0;
  for (const QString& text : q(sourceText(stage)).split(u'\n')) {
    ++line;
    if (!text.contains(QLatin1String(part))) continue;
    if (found != 0) throw std::logic_error("more than one line contains this");
    found = line;
  }
  if (found == 0) throw std::logic_error("no line contains this");
  return found;
}

}  // namespace tileloom::test
