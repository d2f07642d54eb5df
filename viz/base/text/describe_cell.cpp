// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/describe_cell.h"

#include <QCoreApplication>
#include <QStringList>
#include <bit>

#include "kernels/analysis/memory/shared_words.h"
#include "kernels/analysis/recording.h"
#include "viz/base/text/describe.h"

namespace tileloom {
namespace {

using emulator::Kind;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Cells)
};

QString heldIn(const Scene& scene, const analysis::SharedWord& word) {
  const auto& array = scene.recording->trace.arrays[word.array];
  const std::uint32_t bank = analysis::wordOfElement(array, word.index) % analysis::kBanks;
  return (array.parts > 1 ? Words::tr("held in %1 element %2, bank %3")
                          : Words::tr("held in %1 word %2, bank %3"))
      .arg(QString::fromStdString(array.name))
      .arg(word.index)
      .arg(bank);
}

}  // namespace

QString joinParts(QStringList parts) {
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

QString describeUse(const analysis::Moment& m, bool sum, std::uint32_t lanes) {
  if (lanes == 0) return {};
  const QString who = describeLanes(lanes);
  switch (m.instruction.kind) {
    case Kind::SharedLoad:
    case Kind::MatrixLoad:
    case Kind::GlobalLoad:
      return Words::tr("read by %1 of warp %2").arg(who).arg(m.warp);
    case Kind::AsyncCopy:
      return Words::tr("copied for %1 of warp %2").arg(who).arg(m.warp);
    case Kind::SharedStore:
    case Kind::MatrixStore:
    case Kind::GlobalStore:
      return Words::tr("written by %1 of warp %2").arg(who).arg(m.warp);
    case Kind::BoxLoad:
      return Words::tr("loaded by TMA, issued by %1 of warp %2").arg(who).arg(m.warp);
    case Kind::BoxStore:
      return Words::tr("stored by TMA, issued by %1 of warp %2").arg(who).arg(m.warp);
    case Kind::Product:
      return sum ? Words::tr("accumulated for %1 of warp %2").arg(who).arg(m.warp)
                 : Words::tr("multiplied for warp %1").arg(m.warp);
    case Kind::Fma:
    case Kind::Mma:
      return (sum ? Words::tr("accumulated by %1 of warp %2")
                  : Words::tr("multiplied by %1 of warp %2"))
          .arg(who)
          .arg(m.warp);
    default:
      return {};
  }
}

QString describePlace(const analysis::Element& e) {
  const QChar name = u"ABC"[static_cast<int>(e.matrix)];
  return Words::tr("%1, row %2 and column %3 of %4")
      .arg(describeElement(e))
      .arg(e.row)
      .arg(e.column)
      .arg(name);
}

QString describeLanes(std::uint32_t lanes) {
  const int count = std::popcount(lanes);
  if (count == 0) return {};
  const int first = std::countr_zero(lanes), last = 31 - std::countl_zero(lanes);
  if (count == 1) return Words::tr("lane %1").arg(first);
  if (count > 2 && last - first + 1 == count)
    return Words::tr("lanes %1 to %2").arg(first).arg(last);
  QStringList named;
  for (int lane = first; lane < last; ++lane) {
    if ((lanes >> lane & 1u) != 0) named += QString::number(lane);
  }
  return Words::tr("lanes %1 and %2").arg(named.join(QStringLiteral(", "))).arg(last);
}

QString describeCell(const Scene& scene, const analysis::Element& element) {
  if (!scene.ready()) return {};
  Selection selection;
  selection.element = element;
  selection = complete(scene, selection);
  QString where;
  if (selection.word) {
    where = heldIn(scene, *selection.word);
  } else if (element.matrix != analysis::Matrix::C) {
    where = scene.recording->trace.sharedBytes > 0 ? Words::tr("not in shared memory now")
                                                   : Words::tr("in global memory");
  } else if (selection.thread) {
    where = Words::tr("owned by lane %1 of warp %2")
                .arg(*selection.thread % emulator::kWarpSize)
                .arg(*selection.thread / emulator::kWarpSize);
  }
  std::uint32_t lanes = 0;
  for (const analysis::Touch& touch : scene.moment.touches) {
    if (touch.element == element) lanes |= 1u << touch.lane;
  }
  return joinParts({describePlace(element), where,
                    describeUse(scene.moment, element.matrix == analysis::Matrix::C, lanes)});
}

}  // namespace tileloom
