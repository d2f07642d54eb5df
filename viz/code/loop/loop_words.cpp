// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "kernels/tile/architecture.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loop)
};

QString deviceWord(const LoopData& data) {
  return figures::deviceText(toQString(data.times->device));
}

const rewrite::TurnFacts& factsOf(const LoopData& data, bool rewritten) {
  return rewritten ? data.shown().facts : data.study->untouched;
}

// The index of the same instruction in the other turn. std::nullopt: it has none.
std::optional<std::size_t> partnerOf(const LoopData& data, const LoopPlace& place) {
  const auto& origins = data.shown().origins;
  if (place.rewritten) return origins[place.index];
  const auto found = std::ranges::find(origins, place.index);
  if (found == origins.end()) return std::nullopt;
  return static_cast<std::size_t>(found - origins.begin());
}

}  // namespace

QString turnText(const LoopData& data, bool rewritten) {
  if (rewritten && !data.possible())
    return Words::tr("This version does not exist: %1.").arg(toQString(data.shown().whyNot));
  const rewrite::TurnFacts& facts = factsOf(data, rewritten);
  const auto version = rewritten ? std::optional(data.version) : std::nullopt;
  const auto measured = measuredCycles(data, version);
  QString name = Words::tr("as compiled");
  if (rewritten) {
    name = versionName(data.version, data.study->rewritten().version.pairedLoads);
    if (data.version != data.study->rewritten().version) name = Words::tr("rewritten %1").arg(name);
  }
  name[0] = name[0].toUpper();
  if (!measured)
    return Words::tr("%1: %2 cycles per iteration predicted, not measured")
        .arg(name, figures::grouped(facts.time.cycles));
  return Words::tr("%1: %2 cycles per iteration, measured on %3 · %4 predicted")
      .arg(name, figures::grouped(*measured), deviceWord(data),
           figures::grouped(facts.time.cycles));
}

QString turnDetails(const LoopData& data, bool rewritten) {
  if (rewritten && !data.possible()) return {};
  const rewrite::TurnFacts& facts = factsOf(data, rewritten);
  const auto version = rewritten ? std::optional(data.version) : std::nullopt;
  const double cycles = measuredCycles(data, version).value_or(facts.time.cycles);
  const LoadToUseSummary distance = loadToUse(facts);
  const int warps = data.study->warps / Architecture::kPartitions;  // of one scheduler
  return Words::tr(
             "%1 warps × %2 instructions + %3 cycles without an issue · predicted %4 cycles "
             "lost to register banks, load to first use %5 or more, median %6")
      .arg(warps)
      .arg(figures::grouped(facts.instructions()),
           figures::grouped(std::max(0.0, facts.slotsLost(cycles, data.study->warps))))
      .arg(facts.lostToBanks)
      .arg(distance.shortest)
      .arg(distance.median);
}

QString placeText(const LoopData& data, const LoopGeometry& geometry, const LoopPlace& place) {
  const rewrite::TurnFacts& facts = factsOf(data, place.rewritten);
  if (place.index >= facts.turn.size()) return {};
  QStringList lines;
  lines += toQString(facts.turn[place.index].code.text());
  const std::size_t number = place.index + 1;
  if (data.possible()) {
    const auto partner = partnerOf(data, place);
    const QString here = place.rewritten ? Words::tr("instruction %1 as rewritten")
                                         : Words::tr("instruction %1 as compiled");
    if (partner) {
      const QString there = place.rewritten ? Words::tr("instruction %1 as compiled")
                                            : Words::tr("instruction %1 as rewritten");
      lines += here.arg(number) + QStringLiteral(", ") + there.arg(*partner + 1);
    } else {
      lines += here.arg(number);
    }
  }
  const LoopTurn& turn = geometry.turn(place.rewritten);
  if (const int wait = turn.waits[place.index].cycles; wait > 0)
    lines += Words::tr("the warp waits %1 cycles before it, predicted").arg(wait);
  const sass::Lost& lost = facts.lost[place.index];
  if (lost.banks > 0)
    lines += Words::tr("%1 of them because register banks are busy").arg(lost.banks);
  if (lost.loads > 0) lines += Words::tr("%1 of them for paired loads").arg(lost.loads);
  for (const rewrite::LoadToUse& use : facts.uses) {
    if (use.load != place.index) continue;
    lines += use.nextTurn
                 ? Words::tr("first used in the next iteration, %1 cycles later, predicted")
                       .arg(use.cycles)
                 : Words::tr("first used by instruction %1, %2 cycles later, predicted")
                       .arg(use.use + 1)
                       .arg(use.cycles);
  }
  return lines.join(u'\n');
}

QString rowText(const LoopData& data, const LoopRow& row) {
  if (!row.whyNot.isEmpty())
    return Words::tr("%1: this version does not exist, because %2").arg(row.name, row.whyNot);
  QString name = row.name;
  name[0] = name[0].toUpper();
  if (!row.measured)
    return Words::tr("%1: %2 cycles per iteration, predicted; not measured")
        .arg(name, figures::grouped(row.predicted));
  return Words::tr("%1: %2 cycles per iteration, %3; %4 predicted")
      .arg(name, figures::grouped(*row.measured), measuredText(data),
           figures::grouped(row.predicted));
}

QString measuredText(const LoopData& data) {
  if (!data.times) return Words::tr("not measured");
  const QString how =
      data.times->recorded ? Words::tr("recorded on %1, %2") : Words::tr("measured on %1, %2");
  return how.arg(deviceWord(data), figures::dateText(toQString(data.times->when)));
}

QString loopSentence(const LoopData& data) {
  if (!data.ready()) return data.note;
  QStringList sentences;
  for (const bool rewritten : {false, true}) {
    QString text = turnText(data, rewritten);
    if (const QString more = turnDetails(data, rewritten); !more.isEmpty())
      text += QStringLiteral(" · ") + more;
    sentences += text;
  }
  return sentences.join(QStringLiteral(". "));
}

}  // namespace tileloom
