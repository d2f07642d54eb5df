// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/operand_banks.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <set>

#include "kernels/tile/placement.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using analysis::GroupProduct;
using analysis::Matrix;
using analysis::OperandRead;
using emulator::kWarpSize;
using Panel = OperandBanks::Panel;

constexpr std::uint32_t kEdge = OperandRead::kEdge;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Banks)
};

// Columns of a panel of B: those of one of its rows.
std::uint32_t panelColumns(const GroupProduct& p) {
  return std::min(p.columns, std::max(kEdge, p.with.swizzle / 2));
}

// The reads in the lines of the shown ones, and the contents of these lines.
void fill(const Scene& scene, const GroupProduct& p, const ShownReads& shown, Panel& panel) {
  const bool isA = panel.matrix == Matrix::A;
  if (isA) {
    for (std::uint32_t k = 0; k < GroupProduct::kDepth; k += kEdge)
      panel.reads.push_back(analysis::readOfA(p.first, shown.row, k));
    panel.chosen = shown.depthA / kEdge;
  } else {
    const std::uint32_t columns = panelColumns(p);
    const std::uint32_t first = shown.column / columns * columns;
    for (std::uint32_t n = first; n < std::min(p.columns, first + columns); n += kEdge)
      panel.reads.push_back(analysis::readOfB(p.with, shown.depthB, n));
    panel.chosen = (shown.column - first) / kEdge;
  }
  std::set<std::uint32_t> lines;
  for (const OperandRead& read : panel.reads) {
    for (const std::uint32_t byte : read.bytes) lines.insert(byte / OperandBanks::kLineBytes);
  }
  panel.lines.assign(lines.begin(), lines.end());
  panel.array = isA ? p.originA.array : p.originB.array;
  const emulator::Array& array = scene.recording->trace.arrays[panel.array];
  const auto held = scene.recording->contents(panel.array, p.warp, p.index);
  for (const std::uint32_t line : panel.lines) {
    for (std::uint32_t i = 0; i < OperandBanks::kChunks * OperandBanks::kElements; ++i) {
      const std::int64_t at =
          std::int64_t{line} * OperandBanks::kLineBytes / 2 + i - std::int64_t{array.base} * 2;
      const bool inside = at >= 0 && at < static_cast<std::int64_t>(held.size());
      panel.elements.push_back(
          inside ? scene.recording->elementOf(held[static_cast<std::size_t>(at)]) : std::nullopt);
    }
  }
  // A bank serves one row after the other, so the number of wavefronts is the largest number of
  // rows for any four banks.
  const OperandRead& read = panel.reads[panel.chosen];
  panel.wavefronts.resize(read.cost.wavefronts);
  for (std::uint32_t row = 0; row < kEdge; ++row) {
    const std::uint32_t chunk = read.bytes[row] / OperandBanks::kChunkBytes % OperandBanks::kChunks;
    for (auto& wavefront : panel.wavefronts) {
      if (wavefront[chunk]) continue;
      wavefront[chunk] = row;
      break;
    }
  }
}

QString nameOf(const Scene& scene, const GroupProduct& p, const ShownReads& shown,
               const Panel& panel) {
  const QString array = toQString(scene.recording->trace.arrays[panel.array].name);
  const auto& origin = panel.matrix == Matrix::A ? p.originA : p.originB;
  const QString where =
      p.stages > 1 ? Words::tr("%1, stage %2").arg(array).arg(origin.stage) : array;
  if (panel.matrix == Matrix::A) {
    return Words::tr("A: rows %1–%2 of the wgmma · %3")
        .arg(shown.row)
        .arg(shown.row + kEdge - 1)
        .arg(where);
  }
  const std::uint32_t first = panel.reads.front().column;
  return Words::tr("B: columns %1–%2, k %3–%4 of the wgmma · %5")
      .arg(first)
      .arg(panel.reads.back().column + kEdge - 1)
      .arg(shown.depthB)
      .arg(shown.depthB + kEdge - 1)
      .arg(where);
}

void place(Panel& panel, const QRectF& room, double names, double text) {
  panel.title = QRectF(room.left(), room.top(), room.width(), 1.15 * text);
  panel.numbers = QRectF(room.left() + names, panel.title.bottom(), room.width() - names, text);
  panel.left = panel.numbers.left();
  panel.top = panel.numbers.bottom();
  panel.wide = panel.numbers.width() / OperandBanks::kChunks;
  const double gap = 0.35 * text;
  const auto rows = static_cast<double>(panel.lines.size() + panel.wavefronts.size());
  panel.high = std::clamp((room.bottom() - panel.top - gap) / rows, 3.0, 1.8 * text);
  panel.shownLines = panel.lines.size();
  panel.stripTop = panel.top + static_cast<double>(panel.lines.size()) * panel.high + gap;
}

}  // namespace

QRectF Panel::chunk(std::size_t line, std::uint32_t chunk) const {
  return {left + chunk * wide, top + static_cast<double>(line) * high, wide, high};
}

QRectF Panel::lineName(std::size_t line) const {
  return {title.left(), top + static_cast<double>(line) * high, left - title.left() - 5, high};
}

QRectF Panel::strip(std::size_t wavefront, std::uint32_t chunk) const {
  return {left + chunk * wide, stripTop + static_cast<double>(wavefront) * high, wide, high};
}

QRectF Panel::stripName(std::size_t wavefront) const {
  return {title.left(), stripTop + static_cast<double>(wavefront) * high, left - title.left() - 5,
          high};
}

std::optional<std::size_t> Panel::readOf(std::uint32_t byte) const {
  const std::uint32_t start = byte / OperandBanks::kChunkBytes * OperandBanks::kChunkBytes;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (std::ranges::find(reads[i].bytes, start) != reads[i].bytes.end()) return i;
  }
  return std::nullopt;
}

std::optional<OperandBanks::Hit> OperandBanks::at(const QPointF& pixel) const {
  for (const Panel* panel : {&a, &b}) {
    for (std::size_t line = 0; line < panel->lines.size(); ++line) {
      for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk) {
        const QRectF cell = panel->chunk(line, chunk);
        if (!cell.contains(pixel)) continue;
        const double part = (pixel.x() - cell.left()) / cell.width() * kElements;
        return Hit{panel, line, chunk,
                   std::min(static_cast<std::uint32_t>(std::max(0.0, part)), kElements - 1)};
      }
    }
  }
  return std::nullopt;
}

QRectF OperandBanks::cellOf(std::uint32_t byte) const {
  for (const Panel* panel : {&a, &b}) {
    const auto line = std::ranges::find(panel->lines, byte / kLineBytes);
    if (line != panel->lines.end())
      return panel->chunk(static_cast<std::size_t>(line - panel->lines.begin()),
                          byte / kChunkBytes % kChunks);
  }
  return {};
}

ShownReads shownReads(const Scene& scene, const GroupProduct& p,
                      const std::optional<ShownReads>& before) {
  ShownReads shown =
      before.value_or(ShownReads{(p.warp - p.firstWarp) * GroupProduct::kWarpRows, 0, 0, 0});
  if (shown.column >= p.columns) shown.column = 0;
  const auto eight = [](std::uint32_t at) { return at / kEdge * kEdge; };
  const Selection& s = scene.selection;
  const auto place = s.element ? p.placeOf(*s.element) : std::nullopt;
  const std::uint32_t first = p.firstWarp * kWarpSize;
  if (place) {
    if (place->matrix != Matrix::B) shown.row = eight(place->row);
    if (place->matrix != Matrix::A) shown.column = eight(place->column);
    if (place->matrix == Matrix::A) shown.depthA = eight(place->column);
    if (place->matrix == Matrix::B) shown.depthB = eight(place->row);
  } else if (!s.element && s.thread && *s.thread >= first &&
             *s.thread < first + emulator::kWarpsPerGroup * kWarpSize) {
    // The rows of its sums begin in one of the warp's two groups of eight.
    const std::uint32_t row = (*s.thread - first) / kWarpSize * GroupProduct::kWarpRows;
    if (shown.row / GroupProduct::kWarpRows * GroupProduct::kWarpRows != row) shown.row = row;
  }
  return shown;
}

std::shared_ptr<const GroupProduct> productForBanks(const Scene& scene) {
  if (!scene.ready() || !scene.recording->trace.features().warpgroupMma) return nullptr;
  auto product = groupProduct(*scene.recording, scene.moment.warp, scene.moment.index);
  if (!product) return nullptr;
  const bool later = product->when == analysis::WarpProduct::When::Later;
  if (scene.access && (later || scene.access->index > product->index)) return nullptr;
  return std::make_shared<const GroupProduct>(std::move(*product));
}

OperandBanks operandBanks(const Scene& scene, const std::shared_ptr<const GroupProduct>& product,
                          const QRectF& canvas, const Fonts& fonts,
                          const std::optional<ShownReads>& before) {
  const GroupProduct& p = *product;
  OperandBanks banks;
  banks.product = product;
  const QString moment = describeMoment(scene.recording->moment(p.warp, p.index));
  switch (p.when) {
    case analysis::WarpProduct::When::Now:
      banks.what = moment;
      break;
    case analysis::WarpProduct::When::Before:
      banks.what = Words::tr("latest wgmma: %1").arg(moment);
      break;
    case analysis::WarpProduct::When::Later:
      banks.what = Words::tr("next wgmma: %1").arg(moment);
      break;
  }
  banks.shown = shownReads(scene, p, before);
  banks.a.matrix = Matrix::A;
  banks.b.matrix = Matrix::B;
  const QFontMetricsF small(fonts.small);
  const double text = small.height();
  // Room for the longest name of a line, and for that of a wavefront.
  double names = small.horizontalAdvance(Words::tr("1 wavefront"));
  for (Panel* panel : {&banks.a, &banks.b}) {
    fill(scene, p, banks.shown, *panel);
    panel->name = nameOf(scene, p, banks.shown, *panel);
    names =
        std::max(names, small.horizontalAdvance(
                            QStringLiteral("%1[%2]")
                                .arg(toQString(scene.recording->trace.arrays[panel->array].name))
                                .arg(scene.recording->trace.arrays[panel->array].elements)));
  }
  names += 8;
  const double gap = text, wide = (canvas.width() - gap) / 2;
  place(banks.a, QRectF(canvas.topLeft(), QSizeF(wide, canvas.height())), names, text);
  place(banks.b, QRectF(canvas.left() + wide + gap, canvas.top(), wide, canvas.height()), names,
        text);
  for (std::uint32_t warp = 0; warp < emulator::kWarpsPerGroup; ++warp)
    banks.costA += analysis::costOfA(p.first, warp);
  banks.costB = analysis::costOfB(p.with, p.columns);
  analysis::ProductCost all = banks.costA;
  all += banks.costB;
  banks.verdict.tone = all.conflicts == 0 ? Tone::Good : Tone::Trouble;
  banks.verdict.text = Words::tr("%1 wavefronts: %2 for A, %3 for B")
                           .arg(all.wavefronts)
                           .arg(banks.costA.wavefronts)
                           .arg(banks.costB.wavefronts);
  banks.verdict.text += all.conflicts == 0
                            ? Words::tr(", no bank conflict")
                            : Words::tr(", %1 of them by bank conflicts").arg(all.conflicts);
  return banks;
}

Selection operandSelection(const analysis::Recording& recording, const OperandBanks& banks,
                           std::uint32_t byte) {
  Selection s;
  for (const Panel* panel : {&banks.a, &banks.b}) {
    const auto line = std::ranges::find(panel->lines, byte / OperandBanks::kLineBytes);
    if (line == panel->lines.end()) continue;
    s.element = panel->elements[static_cast<std::size_t>(line - panel->lines.begin()) *
                                    (OperandBanks::kLineBytes / 2) +
                                byte % OperandBanks::kLineBytes / 2];
    s.word = analysis::SharedWord{panel->array,
                                  byte / 2 - recording.trace.arrays[panel->array].base * 2};
    break;
  }
  return s;
}

QString describeOperandByte(const analysis::Recording& recording, const OperandBanks& banks,
                            std::uint32_t byte) {
  const std::uint32_t start = byte / OperandBanks::kChunkBytes * OperandBanks::kChunkBytes;
  for (const Panel* panel : {&banks.a, &banks.b}) {
    const auto line = std::ranges::find(panel->lines, byte / OperandBanks::kLineBytes);
    if (line == panel->lines.end()) continue;
    const std::uint32_t chunk = start / OperandBanks::kChunkBytes % OperandBanks::kChunks;
    const auto first = panel->first(static_cast<std::size_t>(line - panel->lines.begin()), chunk);
    const auto& array = recording.trace.arrays[panel->array];
    const QString where = Words::tr("%1[%2], banks %3 to %4")
                              .arg(toQString(array.name))
                              .arg(start / 2 - array.base * 2)
                              .arg(4 * chunk)
                              .arg(4 * chunk + 3);
    const QString what =
        first ? Words::tr("%1: 8 elements from %2 on").arg(where, describeElement(*first))
              : Words::tr("%1: zeros from outside the matrix, or nothing yet").arg(where);
    const auto read = panel->readOf(byte);
    if (!read) return Words::tr("%1, not read by this wgmma").arg(what);
    const auto& cost = panel->reads[*read].cost;
    return cost.wavefronts == 1
               ? Words::tr("%1, read together with the other 7 chunks of its colour in 1 wavefront")
                     .arg(what)
               : Words::tr(
                     "%1, read together with the other 7 chunks of its colour in %2 wavefronts")
                     .arg(what)
                     .arg(cost.wavefronts);
  }
  return Words::tr("nothing shown");
}

std::uint32_t moveInOperandBanks(const OperandBanks& banks, std::uint32_t byte, CursorMove move) {
  const auto lineIn = [&](const Panel& panel) {
    return std::ranges::find(panel.lines, byte / OperandBanks::kLineBytes);
  };
  const bool inA = lineIn(banks.a) != banks.a.lines.end();
  const bool inB = lineIn(banks.b) != banks.b.lines.end();
  if (!inA && !inB) return banks.a.byteOf(0, 0);
  const Panel* panel = inA ? &banks.a : &banks.b;
  auto line = static_cast<std::size_t>(lineIn(*panel) - panel->lines.begin());
  std::uint32_t chunk = byte / OperandBanks::kChunkBytes % OperandBanks::kChunks;
  constexpr std::uint32_t kLast = OperandBanks::kChunks - 1;
  switch (move) {
    case CursorMove::Left:
      if (chunk == 0 && panel == &banks.b) {
        panel = &banks.a;
        chunk = kLast;
      } else if (chunk > 0) {
        --chunk;
      }
      break;
    case CursorMove::Right:
      if (chunk == kLast && panel == &banks.a) {
        panel = &banks.b;
        chunk = 0;
      } else if (chunk < kLast) {
        ++chunk;
      }
      break;
    case CursorMove::Up:
      if (line > 0) --line;
      break;
    case CursorMove::Down:
      ++line;
      break;
    case CursorMove::RowStart:
      chunk = 0;
      break;
    case CursorMove::RowEnd:
      chunk = kLast;
      break;
    case CursorMove::Next:
    case CursorMove::Previous:
      panel = panel == &banks.a ? &banks.b : &banks.a;
      break;
  }
  return panel->byteOf(std::min(line, panel->lines.size() - 1), chunk);
}

}  // namespace tileloom
