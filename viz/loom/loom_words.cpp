// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_words.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/loom/grid_painter.h"
#include "viz/loom/loom_boxes.h"
#include "viz/loom/panels/group_panel.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loom)
};

// What the highlighted cells in C mean.
QString key(const Scene& scene, LoomLevel level) {
  using emulator::Kind;
  const auto& i = scene.moment.instruction;
  if (level == LoomLevel::Thread) return {};
  if (emulator::isMultiplyAdd(i.kind))
    return scene.afterTiles() ? QString()
                              : Words::tr("highlighted cells: sums that warp %1 updates now")
                                    .arg(scene.moment.warp);
  if (i.kind == Kind::GlobalStore) return Words::tr("highlighted cells: stored now");
  return {};
}

void paintTrail(QPainter& p, const LoomFrame& frame, const Scene& scene, LoomLevel level,
                const Theme& t, const Fonts& f) {
  const QRectF room = trailRoom(frame, scene, level, f);
  const auto trail = loomTrail(scene, room, level, f);
  const double gap = QFontMetricsF(f.body).horizontalAdvance(QStringLiteral(" › "));
  for (std::size_t i = 0; i < trail.size(); ++i) {
    const Crumb& c = trail[i];
    QFont font = f.body;
    if (c.level == level) font.setWeight(QFont::Bold);
    p.setFont(font);
    p.setPen(c.level == level ? t.text : t.soft);
    p.drawText(c.rect, Qt::AlignLeft | Qt::AlignVCenter, c.text);
    if (i == 0) continue;
    p.setFont(f.body);
    p.setPen(t.faint);
    p.drawText(QRectF(c.rect.left() - gap, c.rect.top(), gap, c.rect.height()), Qt::AlignCenter,
               QStringLiteral("›"));
  }
  // What the level shows, if all of it fits.
  const QString where = describeLevel(scene, level);
  const QRectF rest(trail.back().rect.right() + 14, room.top(),
                    room.right() - trail.back().rect.right() - 14, room.height());
  p.setFont(f.small);
  p.setPen(t.soft);
  if (QFontMetricsF(f.small).horizontalAdvance(where) <= rest.width())
    p.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, where);
}

}  // namespace

namespace {

constexpr double kPlaceGap = 12;  // pixels between the breadcrumb and the instant

// The words of the instant. Their end changes most, and the breadcrumb keeps a third of the line or
// what its last part needs.
QString positionText(const LoomFrame& frame, const Scene& scene, LoomLevel level,
                     const Fonts& fonts) {
  const double whole = frame.header.width();
  const double crumb = loomTrail(scene, QRectF(), level, fonts).front().rect.width();
  const QFontMetricsF metrics(fonts.mono);
  const double room = std::min(whole * 2 / 3, whole - crumb - kPlaceGap);
  const QString all = fitted(describePosition(scene), metrics, room);
  // "K tile…" says nothing.
  return all.endsWith(u'…') ? fitted(describePositionShortly(scene), metrics, room) : all;
}

QString groupCaption(const Scene& scene, const analysis::GroupProduct& product) {
  const std::uint32_t thread = brightThread(scene, product);
  const QString bright =
      Words::tr("bright: the sums of lane %1 of warp %2, and that warp's rows of A")
          .arg(thread % emulator::kWarpSize)
          .arg(thread / emulator::kWarpSize);
  if (product.stages == 1)
    return Words::tr("%1 · A and B are in shared memory, not in registers").arg(bright);
  return Words::tr("%1 · A and B are in stage %2 of shared memory, not in registers")
      .arg(bright)
      .arg(product.originA.stage);
}

}  // namespace

QRectF trailRoom(const LoomFrame& frame, const Scene& scene, LoomLevel level, const Fonts& fonts) {
  const double right =
      QFontMetricsF(fonts.mono).horizontalAdvance(positionText(frame, scene, level, fonts)) +
      kPlaceGap;
  return frame.header.adjusted(0, 0, -right, 0);
}

void paintLoomWords(QPainter& p, const LoomFrame& frame, const Scene& scene,
                    const LoomContents& contents, LoomLevel level, const Theme& t, const Fonts& f) {
  paintTrail(p, frame, scene, level, t, f);
  p.setFont(f.mono);
  p.setPen(t.soft);
  p.drawText(frame.header, Qt::AlignRight | Qt::AlignVCenter, positionText(frame, scene, level, f));
  p.setPen(scene.stale ? t.trouble : t.soft);
  // What happens now comes before what is always true.
  const QString now = key(scene, level);
  const QString box = describeLoomBox(scene);
  const QString caption =
      scene.stale ? Words::tr("the last legal tile is shown; the tile parameters are illegal")
      : level == LoomLevel::Grid ? describeGrid(scene)
      : level == LoomLevel::Thread && contents.groupProduct
          ? groupCaption(scene, *contents.groupProduct)
      : level == LoomLevel::Thread && contents.warpProduct
          ? Words::tr("bright: what lane %1 holds; a click on a cell shows its lane")
                .arg(scene.shownThread() % emulator::kWarpSize)
      : box.isEmpty() ? contents.operands + (now.isEmpty() ? describeThread(scene) : now)
                      : box;
  // Smaller text before shorter text, and shorter by whole clauses.
  const double room = frame.caption.width();
  const bool fits = QFontMetricsF(f.body).horizontalAdvance(caption) <= room;
  const QFont font = fits ? f.body : f.small;
  const QFontMetricsF metrics(font);
  p.setFont(font);
  p.drawText(frame.caption, Qt::AlignHCenter | Qt::AlignVCenter, fitted(caption, metrics, room));
}

}  // namespace tileloom
