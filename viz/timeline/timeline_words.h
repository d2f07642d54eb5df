// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline in words: figures, lanes, spans.
#pragma once

#include <QList>
#include <QString>

#include "viz/timeline/timeline_geometry.h"

namespace tileloom {

// "≈ 2,960 cycles from one K tile to the next"
QString timelineFigure(const TimelineData& data);
// "predicted for H100 · FMA pipes ≈ 68 % busy · 2 blocks share the SM, …"
QString timelineFacts(const TimelineData& data);
// The watched warp's iteration of the main loop, which may be ahead of what is multiplied: "warp 0
// is at K tile 3"; empty outside the loop.
QString turnText(const TimelineData& data);
// The added latency: "memory takes 500 to 2,000 cycles longer"; empty without one.
QString slowerText(const TimelineData& data);
// The shares of the time of warps that multiply, as timed, else as timestamped, and in brackets as
// predicted: "a stage to be filled 25 % (12 %)". Empty if K tiles do not repeat.
QString sharesText(const TimelineData& measured);
// The same as a table: the origins of the shares ("predicted", "timed", …), and a column for each
// reason, with one cell per row. A column with only a head says whose time the next columns are
// about.
struct ShareColumn {
  QString head;
  QStringList cells;
};
struct ShareTable {
  QStringList rows;
  QList<ShareColumn> columns;
};
ShareTable shareTable(const timeline::Beside& beside);
// Why timestamps understate a wait, as a sentence; empty: they do not.
QString disagreementText(const timeline::Beside& beside);
// The same, shorter: "timestamped waits are too short: …".
QString shortDisagreement(const timeline::Beside& beside);
// "K tile 3", or "k = 64 to 95" where nothing is tiled along K. Between two tiles of C they are
// counted from that place, which is true for any K: "tile 1, last K tile but 2", "tile 2, K tile
// 3".
QString tileName(const TimelineData& data, std::uint32_t tile);
// The same, shorter: "3", "last − 2".
QString shortTileName(const TimelineData& data, std::uint32_t tile);
// The name of a warp: "warp 3", or with its role: "producer · warp 8".
QString warpName(const timeline::Lane& lane);
QString laneName(const TimelineData& data, const TimelineRow& row);
// What a warp waits for, in a word or two: "other warps".
QString sleepWord(timeline::On on);
// The same if the role is known: "a stage to be filled".
QString sleepWord(timeline::On on, timeline::Who who);
// The words of a box, the longest first; empty: none.
QStringList boxWords(const TimelineData& data, const timeline::Span& span);
// Two or three lines for a tool tip.
QString spanText(const TimelineData& data, const TimelineGeometry::Spot& spot);
// The same for the other warps together.
QString columnText(const TimelineData& data, const TimelineColumn& column);
// The words where the tensor cores are idle between two tiles of C: "idle ≈ 1,486 cycles".
QString idleWords(const TimelineData& data);
// The picture as one sentence, for screen readers and captions.
QString timelineSentence(const TimelineData& data);
QString doingWord(Doing doing, bool warps);

}  // namespace tileloom
