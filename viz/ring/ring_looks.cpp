// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/ring/ring_looks.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/cell_rects.h"
#include "viz/loom/slab_picture.h"

namespace tileloom {

using analysis::DataState;
using analysis::Matrix;
using analysis::SlotState;

namespace {

// Colours and marks of states that the loom does not show.
struct Tones {
  QColor plain, mark;
};
constexpr int kLying = 5, kLyingWidth = 2;        // marks of what has arrived
constexpr int kStanding = 6, kStandingWidth = 1;  // of sums that wait to be stored
constexpr int kZeros = 6, kZerosWidth = 1;

// Between hatched and flat: horizontal marks, for data that has settled.
Tones arrivedTones(const Theme& theme, Matrix m) {
  return {Theme::mix(theme.ground, theme.matrix(m), 0.42),
          Theme::mix(theme.ground, theme.matrix(m), 0.16)};
}
Tones sumTonesOf(const Theme& theme) {
  return {Theme::mix(theme.ground, theme.matrix(Matrix::C), 0.55),
          Theme::mix(theme.ground, theme.matrix(Matrix::C), 0.2)};
}
Tones zeroTones(const Theme& theme) {
  return {Theme::mix(theme.ground, theme.text, 0.06), Theme::mix(theme.ground, theme.text, 0.45)};
}

DataState inLoom(SlotState state) {
  switch (state) {
    case SlotState::OnItsWay:
      return DataState::InFlight;
    case SlotState::Ready:
      return DataState::InShared;
    case SlotState::Reading:
      return DataState::InRegisters;
    case SlotState::Consumed:
      return DataState::Consumed;
    default:
      return DataState::NotAsked;
  }
}

}  // namespace

RingLooks::RingLooks(const Theme& theme, double density) : theme_(theme) {
  const int side = std::max(1, static_cast<int>(std::lround(kPeriod * density)));
  const auto paint = [&](QImage& image, auto&& colour) {
    image = QImage(side, side, QImage::Format_RGB32);
    for (int y = 0; y < side; ++y) {
      auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
      for (int x = 0; x < side; ++x)
        line[x] = colour(static_cast<int>(x / density), static_cast<int>(y / density)).rgb();
    }
  };
  for (const Matrix m : {Matrix::A, Matrix::B}) {
    auto& textures = textures_[static_cast<std::size_t>(m)];
    for (const SlotState state : {SlotState::Empty, SlotState::OnItsWay, SlotState::Ready,
                                  SlotState::Reading, SlotState::Consumed}) {
      QImage& image = textures[static_cast<std::size_t>(state)];
      image = QImage(side, side, QImage::Format_RGB32);
      fillWithLook(image, theme, m, inLoom(state), density);
    }
    const Tones arrived = arrivedTones(theme, m), sums = sumTonesOf(theme);
    paint(textures[static_cast<std::size_t>(SlotState::Arrived)],
          [&](int, int y) { return y % kLying < kLyingWidth ? arrived.mark : arrived.plain; });
    paint(textures[static_cast<std::size_t>(SlotState::Other)],
          [&](int x, int) { return x % kStanding < kStandingWidth ? sums.mark : sums.plain; });
  }
  // Hatched the other way than data in flight.
  const Tones zeros = zeroTones(theme);
  paint(zeros_, [&](int x, int y) {
    return (x - y + 2 * kPeriod) % kZeros < kZerosWidth ? zeros.mark : zeros.plain;
  });
}

PatternLook RingLooks::look(Matrix matrix, SlotState state) const {
  if (state == SlotState::Arrived) {
    const Tones tones = arrivedTones(theme_, matrix);
    return {tones.plain, tones.mark,          PatternLook::Marks::Across,
            kLying,      double{kLyingWidth}, kLyingWidth / 2.0};
  }
  if (state == SlotState::Other) {
    const Tones tones = sumTonesOf(theme_);
    return {tones.plain,
            tones.mark,
            PatternLook::Marks::Upright,
            kStanding,
            double{kStandingWidth},
            kStandingWidth / 2.0};
  }
  return lookOfState(theme_, matrix, inLoom(state));
}

PatternLook RingLooks::zeroLook() const {
  const Tones tones = zeroTones(theme_);
  return {tones.plain, tones.mark, PatternLook::Marks::Falling, kZeros, double{kZerosWidth}, 0};
}

QRgb RingLooks::at(Matrix matrix, SlotState state, int x, int y) const {
  const QImage& image = textures_[matrix == Matrix::A ? 0 : 1][static_cast<std::size_t>(state)];
  return image.pixel(x % image.width(), y % image.height());
}

QRgb RingLooks::zero(int x, int y) const {
  return zeros_.pixel(x % zeros_.width(), y % zeros_.height());
}

void paintPanel(QPainter& painter, const QRectF& where, const RingLooks& looks, Matrix matrix,
                const analysis::SlotPanel& panel, double density) {
  if (paintsPixels(painter)) {
    QImage image(std::max(1, static_cast<int>(where.width() * density)),
                 std::max(1, static_cast<int>(where.height() * density)), QImage::Format_RGB32);
    paintPanel(image, looks, matrix, panel);
    return painter.drawImage(where, image);
  }
  constexpr auto kZero = static_cast<std::uint32_t>(analysis::kSlotStates);
  const CellGrid grid(where, where, panel.columns, panel.rows);
  const auto value = [&](int column, int row) {
    const auto& cell =
        panel.cells[static_cast<std::size_t>(grid.row(row) * panel.columns + grid.column(column))];
    const bool zero = cell.outside && cell.state != SlotState::OnItsWay;
    return zero ? kZero : static_cast<std::uint32_t>(cell.state);
  };
  for (const auto& [key, cells] : cellRects(grid.columns(), grid.rows(), value)) {
    const PatternLook look =
        key == kZero ? looks.zeroLook() : looks.look(matrix, static_cast<SlotState>(key));
    fillLook(painter, grid.rects(cells), look, where.topLeft());
  }
}

void paintPanel(QImage& image, const RingLooks& looks, Matrix matrix,
                const analysis::SlotPanel& panel) {
  const int width = image.width(), height = image.height();
  for (int y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const std::int64_t row = std::int64_t{y} * panel.rows / height;
    for (int x = 0; x < width; ++x) {
      const std::int64_t column = std::int64_t{x} * panel.columns / width;
      const auto& cell = panel.cells[static_cast<std::size_t>(row * panel.columns + column)];
      const bool there = cell.state != SlotState::OnItsWay;
      line[x] = cell.outside && there ? looks.zero(x, y) : looks.at(matrix, cell.state, x, y);
    }
  }
}

}  // namespace tileloom
