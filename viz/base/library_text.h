// SPDX-License-Identifier: GPL-3.0-or-later
// How a speed of cuBLAS is named. There are several at one size: each run measures cuBLAS anew, and
// short rounds, cycles and the power limit are three different comparisons
// (docs/log/performance.md). So whoever shows one says which function it is of and how it was
// measured, in these words.
#pragma once

#include <QString>

#include "kernels/tile/arithmetic.h"

namespace tileloom::figures {

// "cuBLAS in FP32 (pedantic)", "cublasGemmEx in bf16".
QString libraryName(Arithmetic arithmetic);
// "in short rounds of the same run": what a run's percentage is of.
QString libraryOfSameRun();
// "the percentage is the median of …": where it stands beside both speeds.
QString ratioMeaning();
// "cublasGemmEx in bf16: 776.6 TFLOP/s in short rounds of the same run".
QString librarySpeedOfRun(Arithmetic arithmetic, double gflops);
// "cublasGemmEx in bf16: 787.3 TFLOP/s, the median of all runs' short rounds at this size".
QString librarySpeedOfRuns(Arithmetic arithmetic, double gflops);
// "cublasGemmEx in bf16 in the same call: 664.0 TFLOP/s at the power limit".
QString librarySpeedAtLimit(Arithmetic arithmetic, double tflops);
// Why its figures differ, in a sentence for tool tips.
QString whyLibraryDiffers();

}  // namespace tileloom::figures
