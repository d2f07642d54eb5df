// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of a memory path's stations: columns from left to right in the order of the values'
// path.
#pragma once

#include <QRectF>
#include <vector>

#include "kernels/analysis/memory/memory_path.h"

namespace tileloom {

class PathGeometry {
 public:
  using Station = analysis::MemoryPath::Station;

  struct Column {
    Station station = Station::Sectors;
    QRectF title;  // two lines of words
    QRectF body;
    double row = 0;    // height of one of its rows
    double label = 0;  // width of their names
    std::uint32_t rows = 0;
  };

  PathGeometry() = default;
  // `canvas`: without header and footer; `text` the height of a line, `element` and `number` the
  // widths that the names of sectors and of other rows need. `wavefronts` is how many the access
  // takes.
  PathGeometry(const QRectF& canvas, const analysis::MemoryPath& path, std::uint32_t wavefronts,
               double text, double element, double number);

  const std::vector<Column>& columns() const { return columns_; }
  QRectF row(const Column& column, std::uint32_t index) const;
  QRectF rowLabel(const Column& column, std::uint32_t index) const;

  QRectF sectorFloat(const Column& column, std::uint32_t sector, std::uint32_t part) const;
  // Words of one bank are side by side in the order of their addresses.
  QRectF word(const Column& column, std::uint32_t word) const;
  // The place of a value in a column; empty: the value does not pass it.
  QRectF of(const Column& column, const analysis::MemoryPath::Value& value) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::uint32_t>> banks_;  // distinct words by bank, ascending
  std::size_t deepest_ = 1;
  std::uint32_t parts_ = 1;   // words of a lane's access
  std::uint32_t halves_ = 1;  // elements of a word
  std::uint32_t inSector_ = 8;
};

}  // namespace tileloom
