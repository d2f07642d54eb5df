// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_rows.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loop)
};

LoopRow rowOf(const LoopData& data, const rewrite::Version& version, const QString& name) {
  const rewrite::VersionFacts& facts = data.study->of(version);
  LoopRow row;
  row.name = name;
  row.version = version;
  row.predicted = facts.facts.time.cycles;
  row.measured = measuredCycles(data, version);
  row.whyNot = toQString(facts.whyNot);
  row.shown = version == data.version;
  row.otherLanes = version.pairedLoads != data.study->rewritten().version.pairedLoads;
  return row;
}

// "rewritten, lanes of rung 14"
QString withOtherLanes(const QString& name, bool usuallyPaired) {
  return usuallyPaired ? Words::tr("%1, lanes of rung 15").arg(name)
                       : Words::tr("%1, lanes of rung 14").arg(name);
}

std::optional<double> measuredIn(const LoopData& data,
                                 const std::optional<rewrite::Changes>& changes, bool otherLanes) {
  if (!data.times) return std::nullopt;
  const runs::Interval* found = data.times->of(changes, otherLanes);
  return found == nullptr ? std::nullopt : std::optional(found->median);
}

LoopRow untouchedRow(const LoopData& data, bool otherLanes) {
  const bool paired = data.study->rewritten().version.pairedLoads;
  LoopRow row;
  row.name = Words::tr("as compiled");
  if (otherLanes) row.name = withOtherLanes(row.name, paired);
  row.predicted = (otherLanes ? data.study->untouchedOtherwise : data.study->untouched).time.cycles;
  row.measured = measuredIn(data, std::nullopt, otherLanes);
  row.otherLanes = otherLanes;
  return row;
}

}  // namespace

QString versionName(const rewrite::Version& version, bool usuallyPaired) {
  QStringList without;
  if (!version.changes.order) without += Words::tr("2 × 2 order");
  if (!version.changes.loads) without += Words::tr("early loads");
  if (!version.changes.barrier) without += Words::tr("early barrier");
  const bool otherLanes = version.pairedLoads != usuallyPaired;
  if (without.isEmpty()) {
    if (!otherLanes) return Words::tr("rewritten");
    return usuallyPaired ? Words::tr("with lanes of rung 15") : Words::tr("with lanes of rung 14");
  }
  const QString text = Words::tr("without %1").arg(without.join(QStringLiteral(", ")));
  if (!otherLanes) return text;
  const QString shorter = without.size() > 2 ? Words::tr("without all three") : text;
  return usuallyPaired ? Words::tr("%1; lanes of rung 15").arg(shorter)
                       : Words::tr("%1; lanes of rung 14").arg(shorter);
}

QString measuredHeading() {
  return Words::tr("measured");
}

QString predictedHeading() {
  return Words::tr("model");
}

std::optional<double> measuredCycles(const LoopData& data,
                                     const std::optional<rewrite::Version>& version) {
  if (!version) return measuredIn(data, std::nullopt, false);
  return measuredIn(data, version->changes,
                    version->pairedLoads != data.study->rewritten().version.pairedLoads);
}

std::vector<LoopRow> loopRows(const LoopData& data) {
  if (!data.ready()) return {};
  const bool paired = data.study->rewritten().version.pairedLoads;
  std::vector<LoopRow> rows;
  const auto add = [&](const rewrite::Version& version) {
    rows.push_back(rowOf(data, version, versionName(version, paired)));
  };
  add({{}, paired});
  add({{.order = false}, paired});
  add({{.loads = false}, paired});
  add({{.barrier = false}, paired});
  add({{}, !paired});
  if (std::ranges::none_of(rows, &LoopRow::shown)) {
    add(data.version);
    rows.back().usual = false;
  }
  for (const bool otherLanes : {false, true}) rows.push_back(untouchedRow(data, otherLanes));
  return rows;
}

LoadToUseSummary loadToUse(const rewrite::TurnFacts& facts) {
  std::vector<int> all;
  for (const rewrite::LoadToUse& each : facts.uses) all.push_back(each.cycles);
  if (all.empty()) return {};
  std::ranges::sort(all);
  return {all.front(), all[all.size() / 2]};
}

}  // namespace tileloom
