// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/describe_word.h"

#include <QCoreApplication>
#include <QStringList>
#include <set>

#include "kernels/analysis/memory/shared_words.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/describe_cell.h"
#include "viz/memory/bank_cursor.h"
#include "viz/memory/bank_picture.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Cells)
};

// "in the row that lane 3 of warp 0 addresses, for lanes 12 and 13": the lanes that get a word by
// ldmatrix.
QString namedRow(const analysis::Moment& m, std::uint32_t word, std::uint32_t lanes) {
  std::uint32_t receivers = 0;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const std::uint32_t parts = m.instruction.parts;
    const std::uint32_t first = parts * (word - m.cost.addresses[lane]);
    for (std::uint32_t i = 0; i < parts; ++i)
      receivers |=
          1u << emulator::receivedAs(lane, first + i, m.instruction.turned != 0, parts).lane;
  }
  return Words::tr("in the row that %1 of warp %2 addresses, for %3")
      .arg(describeLanes(lanes))
      .arg(m.warp)
      .arg(describeLanes(receivers));
}

// A word of global memory, with both elements where it has two, and the last of more.
QString describePlaces(const analysis::Element& first, std::uint32_t parts) {
  if (parts == 1) return describePlace(first);
  analysis::Element second = first;
  second.column += parts - 1;
  return (parts == 2 ? Words::tr("%1 and %2") : Words::tr("%1 to %2"))
      .arg(describeElement(first), describePlace(second));
}

}  // namespace

QString describePathCell(const Scene& scene, const analysis::MemoryPath& path,
                         analysis::MemoryPath::Station station,
                         const analysis::MemoryPath::Value& value) {
  using PathStation = analysis::MemoryPath::Station;
  const analysis::Moment* m = bankMoment(scene);
  if (m == nullptr) return {};
  // All lanes that have this value: in one sector, one word, one wavefront.
  std::uint32_t lanes = 0;
  for (const auto& v : path.values) {
    const bool meet = v.element == value.element &&
                      (station != PathStation::Wavefronts || v.wavefront == value.wavefront);
    if (meet) lanes |= 1u << v.lane;
  }
  if (station == PathStation::Lanes) lanes = 1u << value.lane;
  QString where;
  switch (station) {
    case PathStation::Sectors:
      where = (path.parts > 1 ? Words::tr("element %1 of the 32-byte sector that begins with %2")
                              : Words::tr("float %1 of the 32-byte sector that begins with %2"))
                  .arg(value.inSector)
                  .arg(describeElement(path.sectors[value.sector].first));
      break;
    case PathStation::SharedWords:
      if (!value.word) break;
      for (const auto& array : scene.recording->trace.arrays) {
        if (array.space != emulator::Space::Shared || array.name != path.sharedArray) continue;
        where = (array.parts > 1 ? Words::tr("%1 element %2, bank %3")
                                 : Words::tr("%1 word %2, bank %3"))
                    .arg(QString::fromStdString(array.name))
                    .arg(analysis::elementAtWord(array, *value.word) + value.inWord)
                    .arg(*value.word % analysis::kBanks);
      }
      break;
    case PathStation::Wavefronts:
      if (value.wavefront) where = Words::tr("in wavefront %1").arg(*value.wavefront + 1);
      break;
    case PathStation::Lanes:
      where = path.parts == 1
                  ? Words::tr("in the registers of lane %1, value %2 of %3")
                        .arg(value.lane)
                        .arg(value.part + 1)
                        .arg(m->width)
                  : (path.parts == 2 ? Words::tr("in the registers of lane %1, half %2 of %3")
                                     : Words::tr("in the registers of lane %1, element %2 of %3"))
                        .arg(value.lane)
                        .arg(path.parts * value.part + value.half + 1)
                        .arg(path.parts * m->width);
      break;
  }
  const QString uses = station == PathStation::Lanes && value.uses > 0
                           ? (m->instruction.kind == emulator::Kind::MatrixLoad
                                  ? Words::tr("used in %1 multiply-adds").arg(value.uses)
                                  : Words::tr("serves %1 FMAs").arg(value.uses))
                           : QString();
  return joinParts({describePlace(value.element), where, describeUse(*m, false, lanes), uses});
}

QString describeBankCell(const Scene& scene, std::uint32_t word) {
  const analysis::Moment* m = bankMoment(scene);
  if (m == nullptr) return {};
  const auto& trace = scene.recording->trace;
  const std::uint32_t lanes = lanesAt(*m, word);
  const bool matrices = m->instruction.kind == emulator::Kind::MatrixLoad;
  const QString touched = lanes == 0 ? Words::tr("not touched by this access")
                          : matrices ? namedRow(*m, word, lanes)
                                     : describeUse(*m, false, lanes);
  const Selection cell = bankSelection(scene, word);
  if (!emulator::isShared(m->instruction.kind)) {
    return joinParts(
        {cell.element ? describePlaces(*cell.element, trace.arrays[m->instruction.array].parts)
                      : QString(),
         Words::tr("byte %1 of its line of 128 bytes").arg(word % analysis::kBanks * 4), touched});
  }
  if (!cell.word) return joinParts({Words::tr("bank %1").arg(word % analysis::kBanks), touched});
  const auto& array = trace.arrays[cell.word->array];
  std::set<std::uint32_t> wavefronts;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const std::uint32_t part = word - m->cost.addresses[lane];
    wavefronts.insert(m->cost.shared.servedIn[lane * analysis::kMostWidth + part] + 1u);
  }
  QStringList numbers;
  for (const std::uint32_t w : wavefronts) numbers += QString::number(w);
  const QString name = QString::fromStdString(array.name);
  const QString place = array.parts > 1
                            ? (array.parts == 2 ? Words::tr("%1 elements %2 and %3, bank %4")
                                                : Words::tr("%1 elements %2 to %3, bank %4"))
                                  .arg(name)
                                  .arg(cell.word->index)
                                  .arg(cell.word->index + array.parts - 1)
                                  .arg(word % analysis::kBanks)
                            : Words::tr("%1 word %2, bank %3")
                                  .arg(name)
                                  .arg(cell.word->index)
                                  .arg(word % analysis::kBanks);
  QStringList held;
  for (std::uint32_t part = 0; part < array.parts; ++part) {
    const Selection all = complete(scene, bankSelection(scene, word, part));
    if (all.element) held += describeElement(*all.element);
  }
  return joinParts({place,
                    held.isEmpty() ? Words::tr("holds nothing of A or B")
                                   : Words::tr("holds %1").arg(held.join(Words::tr(" and "))),
                    touched,
                    numbers.isEmpty()
                        ? QString()
                        : Words::tr("in wavefront %1").arg(numbers.join(QStringLiteral(", ")))});
}

}  // namespace tileloom
