// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of an access pattern as plain geometry: a grid of 32 words. A row is a wavefront, and
// its columns are the banks; or, of global memory, a row is a line of 128 bytes with its sectors.
#pragma once

#include <QRectF>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/own/access_pattern.h"
#include "viz/base/theme.h"

namespace tileloom {

struct PatternRow {
  QRectF band;   // its 32 words
  QRectF label;  // to the left
  QString name;  // "wavefront 1", "2", or "1" in a narrow picture; of global memory the line's
                 // first byte
  bool extra = false;  // a wavefront that a conflict adds
};

// A word that lanes access.
struct PatternCell {
  QRectF place;
  std::uint32_t row = 0, column = 0;
  std::uint32_t lanes = 0;
  std::int64_t address = 0;  // of its first byte

  std::uint32_t firstLane() const;
};

// Words beside each other of the same lanes: they share one label.
struct PatternRun {
  QRectF place;
  std::uint32_t lanes = 0;
};

struct PatternPicture {
  bool shared = true;
  QRectF head;  // the numbers of the columns
  double cellWidth = 0;
  std::vector<PatternRow> rows;
  std::vector<PatternCell> cells;  // by row, then by column
  std::vector<PatternRun> runs;
  std::vector<QRectF> sectors;  // of global memory: those that are fetched
  std::uint32_t crowded = 0;    // bit b: bank b must serve several words at once
  double bottom = 0;            // pixels

  // The cell at a pixel; the index of a cell.
  std::optional<std::size_t> at(const QPointF& pixel) const;
  QRectF column(std::uint32_t column) const;  // of the head
};

// Of the first access of the pattern, at the top of the canvas (pixels).
PatternPicture patternPicture(const own::AccessPattern& pattern, const QRectF& canvas,
                              const Fonts& fonts);

// The height at which every row can have its numbers.
double patternHeight(const own::AccessPattern& pattern, const Fonts& fonts);
// The least width at which the cells can be told apart; `legible`: and have legible numbers.
double patternWidth(const Fonts& fonts, bool legible = false);

}  // namespace tileloom
