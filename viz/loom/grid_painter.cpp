// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/grid_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/block_walk.h"
#include "viz/loom/block_waves.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using analysis::Region;

constexpr std::int64_t kMostWaves = 300;  // more would be thinner than a pixel each

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Grid)
};

Extent gridOf(const Scene& scene) {
  const auto& t = scene.recording->trace;
  return launchOf(*t.rung(), t.tile, t.problem).grid;
}

QString percent(double share) {
  const double p = 100 * share;
  return p >= 10 || p == 0 ? figures::wholePercent(share) : figures::percentText(p);
}

// Calls visit(wave, its rectangles in pixels, is it the shown block's).
template <typename Visit>
void eachWave(const LoomGeometry& g, const Scene& scene, Visit visit) {
  const auto& trace = scene.recording->trace;
  Waves waves = wavesOf(scene);
  // One block per SM, whatever its registers.
  if (const BlockWalk walk = walkOf(scene); walk.blocks > 0) waves.atOnce = walk.blocks;
  if (waves.atOnce <= 0 || waves.count() > kMostWaves) return;
  const Extent grid = gridOf(scene);
  const auto [rows, columns] = blocksOver(*trace.rung(), grid);
  // Rows of tiles that blocks go down; the blocks of a cluster are one below the other.
  const int group = trace.rung()->has(Parameter::GROUP)
                        ? trace.tile[Parameter::GROUP] * clusterOf(*trace.rung(), trace.tile)
                        : 1;
  const double w = g.c().width() / columns, h = g.c().height() / rows;
  const std::int64_t here = waveOf(grid, trace.block, waves.atOnce);
  for (std::int64_t wave = 0; wave < waves.count(); ++wave) {
    std::vector<QRectF> parts;
    for (const Region& part :
         waveRegions(grid, trace.rung()->rowsAlongX, group, waves.atOnce, wave)) {
      parts.emplace_back(g.c().left() + static_cast<double>(part.column) * w,
                         g.c().top() + static_cast<double>(part.row) * h,
                         static_cast<double>(part.columns) * w, static_cast<double>(part.rows) * h);
    }
    visit(wave, parts, wave == here);
  }
}

void paintPadding(QPainter& p, const LoomGeometry& g, const Scene& scene, const Theme& t,
                  double alpha) {
  const auto& trace = scene.recording->trace;
  const Region inside{0, 0, trace.asked.m, trace.asked.n};
  const QRectF asked = g.ofC(inside), all = g.c();
  const QColor ink = Theme::faded(t.trouble, 0.8 * alpha);
  const QRectF right(QPointF(asked.right(), all.top()), all.bottomRight());
  const QRectF below(QPointF(all.left(), asked.bottom()), QPointF(asked.right(), all.bottom()));
  for (const QRectF& r : {right, below}) {
    if (r.width() > 0.5 && r.height() > 0.5) figures::drawHatch(p, r, ink);
  }
}

}  // namespace

Waves wavesOf(const Scene& scene) {
  const Extent grid = gridOf(scene);
  return {std::int64_t{grid.x} * grid.y, scene.residency ? scene.residency->blocks() : 0};
}

void paintGrid(QPainter& p, const LoomGeometry& g, const Scene& scene, const Theme& t) {
  const double alpha = 1.0 - g.detail();
  if (alpha <= 0.01) return;
  eachWave(g, scene, [&](std::int64_t wave, const std::vector<QRectF>& parts, bool here) {
    // Neighbours differ in lightness; the wave of the shown block is emphasised.
    const double share = here ? 0.62 : wave % 2 == 0 ? 0.80 : 0.90;
    const QColor fill = Theme::faded(Theme::mix(t.matrix(Matrix::C), t.ground, share), alpha);
    for (const QRectF& r : parts) p.fillRect(r, fill);
  });
  paintPadding(p, g, scene, t, alpha);
}

void paintWalk(QPainter& p, const LoomGeometry& g, const Scene& scene, const Theme& t,
               const Fonts& f) {
  const double alpha = 1.0 - g.detail();
  if (alpha <= 0.3) return;
  const BlockWalk walk = walkOf(scene);
  if (walk.places.empty()) return;
  const auto [rows, columns] = blocksOver(*scene.recording->trace.rung(), gridOf(scene));
  const QSizeF size(g.c().width() / columns, g.c().height() / rows);
  const auto tileOf = [&](const BlockPlace& at) {
    return QRectF(g.c().topLeft() + QPointF(at.column * size.width(), at.row * size.height()),
                  size);
  };
  const QColor ink = Theme::faded(t.accent, alpha);
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  QPolygonF way;
  for (const BlockPlace& at : walk.places) way << tileOf(at).center();
  p.setPen(QPen(Theme::faded(t.accent, 0.7 * alpha), 1.4));
  p.setBrush(Qt::NoBrush);
  p.drawPolyline(way);
  p.setFont(f.small);
  const QFontMetricsF metrics(f.small);
  for (std::size_t i = 0; i < walk.places.size(); ++i) {
    const QRectF tile = tileOf(walk.places[i]);
    const bool here = static_cast<int>(i) == walk.here;
    p.setPen(QPen(ink, here ? 2.4 : 1.4));
    p.setBrush(Theme::faded(t.accent, (here ? 0.55 : 0.28) * alpha));
    p.drawRect(tile);
  }
  // Above all tiles, which may be smaller than the numbers.
  std::vector<QRectF> tags;
  for (std::size_t i = 0; i < walk.places.size(); ++i) {
    const QRectF tile = tileOf(walk.places[i]);
    const QString number = QString::number(i + 1);
    const QRectF tag(
        tile.center() - QPointF(metrics.horizontalAdvance(number) / 2 + 2, metrics.height() / 2),
        QSizeF(metrics.horizontalAdvance(number) + 4, metrics.height()));
    // Numbers may cover neighbouring tiles, but not the next number.
    if (tag.height() > 2.2 * tile.height() || tag.width() > 2.2 * tile.width()) continue;
    // The shown block is painted over it.
    if (tag.intersects(g.block())) continue;
    if (std::ranges::any_of(tags, [&](const QRectF& other) { return other.intersects(tag); }))
      continue;
    tags.push_back(tag);
    p.fillRect(tag, Theme::faded(t.ground, 0.8 * alpha));
    p.setPen(Theme::faded(t.text, alpha));
    p.drawText(tag, Qt::AlignCenter, number);
  }
  p.restore();
}

void nameWaves(QPainter& p, const LoomGeometry& g, const Scene& scene, const Theme& t,
               const Fonts& f) {
  const double alpha = 1.0 - g.detail();
  if (alpha <= 0.3) return;
  p.setFont(f.small);
  const QFontMetricsF metrics(f.small);
  eachWave(g, scene, [&](std::int64_t wave, const std::vector<QRectF>& parts, bool here) {
    QRectF largest;
    for (const QRectF& r : parts) {
      if (r.width() * r.height() > largest.width() * largest.height()) largest = r;
    }
    const QString name = (scene.recording->trace.features().persistent ? Words::tr("round %1")
                                                                       : Words::tr("wave %1"))
                             .arg(wave + 1);
    const QSizeF need(metrics.horizontalAdvance(name) + 8, metrics.height() + 1);
    if (largest.height() < need.height() || largest.width() < need.width()) return;
    const QRectF tag(largest.center() - QPointF(need.width() / 2, need.height() / 2), need);
    p.fillRect(tag, Theme::faded(t.ground, 0.75 * alpha));
    p.setPen(Theme::faded(here ? t.text : t.soft, alpha));
    p.drawText(tag, Qt::AlignCenter, name);
  });
}

namespace {

// Where tiles of the last wave are split along K; else empty.
QString describeCut(const Scene& scene, const Waves& waves) {
  const auto& trace = scene.recording->trace;
  if (!looksUpParts(*trace.rung(), trace.tile)) return {};
  const int sms = waves.atOnce > 0 ? scene.residency->sms : kUsualSms;
  const LastWave wave = lastWaveOf(*trace.rung(), trace.tile, trace.problem, sms);
  if (wave.flags == 0) return {};
  if (waves.atOnce <= 0)
    return oneClause(Words::tr("%1 on %2 SMs: %3 whole, and %4 split along K into %5 parts")
                         .arg(counted(waves.blocks, Words::tr("1 tile"), Words::tr("%1 tiles")))
                         .arg(sms)
                         .arg(waves.blocks - wave.flags)
                         .arg(wave.flags)
                         .arg(wave.places));
  return oneClause(
      Words::tr("%1 for %2 slots (%3 SMs × %4): %5 whole, and %6 split along K into %7 parts")
          .arg(counted(waves.blocks, Words::tr("1 tile"), Words::tr("%1 tiles")))
          .arg(waves.atOnce)
          .arg(scene.residency->sms)
          .arg(scene.residency->blocksPerSm)
          .arg(waves.blocks - wave.flags)
          .arg(wave.flags)
          .arg(wave.places));
}

QString describePadding(const emulator::Trace& trace) {
  if (trace.problem == trace.asked) return {};
  return Words::tr(" · %1 % of the work is padding (hatched)")
      .arg(percent(paddingShare(trace.problem, trace.asked)));
}

}  // namespace

QString describeGrid(const Scene& scene) {
  const auto& trace = scene.recording->trace;
  const Waves waves = wavesOf(scene);
  if (const BlockWalk walk = walkOf(scene); !walk.places.empty()) {
    QString line = describeWalk(walk);
    if (walk.places.size() == 1) {
      line += (walk.parts == 0 ? Words::tr(" · block %1 computes only this tile")
                               : Words::tr(" · block %1 has a part of this tile"))
                  .arg(walk.block.x);
    } else {
      line += Words::tr(" · block %1 computes the tiles 1 to %2")
                  .arg(walk.block.x)
                  .arg(walk.places.size());
      // Whole tiles come before split ones.
      if (walk.parts == static_cast<int>(walk.places.size())) {
        line += Words::tr(", a part of each");
      } else if (walk.parts > 0) {
        line += counted(walk.parts, Words::tr(", a part of the last"),
                        Words::tr(", a part of the last %1"));
      }
      if (walk.here >= 0) line += Words::tr("; tile %1 is shown").arg(walk.here + 1);
    }
    return line + describePadding(trace);
  }
  QString line = counted(waves.blocks, Words::tr("1 block"), Words::tr("%1 blocks"));
  if (waves.atOnce > 0) {
    line = Words::tr("%1 in %2 of %3 (%4 SMs × %5), %6 % of their slots taken")
               .arg(line, counted(waves.count(), Words::tr("1 wave"), Words::tr("%1 waves")))
               .arg(waves.atOnce)
               .arg(scene.residency->sms)
               .arg(scene.residency->blocksPerSm)
               .arg(percent(waves.fill()));
  }
  if (const QString cut = describeCut(scene, waves); !cut.isEmpty()) line = cut;
  return line + describePadding(trace);
}

}  // namespace tileloom
