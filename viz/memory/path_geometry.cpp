// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/path_geometry.h"

#include <algorithm>
#include <set>

namespace tileloom {
namespace {

using analysis::kBanks;
using analysis::MemoryPath;

constexpr double kGapShare = 0.7;  // between columns, of a column's width
constexpr double kTallest = 22.0;  // pixels of a row, or as many as its name needs

// One of `count` parts of a rectangle, side by side.
QRectF partOf(const QRectF& r, std::uint32_t part, std::uint32_t count) {
  const double w = r.width() / count;
  return {r.left() + part * w, r.top(), w, r.height()};
}

}  // namespace

PathGeometry::PathGeometry(const QRectF& canvas, const MemoryPath& path, std::uint32_t wavefronts,
                           double text, double element, double number)
    : banks_(kBanks), halves_(path.parts), inSector_(path.sectorElements()) {
  std::vector<std::set<std::uint32_t>> words(kBanks);
  for (const MemoryPath::Value& v : path.values) {
    if (v.word) words[*v.word % kBanks].insert(*v.word);
    parts_ = std::max(parts_, v.part + 1);
  }
  for (std::size_t bank = 0; bank < kBanks; ++bank) {
    banks_[bank].assign(words[bank].begin(), words[bank].end());
    deepest_ = std::max(deepest_, banks_[bank].size());
  }
  const auto count = static_cast<double>(path.stations.size());
  if (count < 1) return;
  const double width = canvas.width() / (count + (count - 1) * kGapShare);
  double x = canvas.left();
  for (const Station station : path.stations) {
    Column c;
    c.station = station;
    // Words may extend into the gap, those of the last column to the left.
    const bool last = station == path.stations.back();
    c.title = QRectF(last ? x - kGapShare * width : x, canvas.top(),
                     width * (1 + kGapShare) - (last ? 0 : 8), 2.2 * text);
    c.label = station == Station::Sectors ? element : number;
    c.body = QRectF(x + c.label, c.title.bottom() + 4, std::max(8.0, width - c.label),
                    std::max(8.0, canvas.bottom() - c.title.bottom() - 6));
    c.rows = station == Station::Sectors      ? static_cast<std::uint32_t>(path.sectors.size())
             : station == Station::Wavefronts ? wavefronts
                                              : 32;
    // Names that are higher than their rows extend beyond the first and the last one.
    if (c.rows * text > c.body.height()) c.body.adjust(0, 0.4 * text, 0, -0.4 * text);
    c.row = std::min(std::max(kTallest, 1.3 * text), c.body.height() / std::max(1u, c.rows));
    // Few rows are in the middle, where the lines are short.
    const double height = c.row * c.rows;
    c.body = QRectF(c.body.left(), c.body.top() + (c.body.height() - height) / 2, c.body.width(),
                    height);
    columns_.push_back(c);
    x += width * (1 + kGapShare);
  }
}

QRectF PathGeometry::row(const Column& c, std::uint32_t index) const {
  return {c.body.left(), c.body.top() + index * c.row, c.body.width(), c.row};
}

QRectF PathGeometry::rowLabel(const Column& c, std::uint32_t index) const {
  return {c.body.left() - c.label, c.body.top() + index * c.row, c.label - 4, c.row};
}

QRectF PathGeometry::sectorFloat(const Column& c, std::uint32_t sector, std::uint32_t part) const {
  return partOf(row(c, sector), part, inSector_);
}

QRectF PathGeometry::word(const Column& c, std::uint32_t word) const {
  const std::uint32_t bank = word % kBanks;
  const auto& words = banks_[bank];
  const auto at = std::ranges::find(words, word);
  if (at == words.end()) return {};
  const QRectF r = row(c, bank);
  const double w = r.width() / static_cast<double>(deepest_);
  return {r.left() + static_cast<double>(at - words.begin()) * w, r.top(), w, r.height()};
}

QRectF PathGeometry::of(const Column& c, const MemoryPath::Value& v) const {
  switch (c.station) {
    case Station::Sectors:
      return sectorFloat(c, v.sector, v.inSector);
    case Station::SharedWords:
      return v.word ? partOf(word(c, *v.word), v.inWord, halves_) : QRectF();
    case Station::Wavefronts: {
      if (!v.wavefront || !v.word || *v.wavefront >= c.rows) return {};
      return partOf(row(c, *v.wavefront), *v.word % kBanks * halves_ + v.inWord, kBanks * halves_);
    }
    case Station::Lanes: {
      return partOf(row(c, v.lane), v.part * halves_ + v.half, parts_ * halves_);
    }
  }
  return {};
}

}  // namespace tileloom
