// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/fragment_geometry.h"

#include <algorithm>

#include "kernels/emulator/fragment_layout.h"

namespace tileloom {
namespace {

using analysis::Operand;

constexpr double kGroupGap = 3;      // pixels between groups of eight rows or columns
constexpr double kWidest = 4.2;      // greatest width of a cell, in heights
constexpr double kTallest = 2.4;     // times a line of text
constexpr double kLine = 0.92;       // of a line of text: least height of a row with text
constexpr std::uint32_t kGroup = 8;  // rows and columns of a group
constexpr std::uint32_t kLanes = emulator::kWarpSize;

}  // namespace

double FragmentGeometry::roomForTable(const FragmentInput& in, double least) {
  if (in.columns.empty()) return 0;
  tableRow_ = std::min(in.canvas.height() / (kLanes + 1.3), 1.5 * in.text);
  tableScale_ = std::min(1.0, tableRow_ / (kLine * in.text));
  if (tableScale_ < in.least) return 0;
  double width = in.column;
  for (const double column : in.columns) width += column;
  width *= tableScale_;
  return in.canvas.width() - width - 2 * in.text >= least ? width : 0;
}

void FragmentGeometry::placeTable(const FragmentInput& in, double left) {
  double natural = in.column;
  for (const double column : in.columns) natural += column;
  // Wider columns where there is room, but no wide gaps.
  const double room = in.canvas.right() - left;
  const double width = std::min(room, 1.25 * natural * tableScale_);
  columnEnds_ = {in.column / natural * width};
  for (const double column : in.columns)
    columnEnds_.push_back(columnEnds_.back() + column / natural * width);
  table_ = QRectF(left, in.canvas.top(), width, (kLanes + 1.3) * tableRow_);
}

void FragmentGeometry::product(const FragmentInput& in, const MmaRow& mma) {
  const QRectF& c = in.canvas;
  const double rows = mma.rows, columns = mma.columns, depth = mma.depth;
  const auto gaps = [](double cells) { return (cells / kGroup - 1) * kGroupGap; };
  const double gap = 0.7 * in.text;
  const auto scaleOf = [&in](double height) { return std::min(1.0, height / (kLine * in.text)); };
  const auto block = [&](Operand operand, double x, double y, double down, double across) {
    Block b;
    b.operand = operand;
    b.rect = QRectF(x, y, across * cellWidth_ + gaps(across), down * cellHeight_ + gaps(down));
    for (std::uint32_t group = 0; group * kGroup < down; ++group) {
      const double middle = y + ((group + 0.5) * kGroup * cellHeight_ + group * kGroupGap);
      b.names.emplace_back(x - in.names, middle - in.text / 2, in.names - 5, in.text);
    }
    return b;
  };
  const double high = (c.height() - gap - gaps(depth) - gaps(rows)) / (depth + rows);
  cornered_ = scaleOf(high) >= in.least;
  if (cornered_) {
    cellHeight_ = std::min(high, kTallest * in.text);
    const double sides = 2 * in.names + gap + gaps(depth);
    const double scale = scaleOf(cellHeight_);
    const double table = roomForTable(in, (depth + columns) * (in.lane * scale + 5) + sides);
    const double room = c.width() - (table > 0 ? table + 2 * in.text : 0);
    cellWidth_ = std::clamp((room - sides) / (depth + columns), 2.0, kWidest * cellHeight_);
    const double left = c.left() + in.names;
    const double right = left + depth * cellWidth_ + gaps(depth) + gap;
    const double below = c.top() + depth * cellHeight_ + gaps(depth) + gap;
    blocks_ = {block(Operand::A, left, below, rows, depth),
               block(Operand::B, right, c.top(), depth, columns),
               block(Operand::C, right, below, rows, columns)};
    Block &a = blocks_[0], &b = blocks_[1], &sums = blocks_[2];
    a.title = QRectF(a.rect.left(), a.rect.top() - in.text - 3, a.rect.width(), in.text);
    b.title = QRectF(c.left(), b.rect.top(), b.rect.left() - 6 - c.left(), in.text);
    sums.title = QRectF(sums.rect.right() + 6, sums.rect.top(), in.names + in.text, in.text);
    sums.namesRight = true;
    for (QRectF& names : sums.names) names.moveLeft(sums.rect.right() + 5);
    // Below the name of B, which is at its left.
    words_ =
        QRectF(c.left(), c.top() + 1.4 * in.text, b.rect.left() - in.names - c.left() - in.text,
               a.title.top() - c.top() - 1.4 * in.text - 4);
    if (table > 0) placeTable(in, sums.rect.right() + in.names + 2 * in.text);
    return;
  }
  const double names = 3 * in.names + (gaps(depth) + 2 * gaps(columns) + kGroupGap);
  const double most = std::max(rows, depth);
  cellHeight_ = std::min((c.height() - 1.3 * in.text - gaps(most)) / most, kTallest * in.text);
  cellWidth_ =
      std::clamp((c.width() - names - 2 * gap) / (depth + 2 * columns), 2.0, kWidest * cellHeight_);
  double x = c.left() + in.names;
  const double top = c.top() + 1.3 * in.text;
  for (const Operand operand : {Operand::A, Operand::B, Operand::C}) {
    blocks_.push_back(block(operand, x, top, operand == Operand::B ? depth : rows,
                            operand == Operand::A ? depth : columns));
    Block& b = blocks_.back();
    b.title = QRectF(b.rect.left(), c.top(), b.rect.width() + in.names, 1.2 * in.text);
    x = b.rect.right() + gap + in.names;
  }
}

void FragmentGeometry::matrices(const FragmentInput& in) {
  const QRectF& c = in.canvas;
  const double gap = 0.8 * in.text, title = 1.3 * in.text;
  double rowName = in.rowName;
  const double least = 2 * (rowName + 8 * (in.lane + 5)) + gap;
  const double table = roomForTable(in, least);
  const double width = c.width() - (table > 0 ? table + 2 * in.text : 0);
  // Two beside two, or all four in a row.
  const std::uint32_t across = width > 2.6 * c.height() ? 4 : 2, down = 4 / across;
  // Only the lane if the cells would have no room.
  if ((width - across * rowName - (across - 1) * gap) / (8.0 * across) < in.lane + 4)
    rowName = in.lane + 10;
  cellHeight_ = std::clamp((c.height() - down * title - (down - 1) * gap) / (8.0 * down), 2.0,
                           kTallest * in.text);
  cellWidth_ = std::clamp((width - across * rowName - (across - 1) * gap) / (8.0 * across), 2.0,
                          kWidest * cellHeight_);
  for (std::uint32_t matrix = 0; matrix < emulator::kMatrices; ++matrix) {
    // Column by column: the order in the operands that kernels load with them.
    const std::uint32_t column = matrix / down, row = matrix % down;
    Block b;
    b.operand = Operand::Matrix;
    b.matrix = matrix;
    const double x = c.left() + rowName + column * (rowName + 8 * cellWidth_ + gap);
    const double y = c.top() + title + row * (title + 8 * cellHeight_ + gap);
    b.rect = QRectF(x, y, 8 * cellWidth_, 8 * cellHeight_);
    b.title = QRectF(x, y - title, b.rect.width(), title - 2);
    for (std::uint32_t i = 0; i < emulator::kMatrixEdge; ++i) {
      rowNames_[matrix * emulator::kMatrixEdge + i] =
          QRectF(x - rowName, y + i * cellHeight_, rowName - 5, cellHeight_);
    }
    blocks_.push_back(b);
  }
  if (table > 0) placeTable(in, blocks_.back().rect.right() + 2 * in.text);
}

void FragmentGeometry::placeCells(const analysis::WarpOperands& operands) {
  cells_.reserve(operands.values.size());
  for (const auto& v : operands.values) {
    const auto block = std::ranges::find_if(
        blocks_, [&v](const Block& b) { return b.operand == v.operand && b.matrix == v.matrix; });
    if (block == blocks_.end()) {
      cells_.emplace_back();
      continue;
    }
    cells_.emplace_back(block->rect.left() + v.column * cellWidth_ + v.column / kGroup * kGroupGap,
                        block->rect.top() + v.row * cellHeight_ + v.row / kGroup * kGroupGap,
                        cellWidth_, cellHeight_);
  }
}

FragmentGeometry::FragmentGeometry(const FragmentInput& input,
                                   const analysis::WarpOperands& operands) {
  if (operands.load) {
    matrices(input);
  } else {
    product(input, *operands.mma);
  }
  placeCells(operands);
}

QRectF FragmentGeometry::rowName(std::uint32_t lane) const {
  return rowNames_[lane % kLanes];
}

QRectF FragmentGeometry::tableHead(std::size_t column) const {
  if (table_.isEmpty() || column >= columnEnds_.size()) return {};
  const double left = column == 0 ? 0 : columnEnds_[column - 1];
  return {table_.left() + left, table_.top(), columnEnds_[column] - left, 1.3 * tableRow_};
}

QRectF FragmentGeometry::tableCell(std::uint32_t lane, std::size_t column) const {
  const QRectF head = tableHead(column);
  if (head.isEmpty()) return {};
  return {head.left(), head.bottom() + lane * tableRow_, head.width(), tableRow_};
}

std::optional<std::size_t> FragmentGeometry::valueAt(const QPointF& pixel) const {
  const auto found =
      std::ranges::find_if(cells_, [&pixel](const QRectF& cell) { return cell.contains(pixel); });
  if (found == cells_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - cells_.begin());
}

std::optional<std::uint32_t> FragmentGeometry::rowNameAt(const QPointF& pixel) const {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (rowNames_[lane].contains(pixel)) return lane;
  }
  return std::nullopt;
}

std::optional<FragmentGeometry::TablePlace> FragmentGeometry::tableAt(const QPointF& pixel) const {
  for (std::size_t column = 0; column < columnEnds_.size(); ++column) {
    const QRectF first = tableCell(0, column);
    if (first.isEmpty() || pixel.x() < first.left() || pixel.x() >= first.right()) continue;
    const double row = (pixel.y() - first.top()) / tableRow_;
    if (row < 0 || row >= kLanes) return std::nullopt;
    return TablePlace{static_cast<std::uint32_t>(row), column, pixel.x() >= first.center().x()};
  }
  return std::nullopt;
}

}  // namespace tileloom
