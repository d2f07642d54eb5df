// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_words.h"

#include <algorithm>

#include <QCoreApplication>
#include <cmath>

#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom::charts {
namespace {

using model::Roof;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::RooflineChart)
};

QString significant(double value, int digits) {
  const int before = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  return figures::grouped(value, std::max(0, digits - before));
}

// "T1 to T4": the rungs with or without wgmma, which are adjacent on the ladder.
QString rungsWith(const RooflineData& data, bool warpgroups) {
  const Stage* first = nullptr;
  const Stage* last = nullptr;
  for (const RooflinePoint& p : data.rungs) {
    if (p.rung() == nullptr || p.traffic.warpgroups != warpgroups) continue;
    if (first == nullptr) first = p.rung();
    last = p.rung();
  }
  if (first == nullptr) return {};
  if (first == last) return figures::rungText(*first);
  return Words::tr("%1 to %2").arg(figures::rungText(*first), figures::rungText(*last));
}

// Tensor cores reach their rate with wgmma, if there are such rungs.
QString tensorName(const RooflineData& data) {
  return rungsWith(data, true).isEmpty() ? roofName(Roof::Tensor) : Words::tr("wgmma");
}

// The roof is the highest possible rate, not a measurement: the documented rate per cycle times a
// clock.
QStringList tensorTexts(const RooflineData& data, const QString& figure) {
  const QString byWgmma = rungsWith(data, true);
  const QString name = tensorName(data);
  const QString clock = figures::grouped(tensorClockMHz(data.ceilings));
  const double rate = model::tensorPerCycle(data.ceilings);
  QStringList texts;
  if (!byWgmma.isEmpty()) {
    texts +=
        Words::tr("%1 %2, the roof of %3: computed, %4 multiply-adds per cycle and SM at %5 MHz")
            .arg(name, figure, byWgmma, figures::grouped(rate), clock);
  }
  texts += Words::tr("%1 %2: computed, %3 multiply-adds per cycle and SM at %4 MHz")
               .arg(name, figure, figures::grouped(rate), clock);
  texts += Words::tr("%1 %2, computed for %3 MHz").arg(name, figure, clock);
  texts += QStringLiteral("%1 %2").arg(name, figure);
  texts += name;
  return texts;
}

// It does not limit rungs that use wgmma.
QStringList mmaSyncTexts(const RooflineData& data, const QString& figure) {
  const QString name = roofName(Roof::MmaSync);
  const QString whose = rungsWith(data, false);
  QStringList texts;
  if (!whose.isEmpty()) {
    texts += Words::tr("%1 %2, measured: limits %3 only").arg(name, figure, whose);
    texts += Words::tr("%1 %2: %3 only").arg(name, figure, whose);
  }
  texts += Words::tr("%1 %2, measured").arg(name, figure);
  texts += QStringLiteral("%1 %2").arg(name, figure);
  texts += name;
  return texts;
}

}  // namespace

QString roofName(Roof roof) {
  switch (roof) {
    case Roof::Dram:
      return Words::tr("DRAM");
    case Roof::L2:
      return Words::tr("L2");
    case Roof::Shared:
      return Words::tr("L1 and shared memory");
    case Roof::MmaSync:
      return Words::tr("mma.sync");
    case Roof::Tensor:
      return Words::tr("tensor cores");
    case Roof::Fma:
      break;
  }
  return Words::tr("FMA pipes");
}

QString levelName(RooflineLevel level) {
  switch (level) {
    case RooflineLevel::Dram:
      return roofName(Roof::Dram);
    case RooflineLevel::L2:
      return roofName(Roof::L2);
    case RooflineLevel::Shared:
      return roofName(Roof::Shared);
    case RooflineLevel::All:
      break;
  }
  return Words::tr("all three");
}

QString levelName(model::MemoryLevel level) {
  switch (level) {
    case model::MemoryLevel::Dram:
      return roofName(Roof::Dram);
    case model::MemoryLevel::L2:
      return roofName(Roof::L2);
    case model::MemoryLevel::Shared:
      break;
  }
  return roofName(Roof::Shared);
}

QString insetTitle(const std::vector<int>& rungs, Ladder ladder) {
  const auto rung = [ladder](int number) {
    return (ladder == Ladder::Tensor ? QStringLiteral("T%1") : QStringLiteral("%1")).arg(number);
  };
  const bool unbroken =
      rungs.size() > 1 && rungs.back() - rungs.front() + 1 == static_cast<int>(rungs.size());
  return unbroken
             ? Words::tr("rungs %1 to %2, enlarged").arg(rung(rungs.front()), rung(rungs.back()))
             : Words::tr("%1 rungs, enlarged").arg(rungs.size());
}

QString keysTitle() {
  return Words::tr("FLOP per byte of");
}

QString teraText(double giga) {
  return significant(giga / 1000, 3);
}

QString flopsText(double gflops) {
  return gflops >= 1000 ? Words::tr("%1 TFLOP/s").arg(teraText(gflops))
                        : Words::tr("%1 GFLOP/s").arg(significant(gflops, 3));
}

QString speedTick(double gflops, int decimals) {
  return gflops >= 1000 ? Words::tr("%1 TFLOP/s").arg(figures::grouped(gflops / 1000, decimals))
                        : Words::tr("%1 GFLOP/s").arg(figures::grouped(gflops, decimals));
}

QString intensityText(double intensity) {
  return significant(intensity, intensity >= 10 ? 3 : 2);
}

QString timeText(double seconds) {
  const double ms = 1e3 * seconds;
  return ms >= 0.1 ? Words::tr("%1 ms").arg(significant(ms, 3))
                   : Words::tr("%1 µs").arg(significant(1e3 * ms, 3));
}

QStringList roofTexts(const RooflineData& data, Roof roof) {
  const auto value = ceilingOf(data.ceilings, roof);
  const QString name = roofName(roof);
  if (!value) return {name};
  if (roof == Roof::Tensor) return tensorTexts(data, flopsText(*value));
  if (roof == Roof::MmaSync) return mmaSyncTexts(data, flopsText(*value));
  const QString figure = roof == Roof::Fma ? flopsText(*value)
                         : *value >= 1000  ? Words::tr("%1 TB/s").arg(teraText(*value))
                                           : Words::tr("%1 GB/s").arg(significant(*value, 3));
  return {QStringLiteral("%1 %2").arg(name, figure), name};
}

QString pointTitle(const RooflineData& data, int index) {
  const RooflinePoint& point = data.point(index);
  if (point.rung() == nullptr) return Words::tr("unknown");
  if (index < 0) return Words::tr("this tile");
  const QString title = toQString(point.rung()->title);
  return index == data.baseline ? Words::tr("baseline: %1").arg(title) : title;
}

QString baselineName() {
  return Words::tr("baseline");
}

QString pointNumber(const RooflinePoint& point) {
  return point.rung() == nullptr ? QString() : figures::rungText(*point.rung());
}

std::vector<RooflineFact> boundFacts(const RooflineData& data) {
  const model::Traffic* any = data.present         ? &data.present->traffic
                              : data.rungs.empty() ? nullptr
                                                   : &data.rungs.front().traffic;
  if (any == nullptr) return {};
  std::vector<RooflineFact> facts;
  facts.push_back(
      {Words::tr("%1 GFLOP").arg(significant(any->flops / 1e9, 3)), Words::tr("2 M N K")});
  const bool tensor = any->ladder == Ladder::Tensor;
  facts.push_back({figures::bytesText(any->leastBytes),
                   tensor ? Words::tr("A, B in, C out") : Words::tr("A, B, C in, C out")});
  const auto [which, peak, dram, coldL2] = lowerBounds(data.ceilings, *any);
  const bool pipes = peak && (!dram || *peak >= *dram);
  if (peak && tensor)
    facts.push_back({timeText(*peak), pipes ? Words::tr("at least: tensor, the longer")
                                            : Words::tr("at least: tensor cores")});
  if (peak && !tensor)
    facts.push_back({timeText(*peak), pipes ? Words::tr("at least: FMA, the longer")
                                            : Words::tr("at least: FMA pipes")});
  if (dram && coldL2)
    facts.push_back({timeText(*dram),
                     pipes ? Words::tr("at least: DRAM, L2 cold, C written back")
                           : Words::tr("at least: DRAM, L2 cold, C written back, the longer")});
  if (dram && !coldL2)
    facts.push_back({timeText(*dram), pipes ? Words::tr("at least: DRAM")
                                            : Words::tr("at least: DRAM, the longer")});
  if (!tensor) return facts;
  // The chart may have room for their names only.
  if (const auto wgmma = ceilingOf(data.ceilings, Roof::Tensor); wgmma && *wgmma > 0) {
    facts.push_back({flopsText(*wgmma),
                     Words::tr("%1: computed, %2 multiply-adds per cycle and SM at %3 MHz")
                         .arg(tensorName(data), figures::grouped(tensorPerCycle(data.ceilings)),
                              figures::grouped(tensorClockMHz(data.ceilings)))});
  }
  const QString whose = rungsWith(data, false);
  if (const auto mma = ceilingOf(data.ceilings, Roof::MmaSync); mma && !whose.isEmpty())
    facts.push_back({flopsText(*mma), Words::tr("mma.sync: measured, limits %1 only").arg(whose)});
  return facts;
}

std::vector<RooflineFact> pointFacts(const RooflineData& data, const RooflinePoint& point,
                                     bool present, bool full) {
  using model::MemoryLevel;
  std::vector<RooflineFact> facts;
  const QString rung = figures::stageText(point.rung());
  facts.push_back({present ? Words::tr("This tile of %1").arg(rung) : rung, {}, true});
  const auto binding = bindingOf(data.ceilings, point.traffic);
  if (binding)
    facts.push_back(
        {flopsText(binding->gflops),
         Words::tr("roof: %1")
             .arg(binding->roof == Roof::Tensor ? tensorName(data) : roofName(binding->roof))});
  if (point.limit)
    facts.push_back({Words::tr("%1 %").arg(figures::percentText(100 * point.limit->share)),
                     (point.limit->predicted ? Words::tr("of the time: %1")
                                             : Words::tr("of the least time: %1"))
                         .arg(toQString(name(point.limit->kind)))});
  if (point.gflops.known()) {
    const QString share =
        binding ? Words::tr("%1, %2 %")
                      .arg(figures::freshnessWord(point.freshness),
                           figures::percentText(100 * point.gflops.median / binding->gflops))
                : figures::freshnessWord(point.freshness);
    facts.push_back({flopsText(point.gflops.median), share});
  } else if (point.predicted) {
    facts.push_back({flopsText(point.predicted->median),
                     Words::tr("predicted, %1 to %2")
                         .arg(flopsText(point.predicted->low), flopsText(point.predicted->high))});
  } else {
    facts.push_back({QStringLiteral("–"), Words::tr("not measured")});
  }
  const auto level = [&](MemoryLevel which, const QString& name, const QString& more) {
    const auto intensity = point.traffic.intensity(which);
    facts.push_back({intensity ? intensityText(*intensity) : QStringLiteral("–"),
                     intensity
                         ? Words::tr("FLOP/B, %1 %2%3, %4")
                               .arg(name, figures::bytesText(point.traffic.bytes(which)), more,
                                    point.traffic.counted(which) ? Words::tr("counted")
                                                                 : Words::tr("predicted"))
                         : Words::tr("%1: no bytes move").arg(name)});
  };
  const bool range =
      full && !point.traffic.countedDram && point.traffic.dramMost > 1.02 * point.traffic.dramLeast;
  level(MemoryLevel::Dram, roofName(Roof::Dram),
        range ? Words::tr(" (%1 to %2)")
                    .arg(figures::bytesText(point.traffic.dramLeast),
                         figures::bytesText(point.traffic.dramMost))
              : QString());
  level(MemoryLevel::L2, roofName(Roof::L2), {});
  level(MemoryLevel::Shared, Words::tr("L1/shared"), {});
  if (binding && binding->roof == Roof::Tensor && point.traffic.warpgroups && point.gflops.known())
    facts.push_back({{},
                     Words::tr("the roof is computed for %1 MHz; at the power limit the clock is "
                               "lower: see the page Energy")
                         .arg(figures::grouped(tensorClockMHz(data.ceilings)))});
  if (point.blocksEstimated)
    facts.push_back({{}, Words::tr("blocks per SM estimated: register count unknown (yet)")});
  return facts;
}

QString boundsSentence(const RooflineData& data) {
  const model::Traffic* any = data.present         ? &data.present->traffic
                              : data.rungs.empty() ? nullptr
                                                   : &data.rungs.front().traffic;
  if (any == nullptr) return {};
  const auto [pipes, peak, dram, coldL2] = lowerBounds(data.ceilings, *any);
  if (!peak || !dram) return {};
  return (coldL2 ? Words::tr("at least %1: the %2; %3: DRAM with a cold L2 and C written back")
                 : Words::tr("at least %1: the %2; %3: DRAM"))
      .arg(timeText(*peak), roofName(pipes), timeText(*dram));
}

QString pointToolTip(const RooflineData& data, const RooflinePoint& point, bool present) {
  QStringList lines;
  for (const RooflineFact& fact : pointFacts(data, point, present, true)) {
    lines += fact.note.isEmpty() ? fact.value : QStringLiteral("%1 %2").arg(fact.value, fact.note);
    if (fact.heading) lines += figures::tileText(point.rung(), point.tile);
  }
  return lines.join(u'\n');
}

QString rooflineCaption(const RooflineData& data) {
  QStringList parts;
  if (data.problem.m > 0) parts += QString::fromStdString(toString(data.problem));
  switch (data.ceilings.origin) {
    case model::CeilingOrigin::Live:
      parts += Words::tr("roofs measured on %1").arg(QString::fromStdString(data.ceilings.device));
      break;
    case model::CeilingOrigin::Recorded:
      parts += Words::tr("roofs recorded on %1").arg(QString::fromStdString(data.ceilings.device));
      break;
    case model::CeilingOrigin::Computed:
      parts += Words::tr("roofs of %1 computed, not measured")
                   .arg(QString::fromStdString(data.ceilings.device));
  }
  if (data.ladder == Ladder::Tensor) {
    const bool computed = ceilingOf(data.ceilings, Roof::Tensor).has_value();
    if (computed) parts.back() += Words::tr(", tensor core roof computed");
    if (!data.ceilings.mmaGflops.known()) parts.back() += Words::tr(", mma.sync roof not measured");
  }
  if (data.measuringCeilings) parts.back() += Words::tr(", being measured …");
  const auto counted = [](const RooflinePoint& p) { return p.traffic.countedDram.has_value(); };
  const bool any =
      std::ranges::any_of(data.rungs, counted) || (data.present && counted(*data.present));
  const bool all =
      any && std::ranges::all_of(data.rungs, counted) && (!data.present || counted(*data.present));
  parts += all   ? Words::tr("DRAM bytes counted, others predicted")
           : any ? Words::tr("DRAM bytes counted where a run has counters, others predicted")
                 : Words::tr("bytes predicted");
  if (!data.source.isEmpty()) parts += Words::tr("speeds %1").arg(data.source);
  if (data.waiting > 0) parts += Words::tr("tracing %1 rungs …").arg(data.waiting);
  return parts.join(QStringLiteral(" · "));
}

QString emptyRooflineSentence(const RooflineData& data) {
  return data.waiting > 0 ? Words::tr("tracing the rungs …")
                          : Words::tr("no rung can be traced at this size: choose a smaller one");
}

}  // namespace tileloom::charts
