// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/figure_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <cmath>

#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "viz/base/text/counted.h"
#include "viz/base/text/text.h"

namespace tileloom::figures {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Charts)
};

}  // namespace

QString grouped(double value, int decimals) {
  QLocale locale = QLocale::c();
  locale.setNumberOptions(QLocale::DefaultNumberOptions);
  return locale.toString(value, 'f', decimals);
}

QString speedText(double gflops) {
  return grouped(gflops, gflops >= 1000 ? 0 : gflops >= 10 ? 1 : 2);
}

QString roughSpeedText(double gflops) {
  const double step = gflops >= 1 ? std::pow(10.0, std::floor(std::log10(gflops)) - 2) : 0.01;
  return speedText(std::round(gflops / step) * step);
}

double speedFactor(Format format) {
  return format == Format::Fp32 ? 1 : 1e-3;
}

QString speedUnit(Format format) {
  return format == Format::Fp32 ? Words::tr("GFLOP/s") : Words::tr("TFLOP/s");
}

QString speedText(double gflops, Format format) {
  if (format == Format::Fp32) return speedText(gflops);
  const double tera = gflops * speedFactor(format);
  return grouped(tera, tera >= 10 ? 1 : 2);
}

namespace {

// "71.9" of "71.9 %": each sentence places the sign itself.
QString withoutSign(const std::string& percent) {
  return QString::fromStdString(percent).chopped(2);
}

}  // namespace

QString libraryText(Format format) {
  return format == Format::Fp32
             ? Words::tr("FP32, pedantic")
             : Words::tr("cublasGemmEx in %1").arg(toQString(rowOf(format).name));
}

QString percentText(double percent) {
  const int digits = percent >= 1 ? 1 : 2;
  return percent > 0 && percent < 100 ? withoutSign(tileloom::percentText(percent / 100, digits))
                                      : grouped(percent, digits);
}

QString wholePercent(double share) {
  return withoutSign(tileloom::percentText(share, 0));
}

QString rungText(const Stage& stage) {
  return QString::fromStdString(rungLabel(stage));
}

QString stageText(const Stage* stage) {
  return stage ? Words::tr("rung %1: %2").arg(rungText(*stage), toQString(stage->title))
               : Words::tr("a rung unknown to this build");
}

QString tileText(const Stage* stage, const TileShape& tile) {
  QStringList parts;
  for (const Parameter parameter : kAllParameters) {
    // A known stage shows its own tile parameters, an unknown one all that are set.
    const bool own = stage ? stage->spec(parameter) != nullptr : tile[parameter] != 0;
    if (own) parts += QStringLiteral("%1=%2").arg(toQString(name(parameter))).arg(tile[parameter]);
  }
  return parts.join(u' ');
}

QString dateText(const QString& when) {
  return when.section(u'T', 0, 0);
}

QString deviceText(const QString& device) {
  QString text = device.trimmed();
  if (text.startsWith(QLatin1String("NVIDIA "))) text.remove(0, 7);
  // Drops the name from the memory size on: a figure does not need it.
  static const QRegularExpression kMemory(QStringLiteral(" [0-9]+ ?GB"));
  const qsizetype memory = text.indexOf(kMemory);
  return memory > 0 ? text.left(memory) : text;
}

QString sizeText(const Problem& problem) {
  if (problem.m == problem.n && problem.n == problem.k)
    return QString::number(problem.m) + QChar(0x00B3);
  return Words::tr("%1 × %2 × %3").arg(problem.m).arg(problem.n).arg(problem.k);
}

QString freshnessWord(Freshness freshness) {
  switch (freshness) {
    case Freshness::Live:
      return Words::tr("live");
    case Freshness::Recorded:
      return Words::tr("recorded");
    case Freshness::Stale:
      break;
  }
  return Words::tr("stale");
}

QString whereText(Freshness freshness, const QString& device) {
  if (device.isEmpty()) return freshnessWord(freshness);
  switch (freshness) {
    case Freshness::Live:
      return Words::tr("live on %1").arg(deviceText(device));
    case Freshness::Recorded:
      return Words::tr("recorded on %1").arg(deviceText(device));
    case Freshness::Stale:
      break;
  }
  return Words::tr("stale, from %1").arg(deviceText(device));
}

QString spreadText(const runs::Interval& interval) {
  const double percent = 100 * interval.spread();
  return Words::tr("± %1 %").arg(grouped(percent, percent >= 10 ? 0 : percent >= 0.095 ? 1 : 2));
}

QString bytesText(double bytes) {
  return bytes < 1e9 ? Words::tr("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 1 : 0)
                     : Words::tr("%1 GB").arg(bytes / 1e9, 0, 'f', 2);
}

QString residencyText(int registers, int blocksPerSm) {
  return Words::tr("%1 registers, %2")
      .arg(registers)
      .arg(counted(blocksPerSm, Words::tr("1 block per SM"), Words::tr("%1 blocks per SM")));
}

}  // namespace tileloom::figures
