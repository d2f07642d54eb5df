// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/energy/energy_words.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/base/json_text.h"
#include "kernels/tile/format.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"

namespace tileloom {

const model::EnergyCall* EnergyData::whatIfs() const {
  const auto found =
      std::ranges::find_if(calls, [](const auto& call) { return !call.whatIfs.empty(); });
  return found == calls.end() ? nullptr : &*found;
}

std::vector<EnergyRung> EnergyData::rungs() const {
  std::vector<EnergyRung> all;
  const auto take = [&](const Stage* stage, std::string_view who) {
    EnergyRung rung{stage, {}};
    for (std::size_t i = 0; i < calls.size(); ++i) {
      for (const auto& at : calls[i].rungs)
        if (at.who == who) rung.points.push_back({static_cast<int>(i), at});
    }
    if (!rung.points.empty()) all.push_back(std::move(rung));
  };
  for (const Stage* stage : everyStage()) take(stage, stage->id);
  take(nullptr, model::kBestOfLt);
  return all;
}

namespace charts {
namespace {

using Json = nlohmann::ordered_json;
using model::EnergyCall;
using model::EnergyShares;
using model::Loads;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::EnergyChart)
};

QString tflopsText(double tflops) {
  return QString::number(tflops, 'f', 0);
}

// "bf16, 8192³"
QString multipliedText(const EnergyCall& call) {
  return Words::tr("%1, %2").arg(toQString(rowOf(call.format).name),
                                 figures::sizeText(call.problem));
}

QString methodText(const EnergyCall& call) {
  return Words::tr("recorded on %1, %2; %3")
      .arg(QString::fromStdString(call.device),
           figures::dateText(QString::fromStdString(call.when)),
           QString::fromStdString(call.method));
}

// What this kernel leaves out.
QString explained(Loads loads) {
  switch (loads) {
    case Loads::None:
      return Words::tr(
          "A and B are loaded for the first tile of C of each block only; later tiles multiply "
          "what is still in shared memory.");
    case Loads::OnlyA:
      return Words::tr("A is loaded for every tile; B for the first tile of C of each block only.");
    case Loads::OnlyB:
      return Words::tr("B is loaded for every tile; A for the first tile of C of each block only.");
    case Loads::FromL2:
      return Words::tr(
          "All blocks compute the same small part of C repeatedly: L2 holds what they load, and "
          "almost nothing comes from DRAM.");
    case Loads::All:
      break;
  }
  return Words::tr("The unchanged kernel: A and B come from DRAM through L2. Results are right.");
}

QString whatIfToolTip(const EnergyCall& call, Loads loads) {
  const auto& at = call.whatIf(loads);
  QStringList lines;
  lines +=
      Words::tr("%1: %2 TFLOP/s (%3 to %4) at the power limit")
          .arg(loadsName(loads), QString::number(at.tflops.median, 'f', 1),
               QString::number(at.tflops.low, 'f', 1), QString::number(at.tflops.high, 'f', 1));
  lines += explained(loads);
  if (loads != Loads::All)
    lines += Words::tr(
        "Results are wrong on purpose. All products and sums are computed, and C is stored just as "
        "often.");
  lines +=
      Words::tr("%1 J per multiplication, %2 pJ per FLOP, if the card draws its limit, %3 W")
          .arg(jouleText(call.joules(at.tflops.median)),
               QString::number(model::picojoulesPerFlop(call.limitWatts, at.tflops.median), 'f', 3),
               figures::grouped(call.limitWatts));
  if (at.clockMHz > 0) {
    lines += call.fullClockMHz > 0
                 ? Words::tr("SM clock %1 MHz: the limit holds it below %2 MHz")
                       .arg(figures::grouped(at.clockMHz), figures::grouped(call.fullClockMHz))
                 : Words::tr("SM clock %1 MHz").arg(figures::grouped(at.clockMHz));
  }
  if (at.dramGB && at.betweenHalvesGB) {
    lines +=
        Words::tr("counted in a launch: %1 GB from and to DRAM, %2 GB between the halves of L2")
            .arg(QString::number(*at.dramGB, 'f', 2), QString::number(*at.betweenHalvesGB, 'f', 2));
  }
  if (loads == Loads::None) {
    lines += Words::tr("The rest is for products, sums, storing C and idle power:");
    lines += Words::tr("no kernel that multiplies in the same way can be faster at this limit.");
  }
  lines += Words::tr("Kernel: %1").arg(QString::fromStdString(call.kernel));
  if (call.libraryTflops.known())
    lines += figures::librarySpeedAtLimit(call.format, call.libraryTflops.median);
  lines += methodText(call);
  return lines.join(u'\n');
}

QString rungToolTip(const EnergyData& data, const EnergyRung& rung) {
  QStringList lines{rungName(rung, true)};
  for (const auto& point : rung.points) {
    const EnergyCall& call = data.calls[static_cast<std::size_t>(point.call)];
    lines +=
        Words::tr(
            "%1 % of the energy of cublasGemmEx in the same call: %2 % of its speed at equal power")
            .arg(QString::number(model::energyPercent(point.at), 'f', 1),
                 QString::number(point.at.percent, 'f', 1));
    if (point.at.tflops > 0) {
      lines += Words::tr(
                   "%1 TFLOP/s, %2 J per multiplication, %3 pJ per FLOP, if the card draws "
                   "its limit, %4 W")
                   .arg(tflopsText(point.at.tflops), jouleText(call.joules(point.at.tflops)),
                        QString::number(model::picojoulesPerFlop(call.limitWatts, point.at.tflops),
                                        'f', 3),
                        figures::grouped(call.limitWatts));
    }
    lines += methodText(call);
  }
  return lines.join(u'\n');
}

// The words in files are keys that programs read: they are never translated.
QByteArray cell(const std::string& text) {
  return '"' + QByteArray::fromStdString(text).replace('"', "\"\"") + '"';
}

}  // namespace

QString jouleText(double joules) {
  return QString::number(joules, 'f', 3);
}

QString loadsName(Loads loads) {
  switch (loads) {
    case Loads::None:
      return Words::tr("no loads");
    case Loads::OnlyA:
      return Words::tr("A only");
    case Loads::OnlyB:
      return Words::tr("B only");
    case Loads::FromL2:
      return Words::tr("A and B from L2");
    case Loads::All:
      break;
  }
  return Words::tr("whole kernel");
}

QStringList energyHeadlines(const EnergyData& data) {
  const EnergyCall* call = data.whatIfs();
  if (call == nullptr) return {Words::tr("No energy was measured.")};
  const EnergyShares s = sharesOf(*call);
  // The sum of the rounded values, so that it agrees with what is shown.
  const auto percent = [&s](double part) { return qRound(100 * part / s.whole); };
  const QString l2 = QString::number(percent(s.fromL2)),
                dram = QString::number(percent(s.fromDram)),
                all = QString::number(percent(s.fromL2) + percent(s.fromDram));
  return {Words::tr("Loading A and B into the SMs takes about %1 % of the energy: %2 % from L2, %3 "
                    "% from DRAM")
              .arg(all, l2, dram),
          Words::tr("Loads of A and B: about %1 % of the energy (%2 % L2, %3 % DRAM)")
              .arg(all, l2, dram),
          Words::tr("Loads: about %1 % of the energy").arg(all)};
}

QStringList energySources(const EnergyData& data) {
  const EnergyCall* call = data.whatIfs();
  if (call == nullptr) return {};
  const QString power =
      Words::tr("%1 W assumed: the limit").arg(figures::grouped(call->limitWatts));
  const QString device = QString::fromStdString(call->device);
  const QString day = figures::dateText(QString::fromStdString(call->when));
  return {Words::tr("At the power limit, %1 · %2, no meter · recorded on %3, %4")
              .arg(multipliedText(*call), power, device, day),
          Words::tr("%1 · %2 · recorded on %3, %4")
              .arg(multipliedText(*call), power, figures::deviceText(device), day),
          Words::tr("%1 · recorded").arg(power)};
}

QStringList energyNotes(const EnergyData& data) {
  if (data.present == nullptr) return {};
  const auto rungs = data.rungs();
  if (std::ranges::find(rungs, data.present, &EnergyRung::stage) != rungs.end()) return {};
  const QString rung = figures::rungText(*data.present);
  if (data.present->ladder == Ladder::Fp32) {
    return {Words::tr("Rung %1 multiplies in FP32, for which no energy was measured. This chart "
                      "shows the tensor ladder.")
                .arg(rung),
            Words::tr("Rung %1: FP32, no energy measured").arg(rung)};
  }
  return {Words::tr("Rung %1 is not among the rungs whose energy was recorded.").arg(rung),
          Words::tr("Rung %1: no energy recorded").arg(rung)};
}

QStringList loadsLabels(const EnergyCall& call, Loads loads) {
  const EnergyShares s = sharesOf(call);
  switch (loads) {
    case Loads::None: {
      const QString speed = tflopsText(call.whatIf(Loads::None).tflops.median);
      return {
          Words::tr("ceiling at %1 W: %2 TFLOP/s").arg(figures::grouped(call.limitWatts), speed),
          Words::tr("ceiling at %1 W: %2").arg(figures::grouped(call.limitWatts), speed),
          Words::tr("ceiling")};
    }
    case Loads::OnlyA:
      return {Words::tr("A, DRAM to the SMs: +%1 J").arg(jouleText(s.onlyA)),
              Words::tr("A: +%1 J").arg(jouleText(s.onlyA))};
    case Loads::OnlyB:
      return {Words::tr("B, DRAM to the SMs: +%1 J").arg(jouleText(s.onlyB)),
              Words::tr("B: +%1 J").arg(jouleText(s.onlyB))};
    case Loads::FromL2:
      return {Words::tr("L2 to the SMs: +%1 J").arg(jouleText(s.fromL2)),
              Words::tr("L2: +%1 J").arg(jouleText(s.fromL2))};
    case Loads::All:
      break;
  }
  return {Words::tr("L2 to the SMs +%1, DRAM to L2 +%2 J")
              .arg(jouleText(s.fromL2), jouleText(s.fromDram)),
          Words::tr("L2 +%1, DRAM +%2 J").arg(jouleText(s.fromL2), jouleText(s.fromDram)),
          Words::tr("DRAM: +%1 J").arg(jouleText(s.fromDram))};
}

QString rungName(const EnergyRung& rung, bool titled) {
  if (rung.stage == nullptr)
    return titled ? Words::tr("best of cuBLASLt's first 8") : Words::tr("cuBLASLt");
  const QString number = figures::rungText(*rung.stage);
  return titled ? Words::tr("%1 %2").arg(number, toQString(rung.stage->title)) : number;
}

QString rungNumbers(const EnergyRung& rung) {
  QStringList numbers;
  for (const auto& point : rung.points)
    numbers += QString::number(model::energyPercent(point.at), 'f', 1);
  return Words::tr("%1 %").arg(numbers.join(Words::tr(", ")));
}

QStringList whatIfTitles(const EnergyCall& call) {
  // "as T13: 128 x 256 x 64, …"
  const QString kernel = QString::fromStdString(call.kernel).section(u':', 0, 0);
  return {Words::tr("Energy per multiplication of a kernel %1: what-ifs, wrong results on purpose")
              .arg(kernel),
          Words::tr("What-ifs of a kernel %1, wrong results on purpose").arg(kernel),
          Words::tr("A kernel %1, wrong on purpose").arg(kernel), Words::tr("Wrong on purpose")};
}

QStringList rungTitles() {
  return {Words::tr("Energy of the rungs in percent of cublasGemmEx in the same call, one figure "
                    "per call"),
          Words::tr("Energy in % of cublasGemmEx, one figure per call"),
          Words::tr("Energy, % of GemmEx"), Words::tr("% of GemmEx")};
}

QStringList sumsSentences(const EnergyCall& call) {
  const EnergyShares s = sharesOf(call);
  // The sum of what is shown, so that it is what a reader finds.
  const auto shown = [](double joules) { return std::round(1000 * joules) / 1000; };
  const QString a = jouleText(s.onlyA), b = jouleText(s.onlyB),
                both = jouleText(shown(s.onlyA) + shown(s.onlyB)),
                loads = jouleText(shown(s.fromL2) + shown(s.fromDram));
  return {Words::tr("A alone %1 J and B alone %2 J add up to %3 J; both together take %4 J. "
                    "Whiskers: lowest and highest round.")
              .arg(a, b, both, loads),
          Words::tr("A alone %1 + B alone %2 = %3 J; together %4 J").arg(a, b, both, loads),
          Words::tr("A + B alone %1 J, together %2 J").arg(both, loads)};
}

QString energyToolTip(const EnergyData& data, const EnergySpot& spot) {
  if (spot.loads && data.whatIfs() != nullptr) return whatIfToolTip(*data.whatIfs(), *spot.loads);
  if (spot.rung) {
    const auto rungs = data.rungs();
    const auto at = static_cast<std::size_t>(*spot.rung);
    if (at < rungs.size()) return rungToolTip(data, rungs[at]);
  }
  return {};
}

QByteArray energyCsv(const EnergyData& data) {
  if (data.calls.empty()) return {};
  QByteArray text =
      "call,when,device,limit_watts,arithmetic,m,n,k,what,tflops,tflops_low,tflops_high,"
      "percent_of_gemmex,joules,picojoules_per_flop,energy_percent_of_gemmex\n";
  const auto number = [](double v) { return v > 0 ? QByteArray::number(v, 'g', 7) : QByteArray(); };
  for (std::size_t i = 0; i < data.calls.size(); ++i) {
    const EnergyCall& c = data.calls[i];
    const auto line = [&](const std::string& what, const runs::Interval& speed, double percent) {
      const double median = speed.median, energy = median > 0 ? c.joules(median) : 0;
      const double each = median > 0 ? model::picojoulesPerFlop(c.limitWatts, median) : 0;
      QByteArrayList cells{QByteArray::number(int(i) + 1),
                           cell(c.when),
                           cell(c.device),
                           number(c.limitWatts),
                           QByteArray::fromStdString(std::string(rowOf(c.format).name)),
                           QByteArray::number(c.problem.m),
                           QByteArray::number(c.problem.n),
                           QByteArray::number(c.problem.k),
                           QByteArray::fromStdString(what),
                           number(median),
                           number(speed.low),
                           number(speed.high),
                           number(percent),
                           number(energy),
                           number(each),
                           number(percent > 0 ? 1e4 / percent : 0)};
      text += cells.join(',') + '\n';
    };
    const double library = c.libraryTflops.median;
    const auto ofLibrary = [library](double v) { return library > 0 ? 100 * v / library : 0; };
    if (library > 0) line("cublasgemmex", c.libraryTflops, 100);
    for (const auto& row : c.whatIfs)
      line(fmt::format("loads {}", name(row.loads)), row.tflops, ofLibrary(row.tflops.median));
    for (const auto& row : c.rungs) line(row.who, {row.tflops, 0, 0}, row.percent);
  }
  return text;
}

QByteArray energyJson(const EnergyData& data) {
  Json calls = Json::array();
  for (const EnergyCall& c : data.calls) {
    Json call = {{"when", c.when},
                 {"device", c.device},
                 {"standing", "recorded"},
                 {"limit_watts", c.limitWatts},
                 {"power", "assumed to be the limit"},
                 {"arithmetic", std::string(rowOf(c.format).name)},
                 {"m", c.problem.m},
                 {"n", c.problem.n},
                 {"k", c.problem.k},
                 {"kernel", c.kernel},
                 {"method", c.method}};
    if (c.libraryTflops.known()) call["library_tflops"] = c.libraryTflops.median;
    const auto energy = [&c](Json& row, double tflops) {
      row["tflops"] = tflops;
      row["joules"] = c.joules(tflops);
      row["picojoules_per_flop"] = model::picojoulesPerFlop(c.limitWatts, tflops);
    };
    for (const auto& at : c.whatIfs) {
      Json row = {{"loads", std::string(name(at.loads))},
                  {"results", at.loads == Loads::All ? "right" : "wrong on purpose"}};
      energy(row, at.tflops.median);
      row["tflops_low"] = at.tflops.low;
      row["tflops_high"] = at.tflops.high;
      if (at.clockMHz > 0) row["clock_mhz"] = at.clockMHz;
      call["what_ifs"].push_back(std::move(row));
    }
    if (!c.whatIfs.empty()) {
      const EnergyShares s = sharesOf(c);
      call["shares"] = {{"whole", s.whole},        {"no_loads", s.noLoads}, {"from_l2", s.fromL2},
                        {"from_dram", s.fromDram}, {"only_a", s.onlyA},     {"only_b", s.onlyB}};
    }
    for (const auto& at : c.rungs) {
      Json row = {{"who", at.who},
                  {"percent_of_gemmex", at.percent},
                  {"energy_percent_of_gemmex", model::energyPercent(at)}};
      if (at.tflops > 0) energy(row, at.tflops);
      call["rungs"].push_back(std::move(row));
    }
    calls.push_back(std::move(call));
  }
  const Json all = {{"schema", "tileloom.energies/1"}, {"calls", std::move(calls)}};
  return QByteArray::fromStdString(dumped(all, 2)) + '\n';
}

}  // namespace charts
}  // namespace tileloom
