// SPDX-License-Identifier: GPL-3.0-or-later
// Waits in words.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include "viz/waits/waits_data.h"

namespace tileloom {

struct WaitsWords {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Waits)
};

QString nodeName(const analysis::WaitGraph& graph, std::size_t node);    // "consumers 0"
QString nodeDetail(const analysis::WaitGraph& graph, std::size_t node);  // "warps 0 to 3"
QString otherBlockName(std::uint32_t rank);                              // "block 1 of the cluster"
QString pointName(const analysis::WaitPoint& point);                     // "full", "meet(1)"
QString pointDetail(const analysis::WaitPoint& point);  // "4 barriers, 2 arrivals each"

// "idle 140 of 1,164 cycles": the tensor cores per K tile, predicted; empty: not known.
QString standstillText(const WaitsData& data);

// "16 × · 612 cycles": how often, and how long per K tile if known.
// The same beside text, where there is room to say what it counts.
QString wholeWaiterText(const WaitsData& data, std::size_t point, std::size_t waiter);
QString waiterText(const WaitsData& data, std::size_t point, std::size_t waiter);
// Only the cycles, "612", if there is no room for more; empty if unknown or if no warp waits there.
QString cyclesText(const WaitsData& data, std::size_t point, std::size_t waiter);
// "16 arrivals", "96 boxes"; for registers "keeps 24".
QString enderText(const WaitsData& data, std::size_t point, std::size_t ender);

// Where a warp waits, "empty[0], phase 0", and what is missing there, "lacks 2 of 2 arrivals".
QString sleepPlace(const WaitsData& data, const analysis::Sleeper& sleeper);
QString lackText(const WaitsData& data, const analysis::Sleeper& sleeper);
// The same with the waiting warps and their line.
QString sleeperText(const WaitsData& data, const analysis::Sleeper& sleeper);

// "arrivals at empty", for the list of what can be removed.
QString omissionText(const analysis::WaitGraph& graph, const analysis::LeftOut& what);

// One or two sentences that say what the picture shows.
QString waitsSentence(const WaitsData& data);
// How to read it, and what it is based on.
QString waitsNote(const WaitsData& data);

// Everything about a box of the picture, for its tool tip and for screen readers.
QString nodeText(const WaitsData& data, std::size_t node);
QString pointText(const WaitsData& data, std::size_t point);

// "384 threads start with 168 registers each …"
QString poolSentence(const WaitsData& data);

}  // namespace tileloom
