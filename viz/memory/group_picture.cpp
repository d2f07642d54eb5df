// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/group_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "kernels/tile/placement.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/text.h"
#include "viz/loom/panels/group_panel.h"

namespace tileloom {
namespace {

using analysis::GroupProduct;
using analysis::Matrix;
using emulator::kWarpSize;
using Place = GroupPicture::Place;

constexpr double kLine = 0.92;        // of a line of text: least height of a row with text
constexpr double kLeastText = 0.72;   // smallest scale of small text
constexpr double kLeastColumn = 1.0;  // pixels of a column of the map

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Fragments)
};

QString span(std::int64_t first, std::int64_t count) {
  return count == 1 ? QString::number(first)
                    : QStringLiteral("%1–%2").arg(first).arg(first + count - 1);
}

QString regionText(QChar name, const analysis::Region& r) {
  if (r.empty()) return Words::tr("nothing of %1").arg(name);
  return QStringLiteral("%1[%2][%3]").arg(name).arg(span(r.row, r.rows), span(r.column, r.columns));
}

QStringList wordsOf(const GroupProduct& p) {
  return {
      Words::tr(
          "Four warps issue it together. The tensor core reads A and B from shared memory; no lane "
          "holds an element of these. Each of the 128 threads holds %1 of the 64 × %2 sums.")
          .arg(p.columns / 2)
          .arg(p.columns),
      Words::tr("A descriptor gives the start of an operand and its strides. The stride offset "
                "leads from eight rows to the next eight. The leading offset leads from one panel "
                "of B, SWIZZLE bytes wide, to the next; for A, whose 16 elements along k are in "
                "one panel, the tensor core does not read it. The swizzle says which chunks of 16 "
                "bytes are exchanged.")};
}

// The widths of the three parts.
struct Widths {
  double map = 0, detail = 0, table = 0;
};

}  // namespace

QRectF GroupPicture::detailCell(std::uint32_t row, std::uint32_t column) const {
  // Rows from 8 on are below or to the right, with a gap.
  constexpr std::uint32_t kHalf = kPatchRows / 2;
  const bool lower = row >= kHalf;
  const double gap = halved ? 8 : 3;
  const double wide =
      halved ? (detail.width() - gap) / (2 * kPatchColumns) : detail.width() / kPatchColumns;
  const double high = halved ? detail.height() / kHalf : (detail.height() - gap) / kPatchRows;
  const double x =
      detail.left() + column * wide + (halved && lower ? kPatchColumns * wide + gap : 0);
  const double y =
      halved ? detail.top() + row % kHalf * high : detail.top() + row * high + (lower ? gap : 0);
  return {x, y, wide, high};
}

QRectF GroupPicture::tableCell(std::uint32_t row, std::uint32_t column) const {
  return {table.left() + laneColumn + column * valueColumn, table.top() + (row + 1) * tableRow,
          valueColumn, tableRow};
}

std::uint32_t GroupPicture::firstValue() const {
  if (tablePatches == 0) return 0;
  const std::uint32_t all = product.columns / kPatchColumns;
  const std::uint32_t first = std::min(patch.eight / tablePatches * tablePatches,
                                       all > tablePatches ? all - tablePatches : 0);
  return first * kPatchValues;
}

Place GroupPicture::placeInPatch(std::uint32_t row, std::uint32_t column) const {
  return {Matrix::C, patch.warp * kPatchRows + row, patch.eight * kPatchColumns + column};
}

std::optional<Place> GroupPicture::placeOfValue(std::uint32_t lane, std::uint32_t value) const {
  if (value >= product.columns / 2) return std::nullopt;
  return places_[(std::size_t{patch.warp} * kWarpSize + lane) * (product.columns / 2) + value];
}

ChosenOfGroup chosenOfGroup(const GroupPicture& picture, const Selection& selection) {
  ChosenOfGroup chosen;
  if (selection.element) chosen.place = picture.product.placeOf(*selection.element);
  const std::uint32_t first = picture.product.firstWarp * kWarpSize;
  if (selection.thread && *selection.thread >= first &&
      *selection.thread < first + emulator::kWarpsPerGroup * kWarpSize)
    chosen.thread = *selection.thread;
  return chosen;
}

GroupPicture::Patch patchOf(const GroupPicture& picture, const Selection& selection) {
  const ChosenOfGroup chosen = chosenOfGroup(picture, selection);
  GroupPicture::Patch patch = picture.patch;
  if (chosen.thread) patch.warp = *chosen.thread / kWarpSize - picture.product.firstWarp;
  if (chosen.place) {
    if (chosen.place->matrix != Matrix::B)
      patch.warp = chosen.place->row / GroupPicture::kPatchRows;
    if (chosen.place->matrix != Matrix::A)
      patch.eight = chosen.place->column / GroupPicture::kPatchColumns;
  }
  return patch;
}

std::uint32_t firstLane(const GroupPicture& picture, const ChosenOfGroup& chosen) {
  if (picture.tableLanes == 0 || !chosen.thread) return 0;
  return *chosen.thread % kWarpSize / picture.tableLanes * picture.tableLanes;
}

GroupPicture groupPicture(const Scene& scene, const GroupProduct& product, const QRectF& canvas,
                          const Fonts& fonts) {
  GroupPicture pic;
  pic.product = product;
  const std::uint32_t values = product.columns / 2;
  pic.places_.resize(std::size_t{emulator::kWarpsPerGroup} * kWarpSize * values);
  for (std::uint32_t row = 0; row < GroupProduct::kRows; ++row) {
    for (std::uint32_t column = 0; column < product.columns; ++column) {
      const auto& sum = product.sumAt(row, column);
      if (!sum) continue;
      const std::size_t thread = sum->thread - product.firstWarp * kWarpSize;
      pic.places_[thread * values + sum->value] = Place{Matrix::C, row, column};
    }
  }
  pic.patch.warp = product.warp - product.firstWarp;
  pic.patch = patchOf(pic, scene.selection);
  pic.formula = Words::tr("%1 += %2 · %3")
                    .arg(regionText(u'C', product.tileC), regionText(u'A', product.tileA),
                         regionText(u'B', product.tileB));
  pic.shortFormula =
      Words::tr("C += A · B, k = %1")
          .arg(span(std::int64_t{product.kTile} * scene.recording->trace.stepK + product.dot,
                    GroupProduct::kDepth));
  pic.shortestFormula = Words::tr("C += A · B");
  pic.descriptors = {descriptorText(*scene.recording, product, Matrix::A),
                     descriptorText(*scene.recording, product, Matrix::B)};

  const QFontMetricsF small(fonts.small);
  const double text = small.height(), gap = 1.6 * text, title = 1.25 * text;
  QRectF room = canvas;
  if (room.height() > 24 * text) {
    pic.words = wordsOf(product);
    const double high = 5.5 * text;
    pic.wordsRoom = QRectF(room.left(), room.bottom() - high, room.width(), high);
    room.setBottom(pic.wordsRoom.top() - 0.6 * text);
  }
  const auto widthOf = [&small](const QString& words) { return small.horizontalAdvance(words); };
  const double line = 1.1 * text;
  const bool together =
      widthOf(pic.descriptors[0]) + widthOf(pic.descriptors[1]) + gap < room.width();
  room.setBottom(room.bottom() - (together ? line : 2 * line) - 0.2 * text);
  pic.descriptorRooms[0] = QRectF(room.left(), room.bottom() + 0.2 * text, room.width(), line);
  pic.descriptorRooms[1] = pic.descriptorRooms[0].translated(
      together ? QPointF(widthOf(pic.descriptors[0]) + gap, 0) : QPointF(0, line));

  // The table: all lanes if legible, else half or a quarter of them.
  const auto longest = [&](const auto& region) {
    return QStringLiteral("C[%1][%2]")
        .arg(region.row + region.rows)
        .arg(region.column + region.columns);
  };
  const double pad = 1.1 * small.horizontalAdvance(QStringLiteral("00"));
  const double naturalValue = small.horizontalAdvance(longest(product.tileC)) + pad;
  const double naturalLane = small.horizontalAdvance(QStringLiteral("lane")) + pad;
  double tableScale = 0, tableRow = 0;
  std::uint32_t lanes = 0;
  for (const std::uint32_t most : {32u, 16u, 8u}) {
    const double row = std::min((room.height() - title) / (most + 1.0), 1.45 * text);
    const double scale = std::min(1.0, row / (kLine * text));
    if (scale < kLeastText) continue;
    lanes = most;
    tableRow = row;
    tableScale = scale;
    break;
  }
  const double four = (naturalLane + GroupPicture::kPatchValues * naturalValue) * tableScale;

  const double numbers = 8 * (small.horizontalAdvance(QStringLiteral("30")) + 6);
  const double full = 8 * (small.horizontalAdvance(QStringLiteral("30 d127")) + 9);
  const double columns = product.columns;
  const double mapLeast = columns * kLeastColumn + GroupProduct::kDepth * 2 + 8;
  const double mapHigh = std::max(10.0, room.height() - title);
  const double mapMost = std::max(mapLeast, (columns + 16) * 1.6 * mapHigh / 80);
  Widths w;
  const double all = room.width();
  if (lanes > 0 && all - 2 * gap >= mapLeast + numbers + four) {
    const double rest = all - 2 * gap - four;
    w.map = std::clamp(rest - full, mapLeast, mapMost);
    w.detail = std::min(rest - w.map, 1.25 * full);
    w.table = all - 2 * gap - w.map - w.detail;
  } else {
    w.map = std::clamp(all - gap - full, std::min(mapLeast, 0.6 * all), mapMost);
    w.detail = std::min(all - gap - w.map, 1.5 * full);
  }

  const QRectF mapRoom(room.left(), room.top() + title, w.map, mapHigh);
  pic.map = GroupLayout(mapRoom, product.columns);
  pic.formulaRoom = QRectF(room.left(), room.top(), w.map, title - 2);
  const double x = room.left() + w.map + gap;
  const double high = std::min(room.height() - title, GroupPicture::kPatchRows * 1.9 * text);
  pic.halved = high < GroupPicture::kPatchRows * kLeastText * kLine * text;
  pic.detailTitle = QRectF(x, room.top(), w.detail, title - 2);
  pic.detail = QRectF(x, room.top() + title, w.detail, high);
  if (w.table > 0) {
    pic.tableLanes = lanes;
    pic.tableRow = tableRow;
    pic.tableScale = tableScale;
    const double left = x + w.detail + gap, wide = room.right() - left;
    const auto fit = static_cast<std::uint32_t>((wide - naturalLane * tableScale) /
                                                (4 * naturalValue * tableScale));
    pic.tablePatches = std::clamp(fit, 1u, product.columns / GroupPicture::kPatchColumns);
    // Wider columns where there is room, but no wide gaps.
    const double natural = (naturalLane + pic.tableColumns() * naturalValue) * tableScale;
    const double stretch = std::clamp(wide / natural, 1.0, 1.25);
    pic.laneColumn = naturalLane * tableScale * stretch;
    pic.valueColumn = naturalValue * tableScale * stretch;
    pic.tableTitle = QRectF(left, room.top(), wide, title - 2);
    pic.table = QRectF(left, room.top() + title, natural * stretch, (lanes + 1) * tableRow);
  }
  return pic;
}

QString describePlace(const analysis::Recording& recording, const GroupPicture& picture,
                      const Place& place) {
  const GroupProduct& p = picture.product;
  const auto element = p.elementAt(place);
  if (place.matrix == Matrix::C) {
    const auto& sum = p.sumAt(place.row, place.column);
    if (!sum) return Words::tr("a sum outside C: its register is not stored");
    return Words::tr("%1, summed by lane %2 of warp %3 in its register d%4")
        .arg(describeElement(sum->element))
        .arg(sum->thread % kWarpSize)
        .arg(sum->thread / kWarpSize)
        .arg(sum->value);
  }
  const bool isA = place.matrix == Matrix::A;
  const QString what = element ? describeElement(*element)
                       : isA   ? Words::tr("a zero from outside A")
                               : Words::tr("a zero from outside B");
  const auto& origin = isA ? p.originA : p.originB;
  const auto& array = recording.trace.arrays[origin.array];
  const std::uint32_t byte = p.byteOf(place);
  const QString where = Words::tr("%1, not in a register: the tensor core reads it from %2[%3]")
                            .arg(what, toQString(array.name))
                            .arg(byte / 2 - array.base * array.parts);
  return isA ? Words::tr("%1, for the sums of row %2 of the wgmma").arg(where).arg(place.row)
             : Words::tr("%1, for the sums of column %2 of the wgmma").arg(where).arg(place.column);
}

QString groupNote(const analysis::Recording& recording, const GroupPicture& picture,
                  const ChosenOfGroup& chosen) {
  if (chosen.place) return describePlace(recording, picture, *chosen.place);
  if (chosen.thread) {
    const std::uint32_t lane = *chosen.thread % kWarpSize, first = picture.patch.eight * 4;
    QStringList parts;
    for (std::uint32_t i = first; i < first + GroupPicture::kPatchValues; ++i) {
      const auto place = picture.placeOfValue(lane, i);
      const auto element = place ? picture.product.elementAt(*place) : std::nullopt;
      parts += QStringLiteral("d%1 %2").arg(i).arg(element ? describeElement(*element)
                                                           : QStringLiteral("–"));
    }
    return Words::tr("lane %1 of warp %2: %3 · of %4 registers with sums")
        .arg(lane)
        .arg(*chosen.thread / kWarpSize)
        .arg(parts.join(QStringLiteral(" · ")))
        .arg(picture.product.columns / 2);
  }
  return Words::tr(
      "a cell says which lane sums the element, and in which register · as recorded, by where the "
      "kernel stores each register · point at the map for another part");
}

Selection groupSelection(const GroupPicture& picture, const Place& place) {
  Selection s;
  s.element = picture.product.elementAt(place);
  if (place.matrix == Matrix::C) {
    const auto& sum = picture.product.sumAt(place.row, place.column);
    if (sum) s.thread = sum->thread;
  }
  return s;
}

Selection groupUnder(const GroupPicture& picture, const Selection& now, const QPointF& pixel) {
  if (const auto place = picture.map.at(pixel)) return groupSelection(picture, *place);
  if (picture.detail.contains(pixel)) {
    for (std::uint32_t row = 0; row < GroupPicture::kPatchRows; ++row) {
      for (std::uint32_t column = 0; column < GroupPicture::kPatchColumns; ++column) {
        if (picture.detailCell(row, column).contains(pixel))
          return groupSelection(picture, picture.placeInPatch(row, column));
      }
    }
  }
  if (!picture.table.contains(pixel)) return {};
  const double down = (pixel.y() - picture.table.top()) / picture.tableRow - 1;
  if (down < 0 || down >= picture.tableLanes) return {};
  const std::uint32_t lane =
      firstLane(picture, chosenOfGroup(picture, now)) + static_cast<std::uint32_t>(down);
  const double across =
      (pixel.x() - picture.table.left() - picture.laneColumn) / picture.valueColumn;
  if (across >= 0 && across < picture.tableColumns()) {
    const auto place =
        picture.placeOfValue(lane, picture.firstValue() + static_cast<std::uint32_t>(across));
    if (place) return groupSelection(picture, *place);
  }
  Selection s;
  s.thread = picture.warpOfPatch() * kWarpSize + lane;
  return s;
}

Place moveInGroup(const GroupPicture& picture, const Place& from, CursorMove move) {
  if (from.matrix != Matrix::C || (move != CursorMove::Next && move != CursorMove::Previous))
    return picture.map.moved(from, move);
  const auto& sum = picture.product.sumAt(from.row, from.column);
  if (!sum) return from;
  const std::uint32_t step = move == CursorMove::Next ? 1 : kWarpSize - 1;
  const auto to = picture.placeOfValue((sum->thread + step) % kWarpSize, sum->value);
  return to.value_or(from);
}

}  // namespace tileloom
