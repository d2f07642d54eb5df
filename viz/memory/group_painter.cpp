// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/memory/group_picture.h"

namespace tileloom {
namespace {

using analysis::GroupProduct;
using analysis::Matrix;
using emulator::kWarpSize;
using Place = GroupPicture::Place;

constexpr double kDimmed = 0.72;       // of the ground over what is not selected
constexpr double kSmallestText = 7.5;  // pixels
constexpr double kLanesFrom = 5;       // pixels of a cell of the map that shows its lane's shade

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Fragments)
};

class GroupPainter {
 public:
  GroupPainter(QPainter& painter, const GroupPicture& picture, const Scene& scene,
               const Theme& theme, const Fonts& fonts)
      : p_(painter),
        pic_(picture),
        product_(picture.product),
        t_(theme),
        f_(fonts),
        chosen_(chosenOfGroup(picture, scene.selection)) {}

  void paint() {
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, false);
    map();
    detail();
    if (!pic_.table.isEmpty()) table();
    if (!pic_.wordsRoom.isEmpty()) words();
    p_.restore();
  }

 private:
  QFont scaled(double scale) const {
    QFont font = f_.small;
    const double now = QFontMetricsF(font).height();
    const double pixels = font.pixelSize() > 0 ? font.pixelSize() : now * 0.8;
    font.setPixelSize(std::max(static_cast<int>(kSmallestText), static_cast<int>(pixels * scale)));
    return font;
  }

  void line(const QRectF& room, const QColor& ink, const QString& text,
            Qt::Alignment where = Qt::AlignLeft) {
    const QFontMetricsF metrics(f_.small);
    p_.setFont(f_.small);
    p_.setPen(ink);
    p_.drawText(room, where | Qt::AlignVCenter, fitted(text, metrics, room.width()));
  }

  // Whether a place is selected, or held by the selected thread.
  bool lit(const Place& place) const {
    if (chosen_.place == place) return true;
    if (place.matrix != Matrix::C || !chosen_.thread) return false;
    const auto& sum = product_.sumAt(place.row, place.column);
    return sum && sum->thread == *chosen_.thread;
  }

  void map() {
    // Half a formula would be a wrong one.
    const QFontMetricsF small(f_.small);
    for (const QString& formula : {pic_.formula, pic_.shortFormula, pic_.shortestFormula}) {
      if (small.horizontalAdvance(formula) > pic_.formulaRoom.width()) continue;
      line(pic_.formulaRoom, t_.text, formula);
      break;
    }
    line(pic_.descriptorRooms[0], t_.matrix(Matrix::A), pic_.descriptors[0]);
    line(pic_.descriptorRooms[1], t_.matrix(Matrix::B), pic_.descriptors[1]);
    // The operands of the patch are brighter.
    for (const Matrix m : {Matrix::A, Matrix::B})
      p_.fillRect(pic_.map.block(m), Theme::mix(t_.matrix(m), t_.ground, 0.62));
    p_.fillRect(pic_.map.band(Matrix::A, pic_.patch.warp), t_.matrix(Matrix::A));
    const std::uint32_t column = pic_.patch.eight * GroupPicture::kPatchColumns;
    p_.fillRect(
        pic_.map.part({Matrix::B, 0, column}, GroupProduct::kDepth, GroupPicture::kPatchColumns),
        t_.matrix(Matrix::B));
    bands();
    for (const Matrix m : {Matrix::A, Matrix::B, Matrix::C}) {
      const QRectF block = pic_.map.block(m);
      p_.setBrush(Qt::NoBrush);
      p_.setPen(hairline(t_.matrix(m), 1.0));
      p_.drawRect(block.adjusted(-1, -1, 1, 1));
    }
    name(Matrix::A);
    name(Matrix::B);
    const QRectF patch = pic_.map.part(pic_.placeInPatch(0, 0), GroupPicture::kPatchRows,
                                       GroupPicture::kPatchColumns);
    p_.setPen(hairline(t_.text, 1.6));
    p_.drawRect(patch.adjusted(-1, -1, 1, 1));
    // Lines to the patch, as from a magnifying glass.
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, true);
    p_.setPen(hairline(Theme::faded(t_.text, 0.4)));
    p_.drawLine(patch.topRight(), pic_.detail.topLeft() - QPointF(2, 2));
    p_.drawLine(patch.bottomRight(), pic_.detail.bottomLeft() + QPointF(-2, 2));
    p_.restore();
    if (chosen_.place) ring(pic_.map.cell(*chosen_.place), 2, true);
  }

  // The letter of an operand, if it fits.
  void name(Matrix m) {
    const QRectF block = pic_.map.block(m);
    const QFontMetricsF metrics(f_.small);
    if (block.width() < metrics.height() || block.height() < 0.9 * metrics.height()) return;
    const QString letter = m == Matrix::A ? QStringLiteral("A") : QStringLiteral("B");
    const QColor colour = Theme::mix(t_.matrix(m), t_.ground, 0.62);
    // Away from the bright part.
    QRectF room = block;
    if (m == Matrix::A) {
      room = pic_.map.band(m, pic_.patch.warp == 0 ? 3 : 0);
    } else {
      room.setWidth(block.width() / 4);
      if (pic_.patch.eight * 4 < product_.columns / 8) room.moveRight(block.right());
    }
    if (room.height() < 0.9 * metrics.height()) return;
    p_.setFont(f_.small);
    p_.setPen(Theme::ink(colour));
    p_.drawText(room, Qt::AlignCenter, letter);
  }

  // The sums: a band of 16 rows per warp, in the shades of its lanes if these are visible.
  void bands() {
    const QSizeF cell = pic_.map.cellSize();
    const bool lanes = cell.width() >= kLanesFrom && cell.height() >= kLanesFrom;
    for (std::uint32_t w = 0; w < emulator::kWarpsPerGroup; ++w) {
      const std::uint32_t warp = product_.firstWarp + w;
      const QRectF band = pic_.map.band(Matrix::C, w);
      const QColor colour = Theme::mix(t_.warp(warp), t_.ground, w == pic_.patch.warp ? 0.35 : 0.6);
      p_.fillRect(band, colour);
      if (!lanes) eights(band, w);
    }
    if (lanes || chosen_.thread) sums(lanes);
    for (std::uint32_t w = 0; w < emulator::kWarpsPerGroup; ++w) warpName(w);
  }

  // At the end of the band without the patch.
  void warpName(std::uint32_t w) {
    const std::uint32_t warp = product_.firstWarp + w;
    const QRectF band = pic_.map.band(Matrix::C, w);
    const QFontMetricsF metrics(f_.small);
    if (band.height() < 0.95 * metrics.height()) return;
    const QString name = Words::tr("warp %1").arg(warp);
    const bool left = pic_.patch.eight * 16 >= product_.columns;
    QRectF tag(0, 0, metrics.horizontalAdvance(name) + 6, 0.95 * metrics.height());
    tag.moveCenter(band.center());
    if (left) {
      tag.moveLeft(band.left() + 2);
    } else {
      tag.moveRight(band.right() - 2);
    }
    const QColor colour = Theme::mix(t_.warp(warp), t_.ground, 0.6);
    p_.fillRect(tag, colour);
    p_.setFont(f_.small);
    p_.setPen(Theme::ink(colour));
    p_.drawText(tag, Qt::AlignCenter, name);
  }

  // In the shades of their lanes, or only those of the selected thread.
  void sums(bool lanes) {
    for (std::uint32_t row = 0; row < GroupProduct::kRows; ++row) {
      for (std::uint32_t column = 0; column < product_.columns; ++column) {
        const auto& sum = product_.sumAt(row, column);
        if (!sum) continue;
        const bool own = sum->thread == chosen_.thread;
        if (!lanes && !own) continue;
        const QColor shade = t_.lane(sum->thread / kWarpSize, sum->thread % kWarpSize);
        p_.fillRect(pic_.map.cell({Matrix::C, row, column}),
                    own             ? t_.accent
                    : chosen_.any() ? Theme::mix(shade, t_.ground, kDimmed)
                                    : shade);
      }
    }
  }

  // Lines between eight columns and the next.
  void eights(const QRectF& band, std::uint32_t warp) {
    if (8 * pic_.map.cellSize().width() < 5) return;
    p_.setPen(hairline(Theme::faded(t_.ground, 0.6)));
    for (std::uint32_t column = 8; column < product_.columns; column += 8) {
      const double x = pic_.map.cell({Matrix::C, 16 * warp, column}).left();
      p_.drawLine(QPointF(x, band.top()), QPointF(x, band.bottom()));
    }
  }

  void ring(const QRectF& cell, double width, bool strong) {
    // A cell of the map may be smaller than the pen.
    QRectF r = cell;
    if (r.width() < 4) r.adjust(-(4 - r.width()) / 2, 0, (4 - r.width()) / 2, 0);
    if (r.height() < 4) r.adjust(0, -(4 - r.height()) / 2, 0, (4 - r.height()) / 2);
    p_.setBrush(Qt::NoBrush);
    if (strong) {
      p_.setPen(hairline(t_.ground, width + 2));
      p_.drawRect(r);
    }
    p_.setPen(hairline(t_.accent, width));
    p_.drawRect(r);
  }

  // The words of the patch, as many as fit.
  QString patchText(double width) const {
    const std::uint32_t row = pic_.patch.warp * GroupPicture::kPatchRows,
                        column = pic_.patch.eight * GroupPicture::kPatchColumns;
    const std::uint32_t value = pic_.patch.eight * GroupPicture::kPatchValues;
    const QString warp = Words::tr("warp %1").arg(pic_.warpOfPatch());
    const QString part = Words::tr("%1: rows %2–%3, columns %4–%5")
                             .arg(warp)
                             .arg(row)
                             .arg(row + GroupPicture::kPatchRows - 1)
                             .arg(column)
                             .arg(column + GroupPicture::kPatchColumns - 1);
    const QString registers = QStringLiteral("d%1–d%2").arg(value).arg(value + 3);
    const QFontMetricsF metrics(f_.small);
    for (const QString& text : {Words::tr("%1 of the wgmma, in %2").arg(part, registers),
                                QStringLiteral("%1, %2").arg(part, registers), part}) {
      if (metrics.horizontalAdvance(text) <= width) return text;
    }
    return QStringLiteral("%1, %2").arg(warp, registers);
  }

  // Above each half if these are side by side.
  QString halfText(bool lower, double width) const {
    const std::uint32_t row =
        pic_.patch.warp * GroupPicture::kPatchRows + (lower ? GroupPicture::kPatchRows / 2 : 0);
    const std::uint32_t value = pic_.patch.eight * GroupPicture::kPatchValues + (lower ? 2 : 0);
    const QString rows = Words::tr("rows %1–%2").arg(row).arg(row + 7);
    const QString registers = QStringLiteral("d%1, d%2").arg(value).arg(value + 1);
    const QString named = Words::tr("warp %1, %2: %3").arg(pic_.warpOfPatch()).arg(rows, registers);
    const QString shorter = QStringLiteral("%1: %2").arg(rows, registers);
    return QFontMetricsF(f_.small).horizontalAdvance(named) <= width && !lower ? named : shorter;
  }

  void detail() {
    if (pic_.halved) {
      QRectF room = pic_.detailTitle;
      room.setWidth((room.width() - 8) / 2);
      line(room, t_.matrix(Matrix::C), halfText(false, room.width()));
      room.moveRight(pic_.detailTitle.right());
      line(room, t_.matrix(Matrix::C), halfText(true, room.width()));
    } else {
      line(pic_.detailTitle, t_.matrix(Matrix::C), patchText(pic_.detailTitle.width()));
    }
    const QSizeF size = pic_.detailCell(0, 0).size();
    const QFontMetricsF small(f_.small);
    const double byHeight = (size.height() - 1) / (0.92 * small.height());
    const auto scaleFor = [&](const QString& text) {
      return std::min({byHeight, 1.5, (size.width() - 4) / small.horizontalAdvance(text)});
    };
    const QString fullest = QStringLiteral("30 d%1").arg(product_.columns / 2 - 1);
    const bool full = scaleFor(fullest) >= 0.72;
    const double scale = scaleFor(full ? fullest : QStringLiteral("30"));
    p_.setFont(scaled(scale));
    for (std::uint32_t row = 0; row < GroupPicture::kPatchRows; ++row) {
      for (std::uint32_t column = 0; column < GroupPicture::kPatchColumns; ++column) {
        const Place place = pic_.placeInPatch(row, column);
        const QRectF room = pic_.detailCell(row, column);
        const QRectF cell = room.adjusted(0.5, 0.5, -0.5, -0.5);
        const auto& sum = product_.sumAt(place.row, place.column);
        if (!sum) {
          p_.fillRect(cell, t_.well);
          continue;
        }
        QColor colour = t_.lane(sum->thread / kWarpSize, sum->thread % kWarpSize);
        const bool dim = dims() && !lit(place);
        if (dim) colour = Theme::mix(colour, t_.ground, kDimmed);
        p_.fillRect(cell, colour);
        if (scale < 0.66) continue;
        p_.setPen(dim ? Theme::mix(t_.soft, t_.ground, 0.35) : Theme::ink(colour));
        const QString lane = QString::number(sum->thread % kWarpSize);
        p_.drawText(room, Qt::AlignCenter,
                    full ? QStringLiteral("%1 d%2").arg(lane).arg(sum->value) : lane);
      }
    }
    for (std::uint32_t row = 0; row < GroupPicture::kPatchRows; ++row) {
      for (std::uint32_t column = 0; column < GroupPicture::kPatchColumns; ++column) {
        const Place place = pic_.placeInPatch(row, column);
        if (!lit(place)) continue;
        const bool exact = chosen_.place == place;
        ring(pic_.detailCell(row, column), exact ? 2.5 : 1.0, exact);
      }
    }
    p_.setBrush(Qt::NoBrush);
    p_.setPen(hairline(t_.matrix(Matrix::C), 1.5));
    if (!pic_.halved) {
      p_.drawRect(pic_.detail.adjusted(-2, -2, 2, 2));
      return;
    }
    for (const std::uint32_t first : {0u, GroupPicture::kPatchRows / 2}) {
      const QRectF half = pic_.detailCell(first, 0).united(pic_.detailCell(
          first + GroupPicture::kPatchRows / 2 - 1, GroupPicture::kPatchColumns - 1));
      p_.drawRect(half.adjusted(-2, -2, 2, 2));
    }
  }

  // No lane holds an operand: selecting one dims no sums.
  bool dims() const {
    return chosen_.thread.has_value() || (chosen_.place && chosen_.place->matrix == Matrix::C);
  }

  void table() {
    const std::uint32_t first = firstLane(pic_, chosen_), value = pic_.firstValue();
    const std::uint32_t warp = pic_.warpOfPatch();
    const QString registers = Words::tr("registers d%1–d%2 of %3")
                                  .arg(value)
                                  .arg(value + pic_.tableColumns() - 1)
                                  .arg(product_.columns / 2);
    line(pic_.tableTitle, t_.matrix(Matrix::C),
         pic_.tableLanes == kWarpSize ? Words::tr("warp %1, %2").arg(warp).arg(registers)
                                      : Words::tr("warp %1, lanes %2–%3 of 32, %4")
                                            .arg(warp)
                                            .arg(first)
                                            .arg(first + pic_.tableLanes - 1)
                                            .arg(registers));
    const QFont font = scaled(pic_.tableScale);
    p_.setFont(font);
    const auto cellAt = [&](std::uint32_t row, std::uint32_t column) {
      return pic_.tableCell(row, column);
    };
    const QRectF head = cellAt(0, 0).translated(0, -pic_.tableRow);
    const QRectF left(pic_.table.left(), head.top(), pic_.laneColumn, pic_.tableRow);
    p_.setPen(t_.soft);
    p_.drawText(left.adjusted(2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, Words::tr("lane"));
    for (std::uint32_t c = 0; c < pic_.tableColumns(); ++c) {
      const bool here = (value + c) / GroupPicture::kPatchValues == pic_.patch.eight;
      p_.setPen(here ? t_.matrix(Matrix::C) : t_.soft);
      p_.drawText(head.translated(c * pic_.valueColumn, 0).adjusted(4, 0, 0, 0),
                  Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("d%1").arg(value + c));
    }
    for (std::uint32_t row = 0; row < pic_.tableLanes; ++row) {
      const std::uint32_t lane = first + row;
      const bool here = chosen_.thread == warp * kWarpSize + lane;
      const QRectF name(pic_.table.left(), cellAt(row, 0).top(), pic_.laneColumn, pic_.tableRow);
      const QRectF whole(name.topLeft(), QSizeF(pic_.table.width(), pic_.tableRow));
      if (here) {
        p_.fillRect(whole, Theme::mix(t_.warp(warp), t_.ground, 0.7));
      } else if (row % 2 == 1) {
        p_.fillRect(whole, Theme::mix(t_.well, t_.ground, 0.6));
      }
      const QColor shade = t_.lane(warp, lane);
      p_.fillRect(name.adjusted(0, 0.5, -2, -0.5), shade);
      p_.setPen(Theme::ink(shade));
      p_.drawText(name, Qt::AlignCenter, QString::number(lane));
      for (std::uint32_t c = 0; c < pic_.tableColumns(); ++c) {
        const auto place = pic_.placeOfValue(lane, value + c);
        const QRectF cell = cellAt(row, c);
        const bool exact = place && chosen_.place == place;
        const bool dim = dims() && !here && !exact;
        const QColor ink = Theme::mix(t_.matrix(Matrix::C), t_.text, 0.35);
        p_.setPen(dim ? Theme::mix(ink, t_.ground, 0.55) : ink);
        const auto element = place ? product_.elementAt(*place) : std::nullopt;
        p_.drawText(cell.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                    element ? describeElement(*element) : QStringLiteral("–"));
        if (exact) ring(cell.adjusted(0.5, 0, -2, -1), 1.5, false);
      }
    }
  }

  void words() {
    p_.setFont(f_.small);
    const QFontMetricsF metrics(f_.small);
    QRectF room = pic_.wordsRoom;
    for (const QString& text : pic_.words) {
      const QRectF need = metrics.boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, text);
      if (need.height() > room.height() || room.width() < 8 * metrics.height()) return;
      p_.setPen(t_.soft);
      drawWrapped(p_, room, Qt::AlignLeft, text);
      room.setTop(room.top() + need.height() + 0.3 * metrics.height());
    }
  }

  QPainter& p_;
  const GroupPicture& pic_;
  const GroupProduct& product_;
  const Theme& t_;
  const Fonts& f_;
  ChosenOfGroup chosen_;
};

}  // namespace

void paintGroup(QPainter& painter, const GroupPicture& picture, const Scene& scene,
                const Theme& theme, const Fonts& fonts) {
  GroupPainter(painter, picture, scene, theme, fonts).paint();
}

}  // namespace tileloom
