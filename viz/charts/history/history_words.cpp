// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/history/history_words.h"
#include "kernels/runs/counters.h"
#include "viz/base/text/figure_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "viz/base/text/describe.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::HistoryWords)
};

bool isNoisy(const runs::Interval& interval) {
  return interval.spread() > runs::kNoisySpread;
}

QString limitText(const HistoryPoint& p) {
  return p.limitedBy.isEmpty() ? QString() : Words::tr("limited by %1").arg(p.limitedBy);
}

QString spillText(const HistoryPoint& p) {
  return p.spillBytes > 0 ? Words::tr("spills %1 bytes").arg(p.spillBytes) : Words::tr("no spill");
}

QString blocksText(const HistoryPoint& p) {
  return counted(p.blocks, Words::tr("1 block"), Words::tr("%1 blocks"));
}

Headline missing(const HistoryPoint& p, const QString& why) {
  Headline h{Words::tr("–"), {}, {}};
  if (!p.note.isEmpty()) {
    h.notes += p.note;
    h.trouble = true;
  } else {
    h.notes += p.measuring ? Words::tr("measuring …") : why;
  }
  return h;
}

QString forecastText(const Forecast& f) {
  return Words::tr("predicted %1 (%2 to %3)")
      .arg(figures::roughSpeedText(f.gflops), figures::roughSpeedText(f.low),
           figures::roughSpeedText(f.high));
}

Headline speed(const HistoryPoint& p) {
  if (!p.gflops.known() && p.forecast && p.note.isEmpty() && !p.measuring) {
    const Forecast& f = *p.forecast;
    return {QStringLiteral("≈") + figures::roughSpeedText(f.gflops),
            Words::tr("GFLOP/s"),
            {Words::tr("predicted: %1 to %2")
                 .arg(figures::roughSpeedText(f.low), figures::roughSpeedText(f.high)),
             Words::tr("not measured")}};
  }
  if (!p.gflops.known()) {
    Headline h = missing(p, Words::tr("not measured"));
    if (p.forecast) h.notes += forecastText(*p.forecast);
    return h;
  }
  Headline h{figures::speedText(p.gflops.median, p.format), figures::speedUnit(p.format), {}};
  h.trouble = isNoisy(p.gflops);
  h.notes += h.trouble ? Words::tr("%1, noisy").arg(figures::spreadText(p.gflops))
                       : figures::spreadText(p.gflops);
  if (p.measuring) h.notes.last() += Words::tr(", measuring …");
  if (p.cublas.known())
    h.notes += (p.format == Format::Fp32 ? Words::tr("cuBLAS %1") : Words::tr("cublasGemmEx %1"))
                   .arg(figures::speedText(p.cublas.median, p.format));
  return h;
}

Headline ratio(const HistoryPoint& p) {
  if (!p.ratio.known()) return missing(p, Words::tr("not measured"));
  Headline h{figures::percentText(100 * p.ratio.median), Words::tr("%"), {}};
  h.trouble = isNoisy(p.ratio);
  h.notes += h.trouble ? Words::tr("%1, noisy").arg(figures::spreadText(p.ratio))
                       : figures::spreadText(p.ratio);
  h.notes +=
      Words::tr("%1 to %2 %")
          .arg(figures::percentText(100 * p.ratio.low), figures::percentText(100 * p.ratio.high));
  return h;
}

Headline registers(const HistoryPoint& p) {
  if (p.registers < 0) return missing(p, Words::tr("not compiled here"));
  Headline h{QString::number(p.registers), {}, {spillText(p)}};
  h.trouble = p.spillBytes > 0;
  return h;
}

// The counted occupancy is always shown with the instructions per cycle that it serves.
QString achievedText(const HistoryPoint& p) {
  const auto achieved = p.counters[runs::Counter::AchievedOccupancy];
  const auto ipc = p.counters[runs::Counter::InstructionsPerCycle];
  if (!achieved || !ipc) return {};
  return Words::tr("%1 % achieved at %2 instructions per cycle")
      .arg(figures::percentText(100 * *achieved), QString::number(*ipc, 'f', 2));
}

QStringList countedLines(const HistoryPoint& p) {
  using runs::Counter;
  if (p.counters.empty()) return {};
  QStringList lines, parts, notes;
  const auto add = [&](Counter counter, const QString& words, auto&& form) {
    if (const auto value = p.counters[counter]) parts += words.arg(form(*value));
  };
  const auto share = [](double value) { return figures::percentText(100 * value); };
  if (const QString achieved = achievedText(p); !achieved.isEmpty())
    parts += Words::tr("occupancy %1").arg(achieved);
  add(Counter::FmaPipe, Words::tr("FMA pipe %1 %"), share);
  add(Counter::SmBusy, Words::tr("SMs busy %1 %"), share);
  if (!parts.isEmpty()) lines += Words::tr("counted: %1").arg(parts.join(Words::tr(", ")));
  parts.clear();
  add(Counter::DramBytes, Words::tr("DRAM %1"), figures::bytesText);
  add(Counter::L2Bytes, Words::tr("L2 %1"), figures::bytesText);
  const auto conflicts = [&](Counter of, Counter all, const QString& words) {
    const auto part = p.counters[of], whole = p.counters[all];
    if (part && whole && *whole > 0) parts += words.arg(figures::percentText(100 * *part / *whole));
  };
  conflicts(Counter::SharedLoadConflicts, Counter::SharedLoadWavefronts,
            Words::tr("%1 % of load wavefronts due to bank conflicts"));
  conflicts(Counter::SharedStoreConflicts, Counter::SharedStoreWavefronts,
            Words::tr("%1 % of store wavefronts due to bank conflicts"));
  if (p.counters[Counter::SharedLoadConflicts] || p.counters[Counter::SharedStoreConflicts])
    notes += toQString(runs::kArbitration);
  if (!parts.isEmpty()) lines += Words::tr("counted: %1").arg(parts.join(Words::tr(", ")));
  return lines + notes;
}

Headline occupancy(const HistoryPoint& p) {
  const auto s = sampleOf(p, HistoryPanel::Occupancy);
  if (!s) return missing(p, Words::tr("register count unknown"));
  Headline h{figures::percentText(s->value), Words::tr("%"), {}};
  h.notes += Words::tr("%1, %2 of %3 warps").arg(blocksText(p)).arg(p.warps).arg(p.mostWarps);
  // There is room for two; the limit is in the tool tip, too.
  if (const QString achieved = achievedText(p); !achieved.isEmpty()) {
    h.notes += achieved;
  } else if (!p.limitedBy.isEmpty()) {
    h.notes += limitText(p);
  }
  return h;
}

QStringList linesOf(const HistoryPoint& p) {
  QStringList lines;
  const QString tile = figures::tileText(p.rung(), p.tile);
  if (!tile.isEmpty()) lines += tile;
  lines += QString::fromStdString(toString(p.problem));
  if (p.gflops.known()) {
    const auto speed = [&p](double gflops) { return figures::speedText(gflops, p.format); };
    QString line =
        Words::tr("%1 %2 %3 (95 %: %4 to %5)")
            .arg(speed(p.gflops.median), figures::speedUnit(p.format),
                 figures::spreadText(p.gflops), speed(p.gflops.low), speed(p.gflops.high));
    if (isNoisy(p.gflops)) line += Words::tr(", noisy");
    lines += line;
  } else {
    lines += p.measuring ? Words::tr("measuring …") : Words::tr("no measurement");
  }
  if (p.ratio.known()) {
    lines +=
        Words::tr("%1 % of cuBLAS (%2 to %3)")
            .arg(figures::percentText(100 * p.ratio.median),
                 figures::percentText(100 * p.ratio.low), figures::percentText(100 * p.ratio.high));
    if (p.cublas.known())
      lines += Words::tr("%1; %2").arg(figures::librarySpeedOfRun(p.format, p.cublas.median),
                                       figures::ratioMeaning());
  }
  if (p.gflops.known()) lines += originText(p);
  if (p.forecast) {
    lines += Words::tr("%1 GFLOP/s; %2").arg(forecastText(*p.forecast), p.forecast->limit);
  }
  if (p.gflops.known() && p.measuring) lines += Words::tr("more rounds are being measured …");
  if (p.registers >= 0) {
    lines += Words::tr("%1 registers per thread, %2").arg(p.registers).arg(spillText(p));
  }
  if (!p.mainLoop.isEmpty()) lines += p.mainLoop;
  if (const auto s = sampleOf(p, HistoryPanel::Occupancy)) {
    QString line = Words::tr("occupancy %1 %: %2 per SM, %3 of %4 warps")
                       .arg(figures::percentText(s->value), blocksText(p))
                       .arg(p.warps)
                       .arg(p.mostWarps);
    if (!p.limitedBy.isEmpty()) line += Words::tr(", ") + limitText(p);
    lines += line;
  }
  lines += countedLines(p);
  if (!p.note.isEmpty()) lines += p.note;
  return lines;
}

}  // namespace

QString panelTitle(HistoryPanel panel, Format format) {
  switch (panel) {
    case HistoryPanel::Speed:
      return Words::tr("Speed, %1").arg(figures::speedUnit(format));
    case HistoryPanel::Ratio:
      return format == Format::Fp32 ? Words::tr("Share of cuBLAS, %")
                                    : Words::tr("Share of %1, %").arg(figures::libraryText(format));
    case HistoryPanel::Registers:
      return Words::tr("Registers per thread");
    case HistoryPanel::Occupancy:
      break;
  }
  return Words::tr("Theoretical occupancy, %");
}

Headline headlineOf(const HistoryPoint& point, HistoryPanel panel) {
  switch (panel) {
    case HistoryPanel::Speed:
      return speed(point);
    case HistoryPanel::Ratio:
      return ratio(point);
    case HistoryPanel::Registers:
      return registers(point);
    case HistoryPanel::Occupancy:
      break;
  }
  return occupancy(point);
}

QString emptySentence(HistoryPanel panel) {
  switch (panel) {
    case HistoryPanel::Speed:
    case HistoryPanel::Ratio:
      return Words::tr(
          "no measurement yet: measure on a GPU, or choose a tile with a recorded run");
    case HistoryPanel::Registers:
      return Words::tr("no register count yet: it comes from NVRTC or from a recorded run");
    case HistoryPanel::Occupancy:
      break;
  }
  return Words::tr("no occupancy yet: it follows from the register count");
}

QString emptyHistorySentence() {
  return Words::tr(
      "Change a tile parameter: each tile that you try becomes a point here, with its speed, its "
      "share of cuBLAS, its registers and its occupancy.");
}

QString freshnessText(std::span<const HistoryPoint> points, HistoryPanel panel) {
  QStringList words;
  for (const Freshness freshness : {Freshness::Live, Freshness::Recorded, Freshness::Stale}) {
    const bool present = std::ranges::any_of(points, [&](const HistoryPoint& p) {
      return p.freshness == freshness && sampleOf(p, panel).has_value();
    });
    if (present) words += figures::freshnessWord(freshness);
  }
  return words.join(QStringLiteral(" + "));
}

QString originWord(const HistoryPoint& p, HistoryPanel panel) {
  if (sampleOf(p, panel)) return figures::freshnessWord(p.freshness);
  return panel == HistoryPanel::Speed && p.forecast && p.note.isEmpty() ? Words::tr("predicted")
                                                                        : QString();
}

QString originText(const HistoryPoint& p) {
  const QString device = p.device.isEmpty() ? Words::tr("an unnamed device") : p.device;
  const QString date = figures::dateText(p.when);
  const QString where = date.isEmpty() ? device : Words::tr("%1, %2").arg(device, date);
  switch (p.freshness) {
    case Freshness::Live:
      return Words::tr("live on %1").arg(where);
    case Freshness::Recorded:
      return Words::tr("recorded on %1").arg(where);
    case Freshness::Stale:
      break;
  }
  return Words::tr("stale: measured on %1, with another device or source than now").arg(where);
}

QString toolTipOf(const HistoryPoint& point, int index) {
  const QString head =
      Words::tr("move %1, %2").arg(index + 1).arg(figures::stageText(point.rung()));
  return (QStringList{head} + linesOf(point)).join(u'\n');
}

QString spokenOf(const HistoryPoint& point, int index, int count) {
  const QString head = Words::tr("move %1 of %2, %3")
                           .arg(index + 1)
                           .arg(count)
                           .arg(figures::stageText(point.rung()));
  return (QStringList{head} + linesOf(point)).join(QStringLiteral("; "));
}

}  // namespace tileloom::charts
