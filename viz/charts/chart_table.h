// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a chart's data as a table: CSV for spreadsheets, JSON for programs. Unknown values are
// empty in CSV and left out in JSON.
#pragma once

#include <QByteArray>
#include <span>

#include "viz/charts/chart_data.h"
#include "viz/charts/ladder/ladder_columns.h"

namespace tileloom {

QByteArray historyCsv(std::span<const HistoryPoint> points);
QByteArray historyJson(std::span<const HistoryPoint> points);  // "tileloom.history/1"

QByteArray ladderCsv(std::span<const LadderBar> bars, const Problem& problem, const QString& source,
                     std::span<const LadderFigures> figures = {});
QByteArray ladderJson(std::span<const LadderBar> bars, const Problem& problem,
                      const QString& source,  // "tileloom.ladder/1"
                      std::span<const LadderFigures> figures = {});

}  // namespace tileloom
