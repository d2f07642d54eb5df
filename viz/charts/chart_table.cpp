// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/chart_table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include "kernels/runs/counters.h"
#include "kernels/tile/literature.h"
#include "kernels/tile/parameters.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

// The words in files are keys that programs read: they are never translated. The key of a freshness
// is "standing".
QString freshnessKey(Freshness freshness) {
  switch (freshness) {
    case Freshness::Live:
      return QStringLiteral("live");
    case Freshness::Recorded:
      return QStringLiteral("recorded");
    case Freshness::Stale:
      break;
  }
  return QStringLiteral("stale");
}

QString number(double value) {
  return QString::number(value, 'g', 10);
}
QString numberIf(bool known, double value) {
  return known ? number(value) : QString();
}

QString quoted(QString field) {
  if (!field.contains(u'"') && !field.contains(u',') && !field.contains(u'\n') &&
      !field.contains(u'\r')) {
    return field;
  }
  return u'"' + field.replace(u'"', QLatin1String("\"\"")) + u'"';
}

void addRow(QByteArray& csv, const QStringList& fields) {
  QStringList safe;
  for (const QString& field : fields) safe += quoted(field);
  csv += safe.join(u',').toUtf8() + '\n';
}

QStringList stageFields(const Stage* stage, const TileShape& tile, const Problem& problem) {
  QStringList fields{stage ? toQString(stage->id) : QString(),
                     stage ? figures::rungText(*stage) : QString(),
                     stage ? toQString(rowOf(stage->usualFormat()).name) : QString()};
  for (const Parameter parameter : kAllParameters)
    fields += numberIf(tile[parameter] != 0, tile[parameter]);
  return fields +=
         {QString::number(problem.m), QString::number(problem.n), QString::number(problem.k)};
}

QStringList stageHeads() {
  QStringList heads{QStringLiteral("stage"), QStringLiteral("rung"), QStringLiteral("arithmetic")};
  for (const Parameter parameter : kAllParameters)
    heads += toQString(name(parameter)) + QLatin1String(" (elements)");
  return heads += {QStringLiteral("M (elements)"), QStringLiteral("N (elements)"),
                   QStringLiteral("K (elements)")};
}

QStringList intervalFields(const runs::Interval& i, double factor) {
  const bool known = i.known();
  return {numberIf(known, i.median * factor), numberIf(known, i.low * factor),
          numberIf(known, i.high * factor)};
}

QStringList intervalHeads(const QString& name, const QString& unit) {
  return {QStringLiteral("%1 (%2)").arg(name, unit),
          QStringLiteral("%1 95% low (%2)").arg(name, unit),
          QStringLiteral("%1 95% high (%2)").arg(name, unit)};
}

QStringList forecastFields(const HistoryPoint& p) {
  const bool known = p.forecast.has_value();
  const Forecast f = p.forecast.value_or(Forecast{});
  return {numberIf(known, f.gflops), numberIf(known, f.low), numberIf(known, f.high)};
}

QString occupancyField(const HistoryPoint& p) {
  const bool known = p.blocks > 0 && p.mostWarps > 0;
  return numberIf(known, known ? 100.0 * p.warps / p.mostWarps : 0);
}

QJsonObject tileJson(const TileShape& tile) {
  QJsonObject object;
  for (const Parameter parameter : kAllParameters) {
    if (tile[parameter] != 0) object[toQString(name(parameter))] = tile[parameter];
  }
  return object;
}

void put(QJsonObject& object, const char* key, const runs::Interval& i) {
  if (!i.known()) return;
  object[QLatin1String(key)] = QJsonObject{{"median", i.median}, {"low", i.low}, {"high", i.high}};
}
void put(QJsonObject& object, const char* key, const QString& value) {
  if (!value.isEmpty()) object[QLatin1String(key)] = value;
}

void putStage(QJsonObject& object, const Stage* stage, const TileShape& tile) {
  if (stage != nullptr) {
    object["stage"] = toQString(stage->id);
    object["rung"] = stage->rung;
    object["ladder"] = QLatin1String(stage->ladder == Ladder::Tensor ? "tensor" : "fp32");
    object["arithmetic"] = toQString(rowOf(stage->usualFormat()).name);
  }
  object["tile"] = tileJson(tile);
}

QJsonObject problemJson(const Problem& p) {
  return {{"m", p.m}, {"n", p.n}, {"k", p.k}};
}

QJsonObject pointJson(const HistoryPoint& p, int move) {
  QJsonObject o{{"move", move}};
  putStage(o, p.rung(), p.tile);
  if (p.format != Format::Fp32) o["arithmetic"] = toQString(rowOf(p.format).name);
  o["problem"] = problemJson(p.problem);
  o["standing"] = freshnessKey(p.freshness);
  if (p.measuring) o["measuring"] = true;
  put(o, "gflops", p.gflops);
  put(o, "cublas", p.cublas);
  put(o, "ratio", p.ratio);
  if (p.forecast) {
    o["predicted"] = QJsonObject{{"gflops", p.forecast->gflops},
                                 {"low", p.forecast->low},
                                 {"high", p.forecast->high},
                                 {"limit", p.forecast->limit}};
  }
  if (p.registers >= 0) {
    o["registers"] = p.registers;
    o["spillBytes"] = p.spillBytes;
  }
  if (p.blocks > 0) {
    o["blocksPerSm"] = p.blocks;
    o["warpsPerSm"] = p.warps;
    if (p.mostWarps > 0) {
      o["mostWarpsPerSm"] = p.mostWarps;
      o["occupancy"] = static_cast<double>(p.warps) / p.mostWarps;
    }
  }
  put(o, "limitedBy", p.limitedBy);
  for (const runs::CounterSpec& spec : runs::counterSpecs()) {
    const auto value = p.counters[spec.counter];
    if (!value) continue;
    QJsonObject counters = o["counters"].toObject();
    counters[toQString(spec.key)] = *value;
    o["counters"] = counters;
  }
  put(o, "device", p.device);
  put(o, "when", p.when);
  put(o, "note", p.note);
  put(o, "mainLoop", p.mainLoop);
  return o;
}

}  // namespace

QByteArray historyCsv(std::span<const HistoryPoint> points) {
  QByteArray csv;
  const QString speed = QStringLiteral("GFLOP/s");
  addRow(csv,
         QStringList{QStringLiteral("move")} + stageHeads() +
             QStringList{QStringLiteral("standing"), QStringLiteral("measuring")} +
             intervalHeads(QStringLiteral("speed"), speed) +
             intervalHeads(QStringLiteral("cuBLAS"), speed) +
             intervalHeads(QStringLiteral("share of cuBLAS"), QStringLiteral("%")) +
             QStringList{QStringLiteral("predicted speed (GFLOP/s)"),
                         QStringLiteral("predicted low (GFLOP/s)"),
                         QStringLiteral("predicted high (GFLOP/s)"),
                         QStringLiteral("registers (per thread)"), QStringLiteral("spills (bytes)"),
                         QStringLiteral("blocks (per SM)"), QStringLiteral("warps (per SM)"),
                         QStringLiteral("most warps (per SM)"),
                         QStringLiteral("theoretical occupancy (%)"), QStringLiteral("limited by"),
                         QStringLiteral("device"), QStringLiteral("when (UTC)"),
                         QStringLiteral("note"), QStringLiteral("main loop")});
  int move = 0;
  for (const HistoryPoint& p : points) {
    addRow(csv, QStringList{QString::number(++move)} + stageFields(p.rung(), p.tile, p.problem) +
                    QStringList{freshnessKey(p.freshness),
                                p.measuring ? QStringLiteral("yes") : QStringLiteral("no")} +
                    intervalFields(p.gflops, 1) + intervalFields(p.cublas, 1) +
                    intervalFields(p.ratio, 100) + forecastFields(p) +
                    QStringList{numberIf(p.registers >= 0, p.registers),
                                numberIf(p.registers >= 0, p.spillBytes),
                                numberIf(p.blocks > 0, p.blocks), numberIf(p.blocks > 0, p.warps),
                                numberIf(p.mostWarps > 0, p.mostWarps), occupancyField(p),
                                p.limitedBy, p.device, p.when, p.note, p.mainLoop});
  }
  return csv;
}

QByteArray historyJson(std::span<const HistoryPoint> points) {
  QJsonArray array;
  int move = 0;
  for (const HistoryPoint& p : points) array += pointJson(p, ++move);
  return QJsonDocument(QJsonObject{{"schema", "tileloom.history/1"}, {"points", array}}).toJson();
}

QByteArray ladderCsv(std::span<const LadderBar> bars, const Problem& problem, const QString& source,
                     std::span<const LadderFigures> figures) {
  QByteArray csv;
  const auto optional = [](const std::optional<double>& value, double factor) {
    return value ? number(*value * factor) : QString();
  };
  QStringList heads = stageHeads() + QStringList{QStringLiteral("standing")} +
                      intervalHeads(QStringLiteral("speed"), QStringLiteral("GFLOP/s")) +
                      intervalHeads(QStringLiteral("share of cuBLAS"), QStringLiteral("%"));
  if (!figures.empty()) {
    heads += {QStringLiteral("registers (per thread)"),
              QStringLiteral("spills (bytes)"),
              QStringLiteral("theoretical occupancy (%)"),
              QStringLiteral("DRAM intensity (FLOP per byte)"),
              QStringLiteral("L1 and shared memory intensity (FLOP per byte)"),
              QStringLiteral("conflicts (% of wavefronts)"),
              QStringLiteral("literature on A6000 (GFLOP/s)"),
              QStringLiteral("literature on A6000 (% of cuBLAS)"),
              QStringLiteral("main loop")};
  }
  addRow(csv, heads + QStringList{QStringLiteral("source")});
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const LadderBar& b = bars[i];
    QStringList fields = stageFields(b.rung(), b.tile, problem) +
                         QStringList{freshnessKey(b.freshness)} + intervalFields(b.gflops, 1) +
                         intervalFields(b.ratio, 100);
    if (!figures.empty()) {
      static const LadderFigures kUnknown;
      const LadderFigures& f = i < figures.size() ? figures[i] : kUnknown;
      const auto theirs = b.rung() != nullptr ? literatureOf(*b.rung()) : std::nullopt;
      fields += {numberIf(f.registers >= 0, f.registers),
                 numberIf(f.registers >= 0, f.spillBytes),
                 optional(f.occupancy, 100),
                 optional(f.dramIntensity, 1),
                 optional(f.sharedIntensity, 1),
                 optional(f.conflictShare, 100),
                 theirs ? number(theirs->gflops) : QString(),
                 theirs ? number(theirs->percentOfCublas) : QString(),
                 f.mainLoop};
    }
    addRow(csv, fields + QStringList{source});
  }
  return csv;
}

QByteArray ladderJson(std::span<const LadderBar> bars, const Problem& problem,
                      const QString& source, std::span<const LadderFigures> figures) {
  QJsonArray array;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const LadderBar& b = bars[i];
    QJsonObject o;
    putStage(o, b.rung(), b.tile);
    o["standing"] = freshnessKey(b.freshness);
    put(o, "gflops", b.gflops);
    put(o, "ratio", b.ratio);
    if (i < figures.size()) {
      const LadderFigures& f = figures[i];
      if (f.registers >= 0) {
        o["registers"] = f.registers;
        o["spillBytes"] = f.spillBytes;
      }
      if (f.occupancy) o["occupancy"] = *f.occupancy;
      if (f.dramIntensity) o["dramIntensity"] = *f.dramIntensity;
      if (f.sharedIntensity) o["l1Intensity"] = *f.sharedIntensity;
      if (f.conflictShare) o["conflictShare"] = *f.conflictShare;
      put(o, "mainLoop", f.mainLoop);
      if (const auto theirs = b.rung() != nullptr ? literatureOf(*b.rung()) : std::nullopt) {
        o["literature"] = QJsonObject{{"device", toQString(kLiteratureDevice)},
                                      {"size", kLiteratureSize},
                                      {"gflops", theirs->gflops},
                                      {"percentOfCublas", theirs->percentOfCublas}};
      }
    }
    array += o;
  }
  return QJsonDocument(QJsonObject{{"schema", "tileloom.ladder/1"},
                                   {"problem", problemJson(problem)},
                                   {"source", source},
                                   {"bars", array}})
      .toJson();
}

}  // namespace tileloom
