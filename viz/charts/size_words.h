// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of speed over size in words and as a table. Private to viz/charts, but for the caption.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>

#include "viz/charts/size_data.h"

namespace tileloom::charts {

// How far a run is above (or below, if negative) the prediction, as a share of it. std::nullopt: it
// lies in the band, or nothing is predicted there.
std::optional<double> beyondBand(const SizeData& data, const SizeRun& run);
// What may stand beside a run, the fullest first: its speed, and why it is not in the band.
QStringList runLabels(const SizeData& data, const SizeRun& run);

// "M = N = K = 4,224: 33 × 33 blocks, 2.75 waves of 396, …", with the prediction, the run and
// cuBLAS at this size as far as they are known; several lines.
QString sizeToolTip(const SizeData& data, int size);
// Where the figures come from: "predicted for …; measured on …".
QString sizeSource(const SizeData& data);
// What the best sizes would be: which size next to the present one wastes least. Empty: not a cube,
// or nothing is known.
QString sizeAdvice(const SizeData& data);
QString emptySizeSentence(const SizeData& data);

QByteArray sizeCsv(const SizeData& data);
QByteArray sizeJson(const SizeData& data);  // "tileloom.sizes/1"

}  // namespace tileloom::charts
