// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/describe_cell.h"

#include <QCoreApplication>
#include <QStringList>
#include <bit>
#include <set>

#include "viz/base/cell_cursor.h"
#include "viz/base/describe.h"
#include "viz/memory/bank_painter.h"

namespace tileloom {
namespace {

using emulator::Kind;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Cells)
 public:
  // What these lanes do by this instruction.
  static QString doneBy(const analysis::Moment& m, bool sum, std::uint32_t lanes) {
    if (lanes == 0) return {};
    const QString who = describeLanes(lanes);
    switch (m.instruction.kind) {
      case Kind::SharedLoad:
      case Kind::GlobalLoad:
        return tr("read by %1 of warp %2").arg(who).arg(m.warp);
      case Kind::AsyncCopy:
        return tr("copied for %1 of warp %2").arg(who).arg(m.warp);
      case Kind::SharedStore:
      case Kind::GlobalStore:
        return tr("written by %1 of warp %2").arg(who).arg(m.warp);
      case Kind::Fma:
        return (sum ? tr("added to by %1 of warp %2") : tr("multiplied by %1 of warp %2"))
            .arg(who)
            .arg(m.warp);
      default:
        return {};
    }
  }

  static QString held(const Scene& scene, const analysis::SharedWord& word) {
    const auto& array = scene.recording->trace.arrays[word.array];
    return tr("held in %1 word %2, bank %3")
        .arg(QString::fromStdString(array.name))
        .arg(word.index)
        .arg((array.base + word.index) % analysis::kBanks);
  }

  static QString place(const analysis::Element& e) {
    const QChar name = u"ABC"[static_cast<int>(e.matrix)];
    return tr("%1, row %2 and column %3 of %4")
        .arg(describeElement(e))
        .arg(e.row)
        .arg(e.column)
        .arg(name);
  }
};

QString joined(QStringList parts) {
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

}  // namespace

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
    where = Words::held(scene, *selection.word);
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
  return joined({Words::place(element), where,
                 Words::doneBy(scene.moment, element.matrix == analysis::Matrix::C, lanes)});
}

QString describePathCell(const Scene& scene, const analysis::MemoryPath& path,
                         analysis::MemoryPath::Station station,
                         const analysis::MemoryPath::Value& value) {
  using Station = analysis::MemoryPath::Station;
  const analysis::Moment* m = bankMoment(scene);
  if (m == nullptr) return {};
  // All lanes whose value this is: they meet in one sector, one word, one wavefront.
  std::uint32_t lanes = 0;
  for (const auto& v : path.values) {
    const bool meet = v.element == value.element &&
                      (station != Station::Wavefronts || v.wavefront == value.wavefront);
    if (meet) lanes |= 1u << v.lane;
  }
  if (station == Station::Lanes) lanes = 1u << value.lane;
  QString where;
  switch (station) {
    case Station::Sectors:
      where = Words::tr("float %1 of the 32-byte sector that begins with %2")
                  .arg(value.inSector)
                  .arg(describeElement(path.sectors[value.sector].first));
      break;
    case Station::Words:
      if (!value.word) break;
      for (const auto& array : scene.recording->trace.arrays) {
        if (array.space != emulator::Space::Shared || array.name != path.sharedArray) continue;
        where = Words::tr("%1 word %2, bank %3")
                    .arg(QString::fromStdString(array.name))
                    .arg(*value.word - array.base)
                    .arg(*value.word % analysis::kBanks);
      }
      break;
    case Station::Wavefronts:
      if (value.wavefront) where = Words::tr("in wavefront %1").arg(*value.wavefront + 1);
      break;
    case Station::Lanes:
      where = Words::tr("in the registers of lane %1, value %2 of %3")
                  .arg(value.lane)
                  .arg(value.part + 1)
                  .arg(m->width);
      break;
  }
  const QString uses = station == Station::Lanes && value.uses > 0
                           ? Words::tr("serves %1 FMAs").arg(value.uses)
                           : QString();
  return joined({Words::place(value.element), where, Words::doneBy(*m, false, lanes), uses});
}

QString describeBankCell(const Scene& scene, std::uint32_t word) {
  const analysis::Moment* m = bankMoment(scene);
  if (m == nullptr) return {};
  const auto& trace = scene.recording->trace;
  const std::uint32_t lanes = lanesAt(*m, word);
  const QString touched =
      lanes == 0 ? Words::tr("not touched by this access") : Words::doneBy(*m, false, lanes);
  const Selection cell = bankSelection(scene, word);
  if (!emulator::isShared(m->instruction.kind)) {
    return joined({cell.element ? Words::place(*cell.element) : QString(),
                   Words::tr("byte %1 of its line of 128 bytes").arg(word % analysis::kBanks * 4),
                   touched});
  }
  if (!cell.word) return joined({Words::tr("bank %1").arg(word % analysis::kBanks), touched});
  const auto& array = trace.arrays[cell.word->array];
  const Selection all = complete(scene, cell);
  std::set<std::uint32_t> wavefronts;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const std::uint32_t part = word - m->addresses[lane];
    wavefronts.insert(m->served.servedIn[lane * analysis::kMostWidth + part] + 1u);
  }
  QStringList numbers;
  for (const std::uint32_t w : wavefronts) numbers += QString::number(w);
  return joined({Words::tr("%1 word %2, bank %3")
                     .arg(QString::fromStdString(array.name))
                     .arg(cell.word->index)
                     .arg(word % analysis::kBanks),
                 all.element ? Words::tr("holds %1").arg(describeElement(*all.element))
                             : Words::tr("holds nothing of A or B"),
                 touched,
                 numbers.isEmpty()
                     ? QString()
                     : Words::tr("in wavefront %1").arg(numbers.join(QStringLiteral(", ")))});
}

}  // namespace tileloom
