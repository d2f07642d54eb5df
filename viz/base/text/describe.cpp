// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/describe.h"

#include "kernels/analysis/memory/shared_words.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/kind_text.h"
#include "viz/base/text/text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <bit>
#include <iterator>
#include <set>

namespace tileloom {
namespace {

using emulator::Kind;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Describe)
 public:
  // "shared load of As"
  static QString access(const analysis::Moment& m) {
    // A store of matrices is described as what it does to shared memory.
    const Kind kind = m.instruction.kind;
    return kindWords(kind == Kind::MatrixStore ? Kind::SharedStore : kind, m.array);
  }

  static QString shared(const analysis::Moment& m) {
    QString text = tr("%1-bit %2").arg(32 * m.width).arg(access(m));
    if (m.follower) {
      return text + tr(", part of the wide load that it was merged into");
    }
    if (m.merged > 1) text += tr(" (%1 scalar loads merged)").arg(m.merged);
    text += counted(m.cost.shared.count, tr(", 1 wavefront"), tr(", %1 wavefronts"));
    if (m.cost.shared.conflicts() == 0) return text + tr(", no bank conflict");
    return text + tr(", %1 of them by bank conflicts").arg(m.cost.shared.conflicts());
  }

  static QString copy(const analysis::Moment& m) {
    QString text =
        tr("%1-bit %2, %3")
            .arg(32 * m.width)
            .arg(access(m), counted(m.cost.global.sectors, tr("1 sector"), tr("%1 sectors")));
    text += counted(m.cost.copy.wavefronts, tr(", 1 wavefront"), tr(", %1 wavefronts"));
    if (m.cost.copy.conflicts == 0) return text + tr(", no bank conflict");
    text += tr(", %1 of them by bank conflicts").arg(m.cost.copy.conflicts);
    return m.cost.shared.conflicts() == 0 ? text + tr(" in L1") : text;
  }

  static QString global(const analysis::Moment& m) {
    const auto fetched = m.cost.global.fetchedBytes();
    return tr("%1-bit %2, %3, %4 of %5 bytes used")
        .arg(32 * m.width)
        .arg(access(m), counted(m.cost.global.sectors, tr("1 sector"), tr("%1 sectors")))
        .arg(m.cost.global.usefulBytes)
        .arg(fetched);
  }

  // "TMA load of B, 64 rows × 64 columns from B[64][128] to Bs, 8,192 bytes, 1,024 of them zeros …"
  static QString box(const analysis::Moment& m) {
    const emulator::BoxRecord& b = *m.box;
    const QString matrix =
        b.matrix == emulator::kArrayA ? QStringLiteral("A") : QStringLiteral("B");
    QString text = tr("TMA load of %3, %1 rows × %2 columns from %3[%4][%5] to %6, %7 bytes")
                       .arg(b.rows)
                       .arg(b.columns)
                       .arg(matrix)
                       .arg(b.y)
                       .arg(b.x)
                       .arg(QString::fromStdString(m.array))
                       .arg(figures::grouped(b.bytes));
    if (b.outside > 0) {
      text += tr(", %1 of them zeros from outside of %2")
                  .arg(figures::grouped(b.outsideBytes()))
                  .arg(matrix);
    }
    return text;
  }

  static QString storedBox(const analysis::Moment& m) {
    const emulator::BoxRecord& b = *m.box;
    QString text = tr("TMA store of C, %1 rows × %2 columns at C[%3][%4] from %5, %6 bytes")
                       .arg(b.rows)
                       .arg(b.columns)
                       .arg(b.y)
                       .arg(b.x)
                       .arg(QString::fromStdString(m.array))
                       .arg(figures::grouped(b.bytes));
    if (b.outside > 0) {
      text += tr(", %1 of them not stored, outside of C").arg(figures::grouped(b.outsideBytes()));
    }
    return text;
  }

  static QString moment(const analysis::Moment& m) {
    switch (m.instruction.kind) {
      case Kind::SharedLoad:
      case Kind::SharedStore:
      case Kind::MatrixLoad:
      case Kind::MatrixStore:
        return shared(m);
      case Kind::GlobalLoad:
      case Kind::GlobalStore:
        return global(m);
      case Kind::Fma:
        return counted(std::popcount(m.instruction.mask),
                       tr("multiply-add in 1 lane, registers only"),
                       tr("multiply-add in %1 lanes, registers only"));
      case Kind::Mma:
        return tr("mma.sync, %1 × %2 by %2 × %3, registers only")
            .arg(m.instruction.mma().rows)
            .arg(m.instruction.mma().depth)
            .arg(m.instruction.mma().columns);
      case Kind::AsyncCopy:
        return copy(m);
      case Kind::CopyWait:
        return m.instruction.width == 0
                   ? tr("waits for all cp.async of its threads")
                   : oneClause(counted(m.instruction.width,
                                       tr("waits until at most 1 cp.async group is in flight"),
                                       tr("waits until at most %1 cp.async groups are in flight")));
      case Kind::BoxLoad:
        return m.box ? box(m) : tr("TMA load");
      case Kind::Product:
        return tr("wgmma, %1 × %2 by %2 × %3, both operands from shared memory")
            .arg(m.instruction.mma().rows)
            .arg(m.instruction.mma().depth)
            .arg(m.instruction.mma().columns * m.instruction.width);
      case Kind::WaitProducts:
        return m.instruction.width == 0
                   ? tr("waits for all wgmma of its warpgroup")
                   : oneClause(counted(m.instruction.width,
                                       tr("waits until at most 1 wgmma group is in flight"),
                                       tr("waits until at most %1 wgmma groups are in flight")));
      case Kind::BoxStore:
        return m.box ? storedBox(m) : tr("TMA store");
      case Kind::WaitBoxes:
        return m.instruction.width == 0
                   ? tr("waits until all TMA stores of its thread have read their data")
                   : oneClause(counted(
                         m.instruction.width,
                         tr("waits until at most 1 group of TMA stores has not read its data"),
                         tr("waits until at most %1 groups of TMA stores have not read their "
                            "data")));
      default:
        return kindSentence(m.instruction.kind);
    }
  }

  // The k that playback has reached while it skips parts of K.
  static std::uint32_t passedOver(const Scene& scene) {
    const auto& trace = scene.recording->trace;
    return std::min((scene.shownTile() + 1) * trace.stepK,
                    static_cast<std::uint32_t>(trace.problem.k));
  }

  static QString shortPosition(const Scene& scene) {
    const auto& trace = scene.recording->trace;
    const auto& i = scene.moment.instruction;
    if (i.kTile == emulator::kNoTile) return scene.beforeTiles() ? tr("prologue") : tr("epilogue");
    if (trace.features().sharedTiles) return tr("K tile %1").arg(scene.shownTile() + 1);
    return tr("k = %1").arg(scene.repeated > 0 ? passedOver(scene) : i.kTile * trace.stepK + i.dot);
  }

  static QString position(const Scene& scene) {
    const auto& trace = scene.recording->trace;
    const auto& i = scene.moment.instruction;
    if (i.kTile == emulator::kNoTile) {
      if (scene.beforeTiles()) {
        return tr("prologue · before K tile 1 of %1").arg(trace.kTiles) + other(scene, true);
      }
      if (trace.kTilesTraced < trace.kTiles) {
        return tr("epilogue · after the last of %1 K tiles, %2 traced")
            .arg(trace.kTiles)
            .arg(trace.kTilesTraced);
      }
      return tr("epilogue");
    }
    if (scene.repeated > 0) {
      return trace.features().sharedTiles
                 ? tr("K tile %1 of %2 · skipped").arg(scene.shownTile() + 1).arg(trace.kTiles)
                 : tr("k = %1 of %2 · skipped").arg(passedOver(scene)).arg(trace.problem.k);
    }
    if (!trace.features().sharedTiles) {
      return tr("k = %1 of %2").arg(i.kTile * trace.stepK + i.dot).arg(trace.problem.k);
    }
    QString text = tr("K tile %1 of %2").arg(i.kTile + 1).arg(trace.kTiles);
    if (i.dot != emulator::kNoDot) {
      const MmaRow* mma = trace.mma();
      text += mma != nullptr ? tr(" · k = %1–%2")
                                   .arg(i.kTile * trace.stepK + i.dot)
                                   .arg(i.kTile * trace.stepK + i.dot + mma->depth - 1)
                             : tr(" · k = %1").arg(i.dot);
    }
    return text + other(scene, scene.touchedTile() != scene.kTile());
  }

  static QString step(const Scene& scene) {
    const auto& trace = scene.recording->trace;
    const auto& i = scene.moment.instruction;
    QString at = shortPosition(scene);
    const bool dot = i.dot != emulator::kNoDot && trace.features().sharedTiles;
    if (dot && scene.repeated == 0) at += tr(" · k = %1").arg(i.dot);
    if (emulator::isMemory(i.kind)) return tr("%1: %2").arg(at, access(scene.moment));
    // The beginning of the sentence names the step.
    const QString whole = moment(scene.moment);
    const auto end = whole.indexOf(QRegularExpression(QStringLiteral("[:,] | for \\d")));
    return tr("%1: %2").arg(at, end > 0 ? whole.left(end) : whole);
  }

  // The K tile of an access, if it is not the one being multiplied: it is in flight to shared
  // memory, or read from there.
  static QString other(const Scene& scene, bool another) {
    const Kind kind = scene.moment.instruction.kind;
    if (!another || !emulator::isMemory(kind)) return {};
    return (kind == Kind::SharedLoad || kind == Kind::MatrixLoad ? tr(" · reading K tile %1")
                                                                 : tr(" · fetching K tile %1"))
        .arg(scene.touchedTile() + 1);
  }

  static QString thread(const Scene& scene) {
    const std::uint32_t thread = scene.shownThread();
    const auto& subtiles = scene.recording->map.subtiles[thread];
    if (subtiles.empty()) return tr("thread %1 owns no element of C").arg(thread);
    if (scene.recording->trace.features().warpMma) {
      const analysis::Region& warp = scene.recording->map.warps[thread / 32];
      const MmaRow& mma = *scene.recording->trace.mma();
      return tr("warp %1 owns %2 × %3 elements of C: %4 × %5 tiles of %6 × %7, %8 accumulators per "
                "lane in each")
          .arg(thread / 32)
          .arg(warp.rows)
          .arg(warp.columns)
          .arg(warp.rows / mma.rows)
          .arg(warp.columns / mma.columns)
          .arg(mma.rows)
          .arg(mma.columns)
          .arg(mma.laneC());
    }
    if (scene.recording->trace.features().warpgroupMma) {
      const analysis::Region& warp = scene.recording->map.warps[thread / 32];
      return tr("warp %1 of warpgroup %2 owns 16 of every 64 rows of C of its warpgroup, %3 "
                "columns wide; a lane has %4 accumulators for every 16 rows")
          .arg(thread / 32)
          .arg(thread / 32 / emulator::kWarpsPerGroup)
          .arg(warp.columns)
          .arg(warp.columns / 2);
    }
    QString text = tr("lane %1 of warp %2").arg(thread % 32).arg(thread / 32);
    const auto& first = subtiles.front();
    const QString size = QStringLiteral("%1 × %2").arg(first.rows).arg(first.columns);
    if (subtiles.size() == 1) {
      return first.rows * first.columns == 1 ? text + tr(" owns one element of C")
                                             : text + tr(" owns %1 elements of C").arg(size);
    }
    std::set<std::int64_t> rows, columns;
    for (const analysis::Region& subtile : subtiles) {
      rows.insert(subtile.row);
      columns.insert(subtile.column);
    }
    const auto step = [](const std::set<std::int64_t>& at) {
      return static_cast<qlonglong>(*std::next(at.begin()) - *at.begin());
    };
    if (rows.size() > 1 && columns.size() > 1) {
      return text + tr(" owns %1 × %2 subtiles of %3, %4 rows and %5 columns apart")
                        .arg(rows.size())
                        .arg(columns.size())
                        .arg(size)
                        .arg(step(rows))
                        .arg(step(columns));
    }
    text += tr(" owns %2 subtiles of %1").arg(size).arg(subtiles.size());
    return text + (rows.size() > 1 ? tr(", %1 rows apart").arg(step(rows))
                                   : tr(", %1 columns apart").arg(step(columns)));
  }

  static QString selection(const Scene& scene) {
    QStringList parts;
    const Selection& s = scene.selection;
    if (s.thread) {
      parts +=
          tr("thread %1 = warp %2, lane %3").arg(*s.thread).arg(*s.thread / 32).arg(*s.thread % 32);
    }
    if (s.element) parts += describeElement(*s.element);
    if (s.word) {
      const auto& array = scene.recording->trace.arrays[s.word->array];
      parts += tr("%1[%2] in bank %3")
                   .arg(QString::fromStdString(array.name))
                   .arg(s.word->index)
                   .arg(analysis::wordOfElement(array, s.word->index) % analysis::kBanks);
    }
    return parts.join(QStringLiteral(" · "));
  }
};

}  // namespace

QString describePartOfK(std::uint32_t part, std::uint32_t step, std::uint32_t k) {
  const std::uint32_t first = part * step;
  const std::uint32_t end = k > 0 ? std::min(first + step, std::max(k, first + 1)) : first + step;
  return end == first + 1 ? Words::tr("k = %1").arg(first)
                          : Words::tr("k = %1 to %2").arg(first).arg(end - 1);
}

QString describeMoment(const analysis::Moment& moment) {
  return Words::tr("warp %1, line %2: %3")
      .arg(moment.warp)
      .arg(moment.instruction.line)
      .arg(Words::moment(moment));
}

QString describePosition(const Scene& scene) {
  return Words::position(scene);
}
QString describePositionShortly(const Scene& scene) {
  return Words::shortPosition(scene);
}
QString describeAccess(const analysis::Moment& access) {
  return Words::access(access);
}
QString describeStep(const Scene& scene) {
  return scene.ready() ? Words::step(scene) : QString();
}
QString describeThread(const Scene& scene) {
  return Words::thread(scene);
}

QString describeElement(const analysis::Element& element) {
  const QChar name = u"ABC"[static_cast<int>(element.matrix)];
  return QStringLiteral("%1[%2][%3]").arg(name).arg(element.row).arg(element.column);
}

QString openingParagraph(const Stage& stage) {
  const auto source = sourceText(stage);
  QStringList lines;
  for (const QString& line : toQString(source).split(u'\n')) {
    if (!line.startsWith(QLatin1String("//"))) break;
    if (!line.contains(QLatin1String("SPDX"))) lines += line.mid(2).trimmed();
  }
  QString paragraph = lines.join(u' ');
  // "Rung 6: vectorized. Two changes …": the window shows the title elsewhere.
  const auto title = paragraph.indexOf(QLatin1String(". "));
  return paragraph.startsWith(QLatin1String("Rung")) && title > 0 ? paragraph.mid(title + 2)
                                                                  : paragraph;
}

QString describeSelection(const Scene& scene) {
  return scene.ready() ? Words::selection(scene) : QString();
}

}  // namespace tileloom
