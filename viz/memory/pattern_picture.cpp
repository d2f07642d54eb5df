// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <bit>
#include <map>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/own/access_cells.h"

namespace tileloom {
namespace {

constexpr std::uint32_t kWordsAcross = 32;
constexpr double kLeastOfDigits = 0.22, kLegibleOfDigits = 0.8;  // of the width of two digits
constexpr double kMostForLabels = 0.15;                          // of the width
constexpr double kRowHeight = 1.2, kMostRowHeight = 1.7;         // lines of small text
constexpr double kRoomBeside = 0.5;  // letters' heights between label and grid

QString said(const char* source) {
  return QCoreApplication::translate("tileloom::Pattern", source);
}

// A word of the grid without its place.
struct GridWord {
  std::uint32_t row = 0, column = 0;
  std::uint32_t lanes = 0;
  std::int64_t address = 0;
};

struct Grid {
  std::vector<PatternRow> rows;
  std::vector<GridWord> words;  // by row, then by column
};

Grid ofWavefronts(const own::AccessPattern& pattern) {
  const own::PatternAccess& access = pattern.accesses.front();
  Grid grid;
  for (std::uint32_t w = 0; w < access.cost.shared.count; ++w) {
    PatternRow& row = grid.rows.emplace_back();
    row.name = QString::number(w + 1);
    row.extra = (access.cost.shared.extra >> w & 1u) != 0;
  }
  for (const own::BankCell& cell : own::bankCells(access, pattern.request.bytes))
    grid.words.push_back({cell.wavefront, cell.bank, cell.lanes, cell.address});
  return grid;
}

Grid ofLines(const own::AccessPattern& pattern) {
  const own::PatternAccess& access = pattern.accesses.front();
  std::map<std::int64_t, std::uint32_t> lanesOfWord;  // by the number of the word
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    for (std::uint32_t w = 0; w < std::max(1u, pattern.request.bytes / 4); ++w)
      lanesOfWord[access.address[lane] / 4 + w] |= 1u << lane;
  }
  Grid grid;
  std::int64_t last = -1;
  for (const auto& [word, lanes] : lanesOfWord) {
    const std::int64_t line = word / kWordsAcross;
    if (line != last) {
      grid.rows.emplace_back().name = QString::number(line * analysis::kLineBytes);
      last = line;
    }
    grid.words.push_back({static_cast<std::uint32_t>(grid.rows.size() - 1),
                          static_cast<std::uint32_t>(word % kWordsAcross), lanes, word * 4});
  }
  return grid;
}

Grid gridOf(const own::AccessPattern& pattern) {
  return pattern.shared() ? ofWavefronts(pattern) : ofLines(pattern);
}

}  // namespace

std::uint32_t PatternCell::firstLane() const {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

std::optional<std::size_t> PatternPicture::at(const QPointF& pixel) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].place.contains(pixel)) return i;
  }
  return std::nullopt;
}

QRectF PatternPicture::column(std::uint32_t column) const {
  return {head.left() + column * cellWidth, head.top(), cellWidth, head.height()};
}

PatternPicture patternPicture(const own::AccessPattern& pattern, const QRectF& canvas,
                              const Fonts& fonts) {
  const QFontMetricsF metrics(fonts.small);
  const double line = metrics.height();
  Grid grid = gridOf(pattern);
  // The first row says what the rows are, where there is room for it.
  if (!grid.rows.empty()) {
    QString& first = grid.rows.front().name;
    const QString named = (pattern.shared() ? said("wavefront %1") : said("byte %1")).arg(first);
    if (metrics.horizontalAdvance(named) < kMostForLabels * canvas.width()) first = named;
  }
  double labels = 0;
  for (const PatternRow& row : grid.rows)
    labels = std::max(labels, metrics.horizontalAdvance(row.name));
  // The mark of an extra wavefront is as wide as a line is high.
  labels += (pattern.shared() ? 1.1 : 0.0) * line + kRoomBeside * line;

  PatternPicture picture;
  picture.shared = pattern.shared();
  picture.crowded = pattern.shared() ? pattern.accesses.front().cost.shared.crowded : 0;
  picture.cellWidth = std::max(1.0, canvas.width() - labels) / kWordsAcross;
  picture.head =
      QRectF(canvas.left() + labels, canvas.top(), picture.cellWidth * kWordsAcross, line);
  const double count = std::max<double>(1, static_cast<double>(grid.rows.size()));
  const double height = std::clamp((canvas.bottom() - picture.head.bottom()) / count, 0.25 * line,
                                   kMostRowHeight * line);
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    PatternRow& row = grid.rows[i];
    const double top = picture.head.bottom() + static_cast<double>(i) * height;
    row.band = {picture.head.left(), top, picture.head.width(), height};
    row.label = {canvas.left(), top, labels - kRoomBeside * line, height};
  }
  picture.bottom = picture.head.bottom() + height * static_cast<double>(grid.rows.size());
  for (const GridWord& word : grid.words) {
    const QRectF& band = grid.rows[word.row].band;
    PatternCell& cell = picture.cells.emplace_back();
    cell.row = word.row;
    cell.column = word.column;
    cell.lanes = word.lanes;
    cell.address = word.address;
    cell.place = {band.left() + word.column * picture.cellWidth, band.top(), picture.cellWidth,
                  height};
    const bool joins = picture.cells.size() > 1 && !picture.runs.empty() &&
                       picture.runs.back().lanes == cell.lanes &&
                       picture.cells[picture.cells.size() - 2].row == cell.row &&
                       picture.cells[picture.cells.size() - 2].column + 1 == cell.column;
    if (joins)
      picture.runs.back().place |= cell.place;
    else
      picture.runs.push_back({cell.place, cell.lanes});
    if (pattern.shared()) continue;
    const std::uint32_t sector = cell.column / 8;
    const QRectF frame(band.left() + sector * 8 * picture.cellWidth, band.top(),
                       8 * picture.cellWidth, height);
    if (picture.sectors.empty() || picture.sectors.back() != frame)
      picture.sectors.push_back(frame);
  }
  picture.rows = std::move(grid.rows);
  return picture;
}

double patternHeight(const own::AccessPattern& pattern, const Fonts& fonts) {
  const double line = QFontMetricsF(fonts.small).height();
  return line +
         kRowHeight * line * std::max<double>(1, static_cast<double>(gridOf(pattern).rows.size()));
}

double patternWidth(const Fonts& fonts, bool legible) {
  const QFontMetricsF metrics(fonts.small);
  const double digits = metrics.horizontalAdvance(QStringLiteral("00"));
  return (legible ? metrics.horizontalAdvance(said("wavefront %1").arg(1)) : digits) +
         digits * kWordsAcross * (legible ? kLegibleOfDigits : kLeastOfDigits) +
         2 * metrics.height();
}

}  // namespace tileloom
