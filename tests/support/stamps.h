// SPDX-License-Identifier: GPL-3.0-or-later
// Fake timestamps: those that a kernel would write if it ran as the virtual clock predicts, except
// for a factor and an offset. They are a fixture of tests and are never shown as measured.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/timeline/recorded/measured.h"
#include "kernels/timeline/recorded/stamp_words.h"

namespace tileloom::test {

// From a timeline and the program that it was simulated from. In each timestamped word the warp
// waits `factor` times as long.
inline timeline::Measured syntheticStamps(const timeline::Timeline& t,
                                          const timeline::BlockProgram& program, const Stage& stage,
                                          const TileShape& tile, const Problem& problem,
                                          double factor = 1) {
  using namespace timeline;
  Measured m;
  m.subject() = {&stage, tile, stage.usualFormat()};
  m.problem = problem;
  m.when = "2026-01-02T03:04:05Z";
  m.device = "no GPU, a test";
  m.arch = "sm_90";
  m.cuda = "13.0";
  m.fingerprint = "0123456789abcdef";
  m.clockMHz = 1500;
  m.block = 7;
  m.blocks = 64;
  m.blocksPerSm = m.stampedBlocksPerSm = t.blocks;
  m.plainMs = 1;
  m.stampedMs = 1.02;
  for (std::uint32_t warp = 0; warp < program.warps.size(); ++warp) {
    auto& stamps = m.warps.emplace_back();
    const auto& spans = t.lanes[*t.laneOfWarp(warp)].spans;
    for (const Operation& op : program.warps[warp].operations) {
      std::uint32_t number = 0;
      for (std::uint32_t i = 1; i <= stampWords().size(); ++i) {
        // Fences have no timestamps, except for a word that is a fence here.
        if (number == 0 && stampWord(i)->work == op.work && op.work != Work::Fence) number = i;
      }
      if (number == 0) continue;
      const auto at = std::ranges::find_if(spans, [&](const Span& s) {
        return s.first != kNone && op.first >= s.first && op.first < s.first + s.count;
      });
      if (at == spans.end()) continue;
      const auto next = at + 1;
      const bool sleeps =
          stampWord(number)->on != On::Nothing && next != spans.end() && next->work == Work::Wait;
      const double end = sleeps ? next->end : at->end;
      Stamp stamp;
      stamp.word = static_cast<std::uint8_t>(number);
      if (stampWord(number)->countsGroups) stamp.groups = static_cast<std::uint8_t>(op.amount);
      stamp.line = op.line;
      stamp.kTile = op.kTile;
      stamp.begin = static_cast<std::uint32_t>(std::lround(at->begin * factor));
      stamp.end = static_cast<std::uint32_t>(std::lround(end * factor));
      if (!stamps.empty()) stamp.begin = std::max(stamp.begin, stamps.back().end);
      stamp.end = std::max(stamp.begin, stamp.end);
      stamps.push_back(stamp);
    }
  }
  return m;
}

}  // namespace tileloom::test
