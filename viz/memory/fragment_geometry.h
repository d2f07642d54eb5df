// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the page Fragments: the operands of an mma as in the loom, A to the left, B on top,
// C in the corner; or, with less height, side by side; or the four matrices of ldmatrix; and beside
// them, if it fits, the table of lanes and registers.
#pragma once

#include <QRectF>
#include <array>
#include <optional>
#include <vector>

#include "kernels/analysis/tensor/warp_operands.h"

namespace tileloom {

struct FragmentInput {
  QRectF canvas;
  double text = 15;             // pixels that a line of small text needs
  double lane = 14;             // width that "31" needs in it
  double full = 48;             // width that the fullest text of a cell needs
  double names = 34;            // width that the names of registers beside a matrix need
  double rowName = 90;          // width that the name of a row of ldmatrix needs
  double column = 60;           // width that the lane needs in the table
  std::vector<double> columns;  // widths of the table's registers
  double least = 0.72;          // smallest scale of small text
};

class FragmentGeometry {
 public:
  using Operand = analysis::Operand;

  // An operand, or one of the four matrices.
  struct Block {
    Operand operand = Operand::A;
    std::uint32_t matrix = 0;
    QRectF rect;                // of its cells
    QRectF title;               // its name
    std::vector<QRectF> names;  // of the registers of each eight rows; of a matrix none
    bool namesRight = false;    // the names are to its right
  };

  FragmentGeometry() = default;
  FragmentGeometry(const FragmentInput& input, const analysis::WarpOperands& operands);

  const std::vector<Block>& blocks() const { return blocks_; }
  // The cell of the operand's value with this number; blocks of eight rows and columns have a gap.
  QRectF cell(std::size_t value) const { return cells_[value]; }
  std::size_t cells() const { return cells_.size(); }
  // The name of a row of ldmatrix, by the lane that addresses it; empty for an mma.
  QRectF rowName(std::uint32_t lane) const;
  QSizeF cellSize() const { return {cellWidth_, cellHeight_}; }
  bool cornered() const { return cornered_; }
  // Room for words: above A, to the left of B; empty: none.
  QRectF words() const { return words_; }

  // The table; empty: no room. Column 0 is the lane, the others are registers.
  QRectF table() const { return table_; }
  double tableScale() const { return tableScale_; }  // of small text
  QRectF tableHead(std::size_t column) const;
  QRectF tableCell(std::uint32_t lane, std::size_t column) const;

  // The value under a pixel.
  std::optional<std::size_t> valueAt(const QPointF& pixel) const;
  std::optional<std::uint32_t> rowNameAt(const QPointF& pixel) const;
  struct TablePlace {
    std::uint32_t lane = 0;
    std::size_t column = 0;
    bool upper = false;  // the right half of the cell
  };
  std::optional<TablePlace> tableAt(const QPointF& pixel) const;

 private:
  void product(const FragmentInput& input, const MmaRow& mma);
  void matrices(const FragmentInput& input);
  // The width of the table; 0: it does not fit beside `least`.
  double roomForTable(const FragmentInput& input, double least);
  void placeTable(const FragmentInput& input, double left);
  void placeCells(const analysis::WarpOperands& operands);

  std::vector<Block> blocks_;
  std::vector<QRectF> cells_;
  std::array<QRectF, 32> rowNames_;
  double cellWidth_ = 0, cellHeight_ = 0;
  bool cornered_ = false;
  QRectF words_;
  QRectF table_;
  double tableScale_ = 1, tableRow_ = 0;
  std::vector<double> columnEnds_;  // from the left of the table, the lane's first
};

}  // namespace tileloom
