// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the explaining pictures: a heading, bars of resource use, and small maps of the owners
// of elements.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>
#include <optional>

#include "viz/base/theme.h"
#include "viz/teach/teach_data.h"

namespace tileloom::teach {

// The title and below it one line of explanation; returns what is left below both.
QRectF paintHead(QPainter& p, const QRectF& canvas, const QString& title, const QString& line,
                 const Theme& theme, const Fonts& fonts);

// One line of text, elided where there is no room.
void paintLine(QPainter& p, const QRectF& box, int flags, const QString& text, const QFont& font,
               const QColor& ink);

// A share, 0 to 1, as a bar after its words.
void paintBar(QPainter& p, const QRectF& box, double share, const QString& words, const QColor& ink,
              const Theme& theme, const Fonts& fonts);

// The block tile with the elements of one warp (or of one thread, where given) in its colour.
// Square elements, as large as fit into the middle of the box; returns the place of the tile.
QRectF paintOwned(QPainter& p, const QRectF& box, const TeachData& data,
                  std::optional<std::uint32_t> warp, std::optional<std::uint32_t> thread,
                  const Theme& theme);

// "rows 0-63, columns 0-63" of a warp that owns a whole rectangle, else the spread of its elements.
QString ownedText(const TeachData& data, std::uint32_t warp);

// The sentence in the middle of an empty picture.
void paintNothing(QPainter& p, const QRectF& canvas, const QString& why, const Theme& theme,
                  const Fonts& fonts);

}  // namespace tileloom::teach
