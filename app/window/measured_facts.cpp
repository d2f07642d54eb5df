// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/measured_facts.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/services/measuring/lab.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/format.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::MeasuredFacts)
};

// Both keep their place, known or not, so that figures do not move.
Fact predictedFact(const HistoryPoint& p) {
  const auto number = figures::roughSpeedText;
  return {p.forecast ? Words::tr("≈ %1").arg(number(p.forecast->gflops)) : Words::tr("–"),
          Words::tr("GFLOP/s predicted"),
          p.forecast ? Words::tr("%1 to %2").arg(number(p.forecast->low), number(p.forecast->high))
                     : QString(),
          false,
          FactGroup::Speed,
          false,
          Words::tr(
              "The speed that the model predicts from the trace, the machine code and the rates of "
              "the device. The range is its error on recorded tiles.")};
}

// These rungs have no prediction, but the peak of their pipes is known, and the highest speed at
// the limit of the launch.
Fact tensorFact(const HistoryPoint& p, const QString& freshness,
                const std::optional<model::Limit>& limit) {
  const bool known = p.gflops.known() && p.peakPercent > 0;
  if (!p.gflops.known() && limit && limit->seconds > 0) {
    const double flops = 2.0 * p.problem.m * p.problem.n * p.problem.k;
    return {Words::tr("≤ %1").arg(figures::speedText(flops * 1e-9 / limit->seconds, p.format)),
            Words::tr("%1 at most").arg(figures::speedUnit(p.format)),
            Words::tr("limit: %1").arg(toQString(name(limit->kind))),
            false,
            FactGroup::Speed,
            false,
            QString::fromStdString(sentence(*limit))};
  }
  return {
      known ? QString::number(p.peakPercent, 'f', 1) : Words::tr("–"),
      Words::tr("% of the tensor cores' peak"),
      known ? Words::tr("at %1 MHz, %2").arg(figures::grouped(p.clockMHz), freshness) : QString(),
      false,
      FactGroup::Speed,
      false,
      Words::tr(
          "Speed divided by the peak of the tensor cores, 2 · multiply-adds per SM and cycle · "
          "SMs · clock, with 16-bit operands and FP32 sums, at the clock measured during the "
          "run. The multiply-adds per cycle are documented (2,048 on sm_90, 1,024 on sm_80). "
          "%1")
          .arg(QString::fromStdString(model::noPredictionSentence()))};
}

}  // namespace

std::vector<Fact> measuredFacts(const Lab& lab, const std::optional<model::Limit>& limit) {
  const int at = lab.current();
  std::vector<Fact> facts;
  if (at >= 0) {
    const HistoryPoint& p = lab.history()[static_cast<std::size_t>(at)];
    const QString freshness = p.freshness == Freshness::Live
                                  ? p.measuring ? Words::tr("live, measuring") : Words::tr("live")
                              : p.freshness == Freshness::Recorded ? Words::tr("recorded")
                                                                   : Words::tr("stale");
    const bool tensor = p.format != Format::Fp32;
    Fact speed{Words::tr("–"), figures::speedUnit(p.format),
               p.measuring        ? Words::tr("measuring …")
               : lab.canMeasure() ? Words::tr("not measured")
                                  : Words::tr("not recorded")};
    Fact share{Words::tr("–"), Words::tr("% of cuBLAS"), {}};
    speed.headline = share.headline = true;
    speed.tip = Words::tr(
        "Speed of the whole launch: 2 · M · N · K floating-point operations, divided by the median "
        "time of a run; ± is the spread of the runs. Live is measured now on this machine, "
        "recorded was measured earlier, stale was measured with other sources or another device.");
    share.tip = Words::tr("Speed divided by that of %1, measured %2 on the same device: %3. %4")
                    .arg(figures::libraryName(p.format), figures::libraryOfSameRun(),
                         figures::ratioMeaning(), figures::whyLibraryDiffers());
    if (p.gflops.known()) {
      speed.value = p.format == Format::Fp32
                        ? QLocale(QLocale::English).toString(qRound(p.gflops.median))
                        : figures::speedText(p.gflops.median, p.format);
      speed.note = Words::tr("%1, %2").arg(freshness, figures::spreadText(p.gflops));
      if (p.gflops.spread() > runs::kNoisySpread) speed.note += Words::tr(", noisy");
    }
    if (p.ratio.known()) {
      share.value = QString::number(100 * p.ratio.median, 'f', 1);
      share.note = p.format == Format::Fp32
                       ? Words::tr("median of rounds; cuBLAS: %1 GFLOP/s")
                             .arg(QLocale(QLocale::English).toString(qRound(p.cublas.median)))
                       : Words::tr("median of rounds; cuBLAS: %1 %2 in %3")
                             .arg(figures::speedText(p.cublas.median, p.format),
                                  figures::speedUnit(p.format), toQString(rowOf(p.format).name));
    }
    if (!p.note.isEmpty()) {
      speed.trouble = true;
      // The sentence below the figures already says it.
      speed.note = lab.trouble().isEmpty() ? p.note : Words::tr("the measurement failed");
    }
    facts = {speed, share};
    facts.push_back(tensor ? tensorFact(p, freshness, limit) : predictedFact(p));
    // Occupancy is beside the instructions per cycle because it helps to issue them.
    const auto ipc = p.counters[runs::Counter::InstructionsPerCycle];
    const auto achieved = p.counters[runs::Counter::AchievedOccupancy];
    if (ipc && achieved) {
      const auto percent = [](double part) { return QString::number(100 * part, 'f', 1); };
      const auto pipe = p.counters[tensor ? runs::Counter::TensorPipe : runs::Counter::FmaPipe];
      const QString busyPipe =
          tensor ? Words::tr("tensor cores busy %1 %, %2") : Words::tr("FMA pipe busy %1 %, %2");
      facts.push_back({QString::number(*ipc, 'f', 2), Words::tr("instructions per cycle"),
                       pipe ? busyPipe.arg(qRound(100 * *pipe)).arg(freshness)
                            : Words::tr("counted, %1").arg(freshness),
                       false, FactGroup::Speed, false,
                       Words::tr("IPC: warp instructions that an SM executes per cycle, at most "
                                 "4. Counted by the hardware while the kernel ran.")});
      facts.push_back(
          {percent(*achieved), Words::tr("% achieved occupancy"),
           p.mostWarps > 0
               ? Words::tr("counted; theoretical %1 %").arg(percent(double(p.warps) / p.mostWarps))
               : Words::tr("counted"),
           false, FactGroup::Occupancy, false,
           Words::tr(
               "Warps in flight on an SM divided by the maximum that it can hold, on average while "
               "the kernel ran. Counted by the hardware. Registers, shared memory and threads per "
               "block limit the theoretical occupancy.")});
      const auto busy = p.counters[runs::Counter::SmBusy];
      const auto dram = p.counters[runs::Counter::DramBytes];
      const auto l2 = p.counters[runs::Counter::L2Bytes];
      if (busy && dram && l2) {
        facts.push_back(
            {percent(*busy), Words::tr("% of the launch, SMs busy"),
             Words::tr("DRAM %1, L2 %2").arg(figures::bytesText(*dram), figures::bytesText(*l2)),
             false, FactGroup::Speed, false,
             Words::tr(
                 "Share of the launch during which an SM has a block: the rest is the start and "
                 "the last wave. Next to it are the bytes that DRAM and L2 moved. All counted "
                 "by the hardware.")});
      }
    }
  }
  return facts;
}

QString mainLoop(const Lab& lab) {
  return lab.current() < 0 ? QString()
                           : lab.history()[static_cast<std::size_t>(lab.current())].mainLoop;
}

QString measuredOrigin(const Lab& lab) {
  if (lab.current() < 0) return {};
  const HistoryPoint& p = lab.history()[static_cast<std::size_t>(lab.current())];
  const QString size = figures::sizeText(p.problem);
  if (p.gflops.known())
    return Words::tr("%1, %2").arg(figures::whereText(p.freshness, p.device), size);
  return p.measuring        ? Words::tr("measuring, %1").arg(size)
         : lab.canMeasure() ? Words::tr("not measured, %1").arg(size)
                            : Words::tr("not recorded, %1").arg(size);
}

}  // namespace tileloom
