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
// Where the watched warp is in its loop over K, which may be ahead of what is multiplied: "warp 0
// is at K tile 3"; empty outside of the loop.
QString turnText(const TimelineData& data);
// How much slower memory is: "memory takes 500 to 2,000 cycles longer"; empty where it is not.
QString slowerText(const TimelineData& data);
// What the time of warps that multiply goes to, as timed, or stamped where nobody has timed it, and
// in brackets as predicted: "a stage to be filled 25 % (12 %)". Empty where K tiles do not repeat.
QString sharesText(const TimelineData& measured);
// The same as a table: where shares are from ("predicted", "timed", …), and a column for each
// reason, with as many cells as there are rows. One with a head alone says whose time the shares
// behind it are of.
struct ShareColumn {
  QString head;
  QStringList cells;
};
struct ShareTable {
  QStringList rows;
  QList<ShareColumn> columns;
};
ShareTable shareTable(const timeline::Beside& beside);
// Why stamps say less of a wait than there is, as a sentence; empty: they do not.
QString disagreementText(const timeline::Beside& beside);
// The same where there is little room: "stamped waits are too short: …".
QString shortDisagreement(const timeline::Beside& beside);
// "K tile 3", or "k = 64 to 95" where nothing is tiled along K. Between two tiles of C they are
// counted from there, which is true for each length of K: "tile 1, last K tile but 2", "tile 2, K
// tile 3".
QString tileName(const TimelineData& data, std::uint32_t tile);
// The same where there is little room: "3", "last − 2".
QString shortTileName(const TimelineData& data, std::uint32_t tile);
// What a lane is called: "warp 3", "K tiles on their way".
// "warp 3", or with what it does in its block: "producer · warp 8".
QString warpName(const timeline::Lane& lane);
QString laneName(const TimelineData& data, const TimelineRow& row);
// What a warp sleeps on, in a word or two: "other warps".
QString sleepWord(timeline::On on);
// The same where it is known who sleeps: "a stage to be filled".
QString sleepWord(timeline::On on, timeline::Who who);
// What stands in a box, the longest first; empty where nothing fits it.
QStringList boxWords(const TimelineData& data, const timeline::Span& span);
// Two or three lines for a tool tip.
QString spanText(const TimelineData& data, const TimelineGeometry::Spot& spot);
// The same of the other warps together.
QString columnText(const TimelineData& data, const TimelineColumn& column);
// What stands where the tensor cores are idle between two tiles of C: "idle ≈ 1,486 cycles".
QString idleWords(const TimelineData& data);
// The picture as one sentence for those who hear it, and for captions.
QString timelineSentence(const TimelineData& data);
QString doingWord(Doing doing, bool warps);

}  // namespace tileloom
