// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/bank_geometry.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tileloom {
namespace {

constexpr double kGap = 0.7;        // between rows and strips, in rows
constexpr double kLeastCell = 4.0;  // pixels

}  // namespace

std::vector<std::uint32_t> BankGeometry::rowsOf(const analysis::Moment& moment, std::uint32_t words,
                                                std::uint32_t least) {
  std::set<std::uint32_t> rows;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((moment.instruction.mask >> lane & 1u) == 0) continue;
    rows.insert(moment.cost.addresses[lane] / analysis::kBanks);
    rows.insert((moment.cost.addresses[lane] + std::max(1u, moment.width) - 1) / analysis::kBanks);
  }
  const std::uint32_t all = (words + analysis::kBanks - 1) / analysis::kBanks;
  while (!rows.empty() && rows.size() < std::min(least, all)) {
    const std::uint32_t after = *rows.rbegin() + 1;
    if (after < all) {
      rows.insert(after);
    } else if (*rows.begin() > 0) {
      rows.insert(*rows.begin() - 1);
    } else {
      break;
    }
  }
  return {rows.begin(), rows.end()};
}

BankGeometry::BankGeometry(const BankInput& input) : input_(input) {
  const QRectF& canvas = input.canvas;
  cellWidth_ =
      std::max(1.0, (canvas.width() - input.leftLabel - input.rightLabel) / analysis::kBanks);
  top_ = canvas.top() + input.text;
  const double height = std::max(0.0, canvas.bottom() - top_);
  const double wanted = static_cast<double>(input.rows.size()) + input.strips + kGap;
  cellHeight_ = std::clamp(height / std::max(1.0, wanted), kLeastCell, 1.7 * input.text);
  // What does not fit is omitted at the end; the footer says how much.
  const double room = height / cellHeight_ - kGap;
  const auto fit = static_cast<std::size_t>(std::max(1.0, std::floor(room + 1e-6)));
  shownRows_ =
      std::min(input.rows.size(),
               input.strips == 0
                   ? fit
                   : std::max<std::size_t>(fit / 2, fit > input.strips ? fit - input.strips : 1));
  shownStrips_ = static_cast<std::uint32_t>(
      std::min<std::size_t>(input.strips, fit > shownRows_ ? fit - shownRows_ : 0));
  stripTop_ = top_ + (static_cast<double>(shownRows_) + kGap) * cellHeight_;
}

QRectF BankGeometry::bankLabel(std::uint32_t bank) const {
  return {input_.canvas.left() + input_.leftLabel + bank * cellWidth_, input_.canvas.top(),
          cellWidth_, input_.text};
}

QRectF BankGeometry::cell(std::size_t row, std::uint32_t bank) const {
  return {input_.canvas.left() + input_.leftLabel + bank * cellWidth_,
          top_ + static_cast<double>(row) * cellHeight_, cellWidth_, cellHeight_};
}

QRectF BankGeometry::rowLabel(std::size_t row) const {
  return {input_.canvas.left(), top_ + static_cast<double>(row) * cellHeight_, input_.leftLabel - 6,
          cellHeight_};
}

double BankGeometry::bottom() const {
  return shownStrips_ > 0 ? stripTop_ + shownStrips_ * cellHeight_
                          : top_ + static_cast<double>(shownRows_) * cellHeight_;
}

QRectF BankGeometry::strip(std::uint32_t wavefront) const {
  return {input_.canvas.left() + input_.leftLabel, stripTop_ + wavefront * cellHeight_,
          cellWidth_ * analysis::kBanks, cellHeight_};
}

QRectF BankGeometry::stripCell(std::uint32_t wavefront, std::uint32_t bank) const {
  const QRectF s = strip(wavefront);
  return {s.left() + bank * cellWidth_, s.top(), cellWidth_, s.height()};
}

QRectF BankGeometry::stripLabel(std::uint32_t wavefront) const {
  const QRectF s = strip(wavefront);
  return {input_.canvas.left(), s.top(), input_.leftLabel - 6, s.height()};
}

std::optional<std::uint32_t> BankGeometry::wordAt(const QPointF& pixel) const {
  const double x = pixel.x() - input_.canvas.left() - input_.leftLabel;
  const double y = pixel.y() - top_;
  if (x < 0 || y < 0 || cellHeight_ <= 0) return std::nullopt;
  const auto bank = static_cast<std::uint32_t>(x / cellWidth_);
  const auto row = static_cast<std::size_t>(y / cellHeight_);
  if (bank >= analysis::kBanks || row >= shownRows_) return std::nullopt;
  const std::uint32_t word = input_.rows[row] * analysis::kBanks + bank;
  return word < input_.words ? std::optional(word) : std::nullopt;
}

std::optional<QRectF> BankGeometry::cellOfWord(std::uint32_t word) const {
  const auto found =
      std::lower_bound(input_.rows.begin(), input_.rows.end(), word / analysis::kBanks);
  if (found == input_.rows.end() || *found != word / analysis::kBanks) return std::nullopt;
  const auto row = static_cast<std::size_t>(found - input_.rows.begin());
  if (row >= shownRows_) return std::nullopt;
  return cell(row, word % analysis::kBanks);
}

}  // namespace tileloom
