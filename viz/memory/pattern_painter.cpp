// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <bit>

#include "viz/base/paint/marks.h"
#include "viz/base/text/scaled_font.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

constexpr double kLeastLetters = 0.7;  // of the usual size

// "5", "0–15", "×9".
QString lanesLabel(std::uint32_t lanes) {
  const int first = std::countr_zero(lanes), count = std::popcount(lanes);
  const int last = 31 - std::countl_zero(lanes);
  if (count == 1) return QString::number(first);
  if (last - first + 1 == count) return QStringLiteral("%1–%2").arg(first).arg(last);
  return QStringLiteral("×%1").arg(count);
}

class PatternPainter {
 public:
  PatternPainter(QPainter& painter, const PatternPicture& picture, const Theme& theme,
                 const Fonts& fonts)
      : p_(painter), pic_(picture), t_(theme), f_(fonts), metrics_(fonts.small) {}

  void paint(std::optional<std::uint32_t> lane) {
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, false);
    head();
    for (const PatternRow& row : pic_.rows) rowOf(row);
    if (!pic_.shared) sectors();
    cells();
    for (const PatternRun& run : pic_.runs) label(run);
    if (lane) frame(*lane);
    p_.restore();
  }

 private:
  // As many numbers as do not overlap: banks, or the bytes of a line.
  void head() {
    p_.setFont(f_.small);
    const double need =
        metrics_.horizontalAdvance(pic_.shared ? QStringLiteral("00") : QStringLiteral("000")) + 3;
    std::uint32_t each = pic_.shared ? 1 : 4;
    while (each < 32 && each * pic_.cellWidth < need) each *= 2;
    for (std::uint32_t column = 0; column < 32; column += each) {
      QRectF room = pic_.column(column);
      if (each > 1) room.setWidth(std::max(need, room.width()));
      p_.setPen((pic_.crowded >> column & 1u) != 0 ? t_.trouble : t_.faint);
      p_.drawText(room, (each > 1 ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter,
                  QString::number(pic_.shared ? column : 4 * column));
    }
  }

  void rowOf(const PatternRow& row) {
    p_.fillRect(row.band.adjusted(0, 1, 0, -1), t_.well);
    QRectF room = row.label;
    if (pic_.shared) {
      const double mark = metrics_.height();
      if (row.extra)
        figures::fillTrouble(
            p_, QRectF(room.right() - mark + 3, room.top() + 1, mark - 3, room.height() - 2), t_);
      room.setRight(room.right() - mark);
    }
    if (row.band.height() < 0.8 * metrics_.height()) return;
    p_.setFont(f_.small);
    p_.setPen(row.extra ? t_.trouble : t_.soft);
    p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter, row.name);
  }

  void sectors() {
    for (const QRectF& sector : pic_.sectors) {
      p_.fillRect(sector.adjusted(1, 1, -1, -1), Theme::mix(t_.faint, t_.ground, 0.6));
      p_.setPen(hairline(t_.soft));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(sector.adjusted(0.5, 0.5, -0.5, -1.5));
    }
  }

  void cells() {
    for (const PatternCell& cell : pic_.cells)
      p_.fillRect(cell.place.adjusted(1, 1.5, -1, -1.5), t_.lane(0, cell.firstLane()));
  }

  // The numbers of its lanes, in smaller letters if these are legible, or their count, or none.
  void label(const PatternRun& run) {
    const QRectF room = run.place.adjusted(1, 0, -1, 0);
    if (room.height() < 0.8 * metrics_.height()) return;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(run.lanes));
    p_.setPen(Theme::ink(t_.lane(0, lane)));
    for (const QString& text :
         {lanesLabel(run.lanes), QStringLiteral("×%1").arg(std::popcount(run.lanes))}) {
      // Single lanes have one size, whatever their numbers are.
      const double need =
          metrics_.horizontalAdvance(std::has_single_bit(run.lanes) ? QStringLiteral("00") : text);
      const double scale = std::min(1.0, room.width() / need);
      if (scale < kLeastLetters) continue;
      p_.setFont(scale < 1 ? scaledFont(f_.small, scale) : f_.small);
      // The ground between words would cut the letters.
      if (run.place.width() > 1.5 * pic_.cellWidth)
        p_.fillRect(
            QRectF(room.center().x() - 0.7 * need, room.top() + 1.5, 1.4 * need, room.height() - 3),
            t_.lane(0, lane));
      p_.drawText(room, Qt::AlignCenter, text);
      return;
    }
  }

  void frame(std::uint32_t lane) {
    p_.setBrush(Qt::NoBrush);
    for (const PatternRun& run : pic_.runs) {
      if ((run.lanes >> lane & 1u) == 0) continue;
      for (const auto& [colour, width] : {std::pair(t_.ground, 4.0), std::pair(t_.accent, 2.0)}) {
        p_.setPen(hairline(colour, width));
        p_.drawRect(run.place.adjusted(1, 1, -1, -1));
      }
    }
  }

  QPainter& p_;
  const PatternPicture& pic_;
  const Theme& t_;
  const Fonts& f_;
  QFontMetricsF metrics_;
};

}  // namespace

void paintPattern(QPainter& painter, const PatternPicture& picture, const Theme& theme,
                  const Fonts& fonts, std::optional<std::uint32_t> lane) {
  PatternPainter(painter, picture, theme, fonts).paint(lane);
}

}  // namespace tileloom
