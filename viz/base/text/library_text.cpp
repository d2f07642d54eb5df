// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/library_text.h"

#include <QCoreApplication>

#include "kernels/runs/ratio_words.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom::figures {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Charts)
};

QString speedWithUnit(Format format, double gflops) {
  return QStringLiteral("%1 %2").arg(speedText(gflops, format), speedUnit(format));
}

}  // namespace

QString libraryName(Format format) {
  return format == Format::Fp32 ? Words::tr("cuBLAS in FP32 (pedantic)") : libraryText(format);
}

QString libraryOfSameRun() {
  return Words::tr("in short rounds of the same run");
}

QString ratioMeaning() {
  return Words::tr("the percentage is %1").arg(toQString(runs::kRatioMeaning));
}

QString librarySpeedOfRun(Format format, double gflops) {
  return Words::tr("%1: %2 %3")
      .arg(libraryName(format), speedWithUnit(format, gflops), libraryOfSameRun());
}

QString librarySpeedOfRuns(Format format, double gflops) {
  return Words::tr("%1: %2, the median of all runs' short rounds at this size")
      .arg(libraryName(format), speedWithUnit(format, gflops));
}

QString librarySpeedAtLimit(Format format, double tflops) {
  return Words::tr("%1 in the same call: %2 TFLOP/s at the power limit")
      .arg(libraryName(format), QString::number(tflops, 'f', 1));
}

QString whyLibraryDiffers() {
  return Words::tr(
      "Each run measures it again, in short rounds that alternate with those of its kernel, so it "
      "differs by a few percent between runs. It is slower when it runs for seconds at the power "
      "limit: see the page Energy.");
}

}  // namespace tileloom::figures
