// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_side.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/counts/partial_sums.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/residency.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/loom_legend.h"
#include "viz/loom/slab_picture.h"

namespace tileloom {
namespace {

using analysis::DataState;
using analysis::Matrix;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LoomSide)
};

QString percent(double share) {
  return figures::wholePercent(share) + QStringLiteral(" %");
}

// Draws downwards from the top of the side until there is no more room.
class SidePainter {
 public:
  SidePainter(QPainter& p, const QRectF& side, const Scene& scene,
              const analysis::Progress& progress, int slabs, const Theme& t, const Fonts& f)
      : p_(p),
        side_(side),
        scene_(scene),
        progress_(progress),
        slabs_(slabs),
        t_(t),
        f_(f),
        y_(side.top()) {}

  void paint() {
    p_.save();
    added();
    tiles();
    banks();
    legend();
    p_.restore();
  }

 private:
  double lineHeight(const QFont& font) const { return QFontMetricsF(font).height(); }
  bool room(double height) const { return y_ + height <= side_.bottom(); }

  void text(const QFont& font, const QColor& ink, const QString& words, double gap = 0) {
    const double height = lineHeight(font);
    if (!room(height)) return;
    p_.setFont(font);
    p_.setPen(ink);
    p_.drawText(QRectF(side_.left(), y_, side_.width(), height), Qt::AlignLeft | Qt::AlignVCenter,
                fitted(words, QFontMetricsF(font), side_.width()));
    y_ += height + gap;
  }

  // Rungs without shared memory have no K tiles: their parts of K have names instead.
  QString tileName(std::uint32_t tile) const {
    const auto& trace = scene_.recording->trace;
    if (trace.features().sharedTiles) return Words::tr("K tile %1").arg(tile + 1);
    return describePartOfK(tile, trace.stepK, static_cast<std::uint32_t>(trace.problem.k));
  }

  // How many products the sums hold, as their brightness says, and where in K that is.
  void added() {
    const auto& trace = scene_.recording->trace;
    const QLocale locale(QLocale::English);
    const std::uint32_t passed = scene_.productsPassedOver();
    const std::uint32_t least = progress_.fewestProducts() + passed;
    // wgmma adds them later, and the recording has no times.
    const bool askedFor = trace.features().warpgroupMma;
    text(f_.number, t_.text, locale.toString(least));
    text(f_.small, t_.soft,
         trace.problem.k == 1 ? Words::tr("of 1 product in each sum of C")
                              : (askedFor ? Words::tr("of %1 products issued in each sum of C")
                                          : Words::tr("of %1 products in each sum of C"))
                                    .arg(locale.toString(trace.problem.k)));
    if (const int parts = analysis::partsOfTile(
            *trace.rung(), trace.tile, trace.problem, trace.block,
            scene_.residency && scene_.residency->sms > 0 ? scene_.residency->sms : kUsualSms);
        parts > 1)
      text(f_.small, t_.soft, Words::tr("of the whole tile, which %1 blocks share").arg(parts));
    // Within one k some sums are ahead of others.
    if (const QString ahead = describeAhead(progress_); !ahead.isEmpty())
      text(f_.small, t_.soft, ahead);
    QString where;
    if (scene_.beforeTiles()) {
      where = Words::tr("prologue: nothing is multiplied yet");
    } else if (scene_.afterTiles()) {
      where = Words::tr("all products are added: C is stored");
    } else if (scene_.repeated > 0) {
      where = Words::tr("%1: repeats the last one recorded").arg(tileName(scene_.shownTile()));
    } else {
      where = (askedFor ? Words::tr("%1: %2 of its products issued")
                        : Words::tr("%1: %2 of its products added"))
                  .arg(tileName(scene_.shownTile()), percent(shareAdded(scene_, progress_)));
    }
    text(f_.small, t_.soft, where, lineHeight(f_.body));
  }

  // A bar for each current K tile, with the looks of its slabs.
  void tiles() {
    const Features& features = scene_.recording->trace.features();
    const double bar = std::max(6.0, 0.55 * lineHeight(f_.body));
    for (int ahead = 0; ahead < slabs_; ++ahead) {
      const TileShares s = tileShares(scene_, progress_, ahead);
      if (s.tile >= scene_.recording->trace.kTiles) break;
      const double height = lineHeight(f_.small) + bar + 0.6 * lineHeight(f_.small);
      if (!room(height)) return;
      text(f_.small, ahead == 0 ? t_.text : t_.soft,
           Words::tr("%1: %2").arg(tileName(s.tile), describeShares(s, ahead == 0, features)), 1);
      sharesBar(QRectF(side_.left(), y_, side_.width(), bar), s);
      y_ += bar + 0.6 * lineHeight(f_.small);
    }
    y_ += 0.4 * lineHeight(f_.body);
  }

  void swatch(const QRectF& rect, DataState state, Matrix matrix = Matrix::A) {
    if (rect.width() >= 0.5) paintLook(p_, rect, t_, matrix, state);
  }

  void sharesBar(const QRectF& rect, const TileShares& s) {
    double x = rect.left();
    p_.fillRect(rect, t_.well);
    const std::pair<double, DataState> parts[] = {{s.consumed, DataState::Consumed},
                                                  {s.inRegisters, DataState::InRegisters},
                                                  {s.inShared, DataState::InShared},
                                                  {s.inFlight, DataState::InFlight}};
    for (const auto& [share, state] : parts) {
      const double width = share * rect.width();
      swatch(QRectF(x, rect.top(), width, rect.height()), state);
      x += width;
    }
    p_.setPen(hairline(t_.line));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(rect);
  }

  // The latest access of the warp: 32 banks across, a strip for each wavefront.
  void banks() {
    if (!scene_.access || scene_.access->cost.wavefronts() == 0 || scene_.repeated > 0) return;
    const auto& access = *scene_.access;
    const auto& cost = access.cost;
    if (cost.shared.count == 0) return;
    constexpr std::uint32_t kMostStrips = 8;
    const std::uint32_t strips = std::min(cost.shared.count, kMostStrips);
    const double cell = side_.width() / 32.0, high = std::min(1.6 * cell, 14.0);
    const double height = 2.6 * lineHeight(f_.small) + strips * (high + 1);
    if (!room(height)) return;
    text(f_.small, t_.soft,
         access.instruction.kind == emulator::Kind::AsyncCopy
             ? Words::tr("banks that the latest copy to %1 writes")
                   .arg(QString::fromStdString(access.array))
         : emulator::isStore(access.instruction.kind)
             ? Words::tr("banks that the latest store to %1 writes")
                   .arg(QString::fromStdString(access.array))
             : Words::tr("banks that the latest load of %1 reads")
                   .arg(QString::fromStdString(access.array)),
         2);
    for (std::uint32_t strip = 0; strip < strips; ++strip) {
      for (int bank = 0; bank < 32; ++bank)
        p_.fillRect(QRectF(side_.left() + bank * cell, y_ + strip * (high + 1), cell - 1, high),
                    t_.well);
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (std::uint32_t word = 0; word < analysis::kMostWidth; ++word) {
        const std::uint8_t in = cost.shared.servedIn[lane * analysis::kMostWidth + word];
        if (in == 0xFF || in >= strips) continue;
        const std::uint32_t bank = (cost.addresses[lane] + word) % analysis::kBanks;
        p_.fillRect(QRectF(side_.left() + bank * cell, y_ + in * (high + 1), cell - 1, high),
                    t_.lane(access.warp, lane));
      }
    }
    y_ += strips * (high + 1) + 2;
    const std::uint32_t extra = cost.conflicts();
    // A copy may cost more where it reads; the strips above show where it writes.
    const bool inL1 = extra > 0 && cost.shared.conflicts() == 0;
    const QString fronts =
        counted(cost.wavefronts(), Words::tr("1 wavefront"), Words::tr("%1 wavefronts"));
    text(f_.small, extra > 0 ? t_.trouble : t_.good,
         extra == 0 ? Words::tr("%1, no bank conflict").arg(fronts)
         : inL1     ? Words::tr("%1, %2 of them by conflicts in L1").arg(fronts).arg(extra)
                    : Words::tr("%1, %2 of them by conflicts").arg(fronts).arg(extra));
    // Why the minimum can be several wavefronts.
    if (access.instruction.kind == emulator::Kind::MatrixLoad)
      text(f_.small, t_.soft, Words::tr("four 8 × 8 matrices, one after the other"));
    else if (access.width > 1 && cost.copy.wavefronts == 0)
      text(f_.small, t_.soft,
           (extra > 0 ? Words::tr("%1 bits per lane: at best %2 lanes per wavefront")
                      : Words::tr("%1 bits per lane: %2 lanes per wavefront"))
               .arg(32 * access.width)
               .arg(cost.shared.lanesAtOnce));
    y_ += lineHeight(f_.small);
  }

  void legend() {
    if (room(loomLegendHeight(f_))) paintLoomLegend(p_, side_, scene_, progress_, t_, f_);
  }

  QPainter& p_;
  const QRectF& side_;
  const Scene& scene_;
  const analysis::Progress& progress_;
  const int slabs_;
  const Theme& t_;
  const Fonts& f_;
  double y_;
};

}  // namespace

TileShares tileShares(const Scene& scene, const analysis::Progress& progress, int ahead) {
  const std::uint32_t tile = scene.kTile() + static_cast<std::uint32_t>(ahead);
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, progress.elementsOf(tile)));
  const auto beyond = [&](DataState state) {
    return static_cast<double>(progress.reached(tile, state)) / all;
  };
  const double asked = beyond(DataState::InFlight), there = beyond(DataState::InShared),
               held = beyond(DataState::InRegisters), consumed = beyond(DataState::Consumed);
  return {tile + scene.repeated, asked - there, there - held, held - consumed, consumed};
}

QString describeAhead(const analysis::Progress& progress) {
  const auto sums = progress.sums();
  const std::uint32_t least = progress.fewestProducts();
  const auto more = std::ranges::count_if(sums, [least](std::uint32_t n) { return n > least; });
  if (more == 0 || progress.ownedSums() == 0) return {};
  const QString share =
      percent(static_cast<double>(more) / static_cast<double>(progress.ownedSums()));
  const std::uint32_t most = std::ranges::max(sums);
  return most == least + 1
             ? Words::tr("%1 of the sums have one more already").arg(share)
             : Words::tr("%1 of the sums have up to %2 more").arg(share).arg(most - least);
}

QString describeShares(const TileShares& s, bool multiplied, const Features& features) {
  const double asked = s.inFlight + s.inShared + s.inRegisters + s.consumed;
  const double there = asked - s.inFlight;
  if (asked == 0) return Words::tr("not requested yet");
  if (s.consumed >= 1) return Words::tr("consumed");
  // Tensor cores multiply after the issue: the timeline says when.
  if (multiplied && s.consumed > 0)
    return features.warpgroupMma ? Words::tr("products issued") : Words::tr("being multiplied");
  if (multiplied && s.inRegisters > 0) return Words::tr("fragments being loaded");
  if (!features.sharedTiles) return Words::tr("being read");
  if (there >= 1) return Words::tr("waits in shared memory");
  if (asked < 1) return Words::tr("%1 requested").arg(percent(asked));
  return there > 0 ? Words::tr("in flight, %1 has arrived").arg(percent(there))
                   : Words::tr("in flight");
}

double shareAdded(const Scene& scene, const analysis::Progress& progress) {
  const auto& trace = scene.recording->trace;
  const auto sums = static_cast<double>(progress.ownedSums());
  const double before = double(scene.kTile()) * trace.stepK;
  // The last K tile has what is left of K.
  const double its = std::min<double>(trace.stepK, trace.problem.k - before);
  if (sums == 0 || its <= 0) return 0;
  return std::clamp((static_cast<double>(progress.products()) / sums - before) / its, 0.0, 1.0);
}

void paintLoomSide(QPainter& painter, const QRectF& side, const Scene& scene,
                   const analysis::Progress& progress, int slabs, const Theme& theme,
                   const Fonts& fonts) {
  SidePainter(painter, side, scene, progress, slabs, theme, fonts).paint();
}

}  // namespace tileloom
