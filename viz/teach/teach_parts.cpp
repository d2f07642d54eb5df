// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/teach/teach_parts.h"

#include <QCoreApplication>
#include <algorithm>

#include "viz/base/paint/paint_cells.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom::teach {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Teach)
};

}  // namespace

void paintLine(QPainter& p, const QRectF& box, int flags, const QString& text, const QFont& font,
               const QColor& ink) {
  p.setFont(font);
  p.setPen(ink);
  const QString shown = fitted(text, QFontMetricsF(font), box.width());
  // A box of one font's height would clip the commas of a larger one.
  p.drawText(box, flags | Qt::TextSingleLine | Qt::TextDontClip, shown);
}

QRectF paintHead(QPainter& p, const QRectF& canvas, const QString& title, const QString& line,
                 const Theme& theme, const Fonts& fonts) {
  const QRectF inner = canvas.adjusted(16, 10, -16, -10);
  const double high = QFontMetricsF(fonts.title).height();
  paintLine(p, QRectF(inner.topLeft(), QSizeF(inner.width(), high)), Qt::AlignLeft, title,
            fonts.title, theme.text);
  p.setFont(fonts.small);
  p.setPen(theme.soft);
  const QRectF room(inner.left(), inner.top() + high + 2, inner.width(), inner.height());
  QRectF used;
  drawWrapped(p, room, Qt::AlignLeft, line, &used);
  return inner.adjusted(0, used.bottom() - inner.top() + 10, 0, 0);
}

void paintBar(QPainter& p, const QRectF& box, double share, const QString& words, const QColor& ink,
              const Theme& theme, const Fonts& fonts) {
  const double text = QFontMetricsF(fonts.small).height();
  paintLine(p, QRectF(box.topLeft(), QSizeF(box.width(), text)), Qt::AlignLeft, words, fonts.small,
            theme.text);
  const QRectF bar(box.left(), box.top() + text + 2, box.width(),
                   std::max(4.0, box.height() - text - 2));
  p.fillRect(bar, theme.well);
  QRectF filled = bar;
  filled.setWidth(bar.width() * std::clamp(share, 0.0, 1.0));
  p.fillRect(filled, ink);
  p.setPen(hairline(theme.line));
  p.setBrush(Qt::NoBrush);
  p.drawRect(bar);
}

QRectF paintOwned(QPainter& p, const QRectF& box, const TeachData& data,
                  std::optional<std::uint32_t> warp, std::optional<std::uint32_t> thread,
                  const Theme& theme) {
  const analysis::BlockMap& map = data.recording->map;
  const int rows = static_cast<int>(map.c.rows), columns = static_cast<int>(map.c.columns);
  if (rows <= 0 || columns <= 0) return {};
  const double cell = std::min(box.width() / columns, box.height() / rows);
  QRectF place(0, 0, columns * cell, rows * cell);
  place.moveCenter(box.center());
  paintCells(p, place, columns, rows, [&](int c, int r) {
    const std::uint16_t owner =
        map.owner[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(c)];
    if (owner == analysis::BlockMap::kNobody) return theme.well.rgb();
    const std::uint32_t its = owner / emulator::kWarpSize;
    if ((!warp || its == *warp) && (!thread || owner == *thread)) return theme.warp(its).rgb();
    const bool sameWarp = thread && warp && its == *warp;
    return (sameWarp ? Theme::mix(theme.well, theme.warp(its), 0.35) : theme.well).rgb();
  });
  p.setPen(hairline(theme.line));
  p.setBrush(Qt::NoBrush);
  p.drawRect(place);
  return place;
}

QString ownedText(const TeachData& data, std::uint32_t warp) {
  const analysis::BlockMap& map = data.recording->map;
  if (warp >= map.warps.size() || map.warps[warp].empty()) return Words::tr("no element of C");
  const analysis::Region& box = map.warps[warp];
  return map.warpSolid[warp]
             ? Words::tr("%1 × %2 of C, in one piece").arg(box.rows).arg(box.columns)
             : Words::tr("parts of %1 × %2 of C").arg(box.rows).arg(box.columns);
}

void paintNothing(QPainter& p, const QRectF& canvas, const QString& why, const Theme& theme,
                  const Fonts& fonts) {
  p.setFont(fonts.body);
  p.setPen(theme.soft);
  drawWrapped(p, canvas.adjusted(20, 20, -20, -20), Qt::AlignCenter, why);
}

}  // namespace tileloom::teach
