// SPDX-License-Identifier: GPL-3.0-or-later
// Formats speeds, shares, bytes and rungs in the same way on every machine and in every view.
#pragma once

#include <QString>
#include <concepts>

#include "kernels/runs/statistics.h"
#include "kernels/tile/stage.h"
#include "viz/base/text/freshness.h"

namespace tileloom::figures {

// "36,339": the same digits on every machine, so that a slide and a log can be compared.
QString grouped(double value, int decimals = 0);
template <std::integral Count>
QString grouped(Count value) {
  return grouped(static_cast<double>(value));
}
QString speedText(double gflops);       // only significant digits: "36,339", "312.4"
QString roughSpeedText(double gflops);  // for a prediction: three digits, "36,300", "40.1"
// For a tensor rung in TFLOP/s: "436.5", because GFLOP/s would not fit. FP32: as speedText().
QString speedText(double gflops, Format format);
QString speedUnit(Format format);   // "GFLOP/s" or "TFLOP/s"
double speedFactor(Format format);  // from GFLOP/s to that unit
// "71.9", "1.34"; like percentText() of words.h never "100.0" for less than all, nor "0.00" for
// more than nothing.
QString percentText(double percent);
QString wholePercent(double share);  // "42", "< 1", "> 99"

// The cuBLAS that a percentage refers to: "FP32, pedantic", "cublasGemmEx in bf16".
QString libraryText(Format format);

QString rungText(const Stage& stage);                         // "8" or "T1"
QString stageText(const Stage* stage);                        // "rung 8: warp tiling"
QString tileText(const Stage* stage, const TileShape& tile);  // "BM=128 BN=128 …"
QString dateText(const QString& when);                        // "2026-11-21"
// A short device name for use beside a figure: "H100" for "NVIDIA H100 80GB HBM3".
QString deviceText(const QString& device);
// A short problem size: "2048³" for a cube, else "2048 × 1024 × 512" (M × N × K).
QString sizeText(const Problem& problem);
QString freshnessWord(Freshness freshness);  // "live", "recorded", "stale"
// Where a speed was measured, in short: "recorded on H100", "live on H200".
QString whereText(Freshness freshness, const QString& device);
QString spreadText(const runs::Interval& interval);  // "± 0.4 %"
QString bytesText(double bytes);                     // bytes that a launch moves: "405 MB"

// "168 registers, 3 blocks per SM"
QString residencyText(int registers, int blocksPerSm);

}  // namespace tileloom::figures
