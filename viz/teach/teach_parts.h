// SPDX-License-Identifier: GPL-3.0-or-later
// What the explaining pictures are made of: a heading, bars of what is used, and small maps of who
// owns which elements.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>
#include <optional>

#include "viz/base/theme.h"
#include "viz/teach/teach_data.h"

namespace tileloom::teach {

// The title and below it one line of explanation; what is left below both.
QRectF paintHead(QPainter& p, const QRectF& canvas, const QString& title, const QString& line,
                 const Theme& theme, const Fonts& fonts);

// One line of text, elided where there is no room.
void paintLine(QPainter& p, const QRectF& box, int flags, const QString& text, const QFont& font,
               const QColor& ink);

// A share, 0 to 1, as a bar with words in front.
void paintBar(QPainter& p, const QRectF& box, double share, const QString& words, const QColor& ink,
              const Theme& theme, const Fonts& fonts);

// The block tile with the elements of one warp (or of one thread, where given) in its colour.
// Square elements, as large as they fit into the middle of the box; gives where it stands.
QRectF paintOwned(QPainter& p, const QRectF& box, const TeachData& data,
                  std::optional<std::uint32_t> warp, std::optional<std::uint32_t> thread,
                  const Theme& theme);

// "rows 0-63, columns 0-63" of a warp where it owns a whole rectangle, else how far it is spread.
QString ownedText(const TeachData& data, std::uint32_t warp);

// The sentence in the middle of a picture that has nothing to show.
void paintNothing(QPainter& p, const QRectF& canvas, const QString& why, const Theme& theme,
                  const Fonts& fonts);

}  // namespace tileloom::teach
