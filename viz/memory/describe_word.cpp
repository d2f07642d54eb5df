// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/describe_word.h"

#include <QCoreApplication>
#include <QStringList>
#include <set>

#include "kernels/analysis/recording.h"
#include "viz/base/describe.h"
#include "viz/base/describe_cell.h"
#include "viz/memory/bank_cursor.h"
#include "viz/memory/bank_picture.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Cells)
};

}  // namespace

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
  return joinParts({describePlace(value.element), where, describeUse(*m, false, lanes), uses});
}

QString describeBankCell(const Scene& scene, std::uint32_t word) {
  const analysis::Moment* m = bankMoment(scene);
  if (m == nullptr) return {};
  const auto& trace = scene.recording->trace;
  const std::uint32_t lanes = lanesAt(*m, word);
  const QString touched =
      lanes == 0 ? Words::tr("not touched by this access") : describeUse(*m, false, lanes);
  const Selection cell = bankSelection(scene, word);
  if (!emulator::isShared(m->instruction.kind)) {
    return joinParts(
        {cell.element ? describePlace(*cell.element) : QString(),
         Words::tr("byte %1 of its line of 128 bytes").arg(word % analysis::kBanks * 4), touched});
  }
  if (!cell.word) return joinParts({Words::tr("bank %1").arg(word % analysis::kBanks), touched});
  const auto& array = trace.arrays[cell.word->array];
  const Selection all = complete(scene, cell);
  std::set<std::uint32_t> wavefronts;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const std::uint32_t part = word - m->cost.addresses[lane];
    wavefronts.insert(m->cost.shared.servedIn[lane * analysis::kMostWidth + part] + 1u);
  }
  QStringList numbers;
  for (const std::uint32_t w : wavefronts) numbers += QString::number(w);
  return joinParts({Words::tr("%1 word %2, bank %3")
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
