// SPDX-License-Identifier: GPL-3.0-or-later
// Names a speed of cuBLAS. There are several at one size: each run measures cuBLAS again, and short
// rounds, cycles and the power limit are three different comparisons (docs/log/performance.md).
// Every view that shows one names the function and the way of measuring with these words.
#pragma once

#include <QString>

#include "kernels/tile/format.h"

namespace tileloom::figures {

// "cuBLAS in FP32 (pedantic)", "cublasGemmEx in bf16".
QString libraryName(Format format);
// "in short rounds of the same run": what a run's percentage refers to.
QString libraryOfSameRun();
// "the percentage is the median of …": for use beside both speeds.
QString ratioMeaning();
// "cublasGemmEx in bf16: 776.6 TFLOP/s in short rounds of the same run".
QString librarySpeedOfRun(Format format, double gflops);
// "cublasGemmEx in bf16: 787.3 TFLOP/s, the median of all runs' short rounds at this size".
QString librarySpeedOfRuns(Format format, double gflops);
// "cublasGemmEx in bf16 in the same call: 664.0 TFLOP/s at the power limit".
QString librarySpeedAtLimit(Format format, double tflops);
// Why its figures differ, for tool tips.
QString whyLibraryDiffers();

}  // namespace tileloom::figures
