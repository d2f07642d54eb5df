// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QStringList>

#include "kernels/runs/unrecorded.h"
#include "kernels/tile/literature.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"
#include "viz/charts/ladder/ladder_bars.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LadderChart)
};

}  // namespace

QString rungTitle(const LadderBar& bar) {
  if (bar.rung() == nullptr) return Words::tr("unknown");
  return QString::fromUtf8(bar.rung()->title.data(),
                           static_cast<qsizetype>(bar.rung()->title.size()));
}

QString barText(const LadderBar& bar) {
  if (!bar.ratio.known()) return Words::tr("not measured");
  const QString share = Words::tr("%1 %").arg(figures::percentText(100 * bar.ratio.median));
  if (!bar.gflops.known()) return share;
  const double tera = bar.gflops.median / 1000;
  return Words::tr("%1   %2 TFLOP/s").arg(share, figures::grouped(tera, tera >= 1 ? 1 : 2));
}

QString barToolTip(int row, const LadderState& state) {
  const LadderBar& bar = state.at(row);
  const LadderFigures figures = state.figuresAt(row);
  QStringList lines{figures::stageText(bar.rung())};
  if (const QString tile = figures::tileText(bar.rung(), bar.tile); !tile.isEmpty()) lines += tile;
  lines += QString::fromStdString(toString(state.problem));
  if (bar.gflops.known()) {
    QString line = Words::tr("%1 GFLOP/s %2")
                       .arg(figures::speedText(bar.gflops.median), figures::spreadText(bar.gflops));
    if (bar.gflops.spread() > runs::kNoisySpread) line += Words::tr(", noisy");
    lines += line;
  }
  if (bar.ratio.known()) {
    const bool tensor = bar.rung() != nullptr && bar.rung()->ladder == Ladder::Tensor;
    lines += (tensor ? Words::tr("%1 % of cublasGemmEx (95 %: %2 to %3)")
                     : Words::tr("%1 % of cuBLAS (95 %: %2 to %3)"))
                 .arg(figures::percentText(100 * bar.ratio.median),
                      figures::percentText(100 * bar.ratio.low),
                      figures::percentText(100 * bar.ratio.high));
    if (figures.library.known())
      lines += Words::tr("%1; %2").arg(
          figures::librarySpeedOfRun(bar.format, figures.library.median), figures::ratioMeaning());
    lines += figures::freshnessWord(bar.freshness);
  } else {
    lines += Words::tr("not measured");
    if (bar.rung() != nullptr && !runs::hasRecordedRuns(*bar.rung()))
      lines += toQString(runs::notRecordedYet(*bar.rung(), runs::Evidence::Runs));
  }
  if (figures.registers >= 0) {
    QString line = Words::tr("%1 registers per thread").arg(figures.registers);
    if (figures.spillBytes > 0) line += Words::tr(", spills of %1 bytes").arg(figures.spillBytes);
    if (figures.occupancy)
      line += Words::tr("; occupancy %1 %").arg(figures::percentText(100 * *figures.occupancy));
    lines += line;
  }
  if (!figures.mainLoop.isEmpty()) lines += figures.mainLoop;
  if (figures.dramIntensity) {
    QString line = (figures.dramCounted ? Words::tr("FLOP per byte: DRAM %1, counted")
                                        : Words::tr("FLOP per byte: DRAM %1, predicted"))
                       .arg(intensityText(*figures.dramIntensity));
    if (figures.sharedIntensity)
      line += Words::tr("; L1 and shared memory %1, predicted")
                  .arg(intensityText(*figures.sharedIntensity));
    lines += line;
  }
  if (figures.conflictShare)
    lines += Words::tr("%1 % of the wavefronts are bank conflicts")
                 .arg(figures::percentText(100 * *figures.conflictShare));
  if (const LadderSetback* setback = setbackAt(state.setbacks, row))
    lines += setbackSentence(state.bars, state.figures, *setback);
  if (bar.rung() != nullptr) {
    if (const auto theirs = literatureOf(*bar.rung()))
      lines += Words::tr("the literature, %1 at %2: %3 GFLOP/s, %4 % of cuBLAS (%5)")
                   .arg(toQString(kLiteratureDevice))
                   .arg(kLiteratureSize)
                   .arg(figures::grouped(theirs->gflops),
                        figures::percentText(theirs->percentOfCublas), toQString(kLiterature));
    if (const auto theirs = rolesFigureOf(*bar.rung()))
      lines +=
          Words::tr(
              "%1, its %2 without warp specialisation, fp16 at %3: %4 TFLOP/s, %5 % of its cuBLAS")
              .arg(toQString(kRolesArticle), toQString(theirs->version))
              .arg(kRolesArticleSize)
              .arg(figures::grouped(theirs->gflops / 1000, 1),
                   figures::percentText(100 * theirs->gflops / theirs->cublas));
  }
  return lines.join(u'\n');
}

QString ladderCaption(const LadderState& state) {
  QStringList parts;
  if (state.problem.m > 0) parts += QString::fromStdString(toString(state.problem));
  if (!state.source.isEmpty()) parts += state.source;
  return parts.join(QStringLiteral(" · "));
}

QString ladderCaption(const LadderState& state, Ladder ladder) {
  LadderState own;
  own.problem = state.problem;
  own.source = state.sources[static_cast<std::size_t>(ladder)];
  if (own.source.isEmpty()) own.source = state.source;
  return ladderCaption(own);
}

QString ladderHeading(Format format) {
  return format == Format::Fp32
             ? Words::tr("FP32, in percent of cuBLAS in FP32 (pedantic)")
             : Words::tr("Tensor cores: %1 with FP32 sums, in percent of cublasGemmEx")
                   .arg(toQString(rowOf(format).name));
}

QString axisText(Ladder ladder) {
  return ladder == Ladder::Tensor ? Words::tr("speed in percent of cublasGemmEx")
                                  : Words::tr("speed in percent of cuBLAS");
}

QString referenceText(Format format) {
  return format == Format::Fp32
             ? Words::tr("cuBLAS (FP32, pedantic)")
             : Words::tr("cublasGemmEx (%1, FP32 sums)").arg(toQString(rowOf(format).name));
}

}  // namespace tileloom::charts
