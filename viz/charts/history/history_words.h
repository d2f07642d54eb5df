// SPDX-License-Identifier: GPL-3.0-or-later
// The history in words: titles, large figures, tool tips and the texts for screen readers.
#pragma once

#include <QStringList>

#include "viz/charts/history/history_series.h"

namespace tileloom::charts {

// With its unit, which depends on the format, and with the name of the cuBLAS function.
QString panelTitle(HistoryPanel panel, Format format = Format::Fp32);

// The large figure beside a panel's title, with its unit and notes.
struct Headline {
  QString value;         // "36,339", or "–"
  QString unit;          // "GFLOP/s"
  QStringList notes;     // two lines at most
  bool trouble = false;  // the first note is about spills, noise or a wrong result
};
Headline headlineOf(const HistoryPoint& point, HistoryPanel panel);

// Why a panel is empty, and what would fill it.
QString emptySentence(HistoryPanel panel);
QString emptyHistorySentence();

// The freshness of these points, "live + recorded"; empty if no point has a value.
QString freshnessText(std::span<const HistoryPoint> points, HistoryPanel panel);

// The origin of the headline's figure: "live", "recorded", "predicted"; empty: no figure.
QString originWord(const HistoryPoint& point, HistoryPanel panel);

QString toolTipOf(const HistoryPoint& point, int index);
// The same in one line, for screen readers.
QString spokenOf(const HistoryPoint& point, int index, int count);
// Where a value comes from: "recorded on NVIDIA H100 80GB HBM3, 2026-11-21".
QString originText(const HistoryPoint& point);

}  // namespace tileloom::charts
