// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the bank view: 32 columns of one 4-byte word, a row for each 128 bytes that the
// access touches, and below them one strip for each wavefront.
#pragma once

#include <QRectF>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/analysis/moment.h"

namespace tileloom {

struct BankInput {
  QRectF canvas;                    // pixels, between header and footer
  double text = 16;                 // pixels that a line of small text needs
  double leftLabel = 60;            // pixels for row numbers
  double rightLabel = 60;           // pixels for the label to the right of a strip
  std::uint32_t words = 0;          // 4-byte words of the whole memory
  std::vector<std::uint32_t> rows;  // rows (of 32 words) to show, ascending
  std::uint32_t strips = 0;         // wavefronts
};

class BankGeometry {
 public:
  BankGeometry() = default;
  explicit BankGeometry(const BankInput& input);

  // Rows of 32 words that `moment` touches, filled up with neighbours to at least `least` rows.
  static std::vector<std::uint32_t> rowsOf(const analysis::Moment& moment, std::uint32_t words,
                                           std::uint32_t least);

  QRectF bankLabel(std::uint32_t bank) const;
  QRectF cell(std::size_t row, std::uint32_t bank) const;  // row: index into rows()
  QRectF rowLabel(std::size_t row) const;
  QRectF strip(std::uint32_t wavefront) const;
  QRectF stripCell(std::uint32_t wavefront, std::uint32_t bank) const;
  QRectF stripLabel(std::uint32_t wavefront) const;

  // The end of rows and strips.
  double bottom() const;

  const std::vector<std::uint32_t>& rows() const { return input_.rows; }
  std::size_t shownRows() const { return shownRows_; }
  std::uint32_t shownStrips() const { return shownStrips_; }
  double cellWidth() const { return cellWidth_; }
  double cellHeight() const { return cellHeight_; }

  // Whether the memory has this word.
  bool holds(std::uint32_t word) const { return word < input_.words; }
  // The word under a pixel of the rows.
  std::optional<std::uint32_t> wordAt(const QPointF& pixel) const;
  // The place of a word in the rows, if its row is shown.
  std::optional<QRectF> cellOfWord(std::uint32_t word) const;

 private:
  BankInput input_;
  double cellWidth_ = 0;
  double cellHeight_ = 0;
  double top_ = 0;  // of the first row
  double stripTop_ = 0;
  std::size_t shownRows_ = 0;
  std::uint32_t shownStrips_ = 0;
};

}  // namespace tileloom
