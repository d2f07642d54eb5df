// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/access_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <bit>

#include "viz/base/text/describe.h"
#include "viz/memory/word_use.h"

namespace tileloom {
namespace {

using analysis::MemoryPath;
using analysis::Moment;
using Station = MemoryPath::Station;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Access)
 public:
  static QString sharedMemory(const Moment& m) {
    const auto& w = m.cost.shared;
    QString line = counted(w.count, tr("1 wavefront"), tr("%1 wavefronts"));
    if (w.conflicts() > 0) {
      line += tr(", %1 of them by bank conflicts (%2-way)").arg(w.conflicts()).arg(w.degree);
    } else {
      line += tr(", no bank conflict");
    }
    // 16-byte copies bypass L1.
    if (m.cost.copy.wavefronts > 0 && m.width > 1 && m.cost.wavefronts() != w.count) {
      return tr("%1, no bank conflict · one for each pair of a line of the matrix and a line of "
                "shared memory that 8 lanes join; %2 would suffice")
          .arg(counted(m.cost.wavefronts(), tr("1 wavefront"), tr("%1 wavefronts")))
          .arg(w.count);
    }
    if (m.instruction.kind == emulator::Kind::MatrixLoad) {
      return line + tr(" · four matrices in turn, a row of 16 bytes for each lane");
    }
    if (m.cost.wavefronts() > w.count) {
      return line + tr(" in shared memory · %1 in L1, where the copied floats share banks")
                        .arg(m.cost.wavefronts());
    }
    // Why more than one wavefront can be ideal.
    if (m.width > 1) {
      const bool paired = w.lanesAtOnce != 32 / m.width;
      QString serves = w.conflicts() > 0
                           ? tr(" · without them a wavefront serves %1 lanes of %2 bits")
                           : tr(" · a wavefront serves %1 lanes of %2 bits");
      if (paired) serves += tr(", because lanes share addresses in pairs");
      line += serves.arg(w.lanesAtOnce).arg(32 * m.width);
    }
    return line + broadcast(m);
  }

  static QString globalMemory(const Moment& m) {
    const auto& moved = m.cost.global;
    QString line = counted(moved.sectors, tr("1 sector"), tr("%1 sectors")) +
                   tr(" of 32 bytes for one request");
    // The rest of the sector is not wasted by lanes that want nothing of it.
    const WordUses uses = wordUses(m);
    const int lanes = uses.size() == 1 ? std::popcount(uses.begin()->second.lanes) : 0;
    if (lanes > 1) return line + tr(": one word, broadcast to %1 lanes").arg(lanes);
    if (m.cost.scattered()) {
      line += tr(", %1 would suffice · %2 of %3 bytes used")
                  .arg(moved.idealSectors())
                  .arg(moved.usefulBytes)
                  .arg(moved.fetchedBytes());
    } else {
      line += tr(", the fewest possible");
    }
    return line + broadcast(m);
  }

  static QString broadcast(const Moment& m) {
    int most = 0;
    // A word that lanes of several wavefronts read is read once per wavefront.
    const bool served = m.cost.shared.count > 0 && m.instruction.kind == emulator::Kind::SharedLoad;
    const auto passes = served ? wavefrontUses(m) : std::vector{wordUses(m)};
    for (const WordUses& uses : passes)
      for (const auto& [word, use] : uses) most = std::max(most, std::popcount(use.lanes));
    return most > 1 ? tr(" · broadcast to up to %1 lanes").arg(most) : QString();
  }

  static AccessVerdict sectors(const MemoryPath& path, const Moment& m) {
    const auto count = static_cast<qlonglong>(path.sectors.size());
    const QString sectors = counted(count, tr("1 sector"), tr("%1 sectors"));
    if (!path.touchesGlobal) return {tr("the values lie in %1").arg(sectors)};
    const int used = count == 0 ? 0
                                : qRound(100.0 * path.usedBytes() /
                                         (analysis::kSectorBytes * static_cast<double>(count)));
    return {tr("%1, %2 % of their bytes used").arg(sectors).arg(used),
            m.cost.scattered() ? Tone::Trouble : Tone::Good};
  }

  static AccessVerdict lanes(const MemoryPath& path, const Moment& m) {
    std::uint32_t uses = 0;
    for (const auto& v : path.values) uses = std::max(uses, v.uses);
    const QString bits = tr("%1 bits per lane").arg(32 * m.width);
    if (uses > 0 && m.instruction.kind == emulator::Kind::MatrixLoad)
      return {bits + tr("; %1 multiply-adds per element").arg(uses)};
    return {uses > 0 ? bits + tr("; each value serves %1 FMAs").arg(uses) : bits};
  }

  static AccessVerdict words(const MemoryPath& path, const Moment& m) {
    const auto most = path.mostInOneBank();
    const QString where = tr("%1: %2 of 32 banks, at most %3 in one bank")
                              .arg(QString::fromStdString(path.sharedArray))
                              .arg(path.banks())
                              .arg(counted(most, tr("1 word"), tr("%1 words")));
    if (!path.touchesShared) return {tr("lands in %1").arg(where)};
    return {where, m.cost.shared.crowded != 0 ? Tone::Trouble : Tone::Plain};
  }

  static AccessVerdict wavefronts(const Moment& m) {
    const auto& w = m.cost.shared;
    const Tone tone = m.cost.conflicted() ? Tone::Trouble : Tone::Good;
    if (m.cost.copy.wavefronts > 0 && m.width > 1 && m.cost.wavefronts() != w.count)
      return {tr("%1, for pairs of lines").arg(m.cost.wavefronts()), Tone::Plain};
    if (m.cost.wavefronts() > w.count)
      return {tr("%1 in shared memory, %2 with L1").arg(w.count).arg(m.cost.wavefronts()), tone};
    if (m.cost.conflicted())
      return {tr("%1, %2 of them by bank conflicts").arg(w.count).arg(w.conflicts()), tone,
              tr("%1, %2 by conflicts").arg(w.count).arg(w.conflicts())};
    return {tr("%1, no bank conflict").arg(w.count), tone};
  }
};

}  // namespace

QString accessTitle(const Scene& scene, const Moment& access) {
  const bool past = access.index != scene.moment.index;
  return (past ? Words::tr("latest access: ") : QString()) + describeMoment(access);
}

AccessVerdict accessVerdict(const Moment& access) {
  if (access.follower) {
    return {Words::tr(
        "this load was merged into an earlier one, whose access is shown: the hardware does not "
        "execute it again")};
  }
  if (emulator::isShared(access.instruction.kind)) {
    // No conflict, but more wavefronts than the banks alone would take.
    const bool more = access.width > 1 && access.cost.wavefronts() > access.cost.shared.count;
    return {Words::sharedMemory(access), access.cost.conflicted() ? Tone::Trouble
                                         : more                   ? Tone::Plain
                                                                  : Tone::Good};
  }
  return {Words::globalMemory(access), access.cost.scattered() ? Tone::Trouble : Tone::Good};
}

QString sectorsOfK(const analysis::Recording& recording, const Moment& access) {
  const auto& now = access.instruction;
  if (now.kind != emulator::Kind::GlobalLoad || now.dot == emulator::kNoDot) return {};
  const auto start = recording.find(access.warp, now.kTile, now.dot);
  if (!start) return {};
  QStringList parts;
  std::uint32_t sum = 0;
  for (std::uint32_t i = *start; i < recording.trace.length(access.warp); ++i) {
    const auto at = recording.trace.position(access.warp, i);
    const auto& other = recording.trace.at(access.warp, at.interval).instructions[at.instruction];
    if (other.kTile != now.kTile || other.dot != now.dot) break;
    if (other.kind != emulator::Kind::GlobalLoad) continue;
    const Moment m = recording.moment(access.warp, i);
    if (m.follower) continue;
    sum += m.cost.global.sectors;
    parts += Words::tr("%1 of %2").arg(m.cost.global.sectors).arg(QString::fromStdString(m.array));
  }
  if (parts.size() < 2) return {};
  return Words::tr("all loads of this k: %1 = %2 sectors").arg(parts.join(u" + ")).arg(sum);
}

QString stationName(Station station) {
  switch (station) {
    case Station::Sectors:
      return Words::tr("Global memory");
    case Station::SharedWords:
      return Words::tr("Shared memory, by bank");
    case Station::Wavefronts:
      return Words::tr("Wavefronts");
    case Station::Lanes:
      return Words::tr("Registers of the lanes");
  }
  return {};
}

AccessVerdict stationVerdict(const MemoryPath& path, Station station, const Moment& access) {
  switch (station) {
    case Station::Sectors:
      return Words::sectors(path, access);
    case Station::SharedWords:
      return Words::words(path, access);
    case Station::Wavefronts:
      return Words::wavefronts(access);
    case Station::Lanes:
      return Words::lanes(path, access);
  }
  return {};
}

QString pathNote(const MemoryPath& path) {
  if (path.stations.size() == 2) return Words::tr("straight to registers, without shared memory");
  if (path.touchesGlobal || !path.touchesShared) return {};
  return Words::tr(
      "dotted sectors: the source of the values, fetched by earlier accesses; the rest of each "
      "serves other loads");
}

}  // namespace tileloom
