// SPDX-License-Identifier: GPL-3.0-or-later
// The size chart in words and as a table. Private to viz/charts, except for the caption.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>

#include "viz/charts/sizes/size_data.h"

namespace tileloom::charts {

// The share by which a run is above (negative: below) the prediction. std::nullopt: it is in the
// band, or there is no prediction.
std::optional<double> beyondBand(const SizeData& data, const SizeRun& run);
// The labels of a run, the fullest first: its speed, and why it is not in the band.
QStringList runLabels(const SizeData& data, const SizeRun& run);

// "M = N = K = 4,224: 33 × 33 blocks, 2.75 waves of 396, …", with the known ones of prediction, run
// and cuBLAS at this size; several lines.
QString sizeToolTip(const SizeData& data, int size);
// Where the figures come from: "predicted for …; measured on …".
QString sizeSource(const SizeData& data);
// The used shares of tiles and waves at the present size. Empty: not a cube, or nothing is known.
QString sizeAdvice(const SizeData& data);
QString emptySizeSentence(const SizeData& data);

QByteArray sizeCsv(const SizeData& data);
QByteArray sizeJson(const SizeData& data);  // "tileloom.sizes/1"

}  // namespace tileloom::charts
