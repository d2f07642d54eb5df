// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/ring/ring_looks.h"

#include <algorithm>
#include <cmath>

#include "viz/loom/slab_picture.h"

namespace tileloom {

using analysis::DataState;
using analysis::Matrix;
using analysis::SlotState;

RingLooks::RingLooks(const Theme& theme, double density) {
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
    const auto asInLoom = [&](SlotState state, DataState like) {
      QImage& image = textures[static_cast<std::size_t>(state)];
      image = QImage(side, side, QImage::Format_RGB32);
      fillWithLook(image, theme, m, like, density);
    };
    asInLoom(SlotState::Empty, DataState::NotAsked);
    asInLoom(SlotState::OnItsWay, DataState::InFlight);
    asInLoom(SlotState::Ready, DataState::InShared);
    asInLoom(SlotState::Reading, DataState::InRegisters);
    asInLoom(SlotState::Consumed, DataState::Consumed);
    // Between hatched and flat: lies down, as what has settled.
    const QColor flat = Theme::mix(theme.ground, theme.matrix(m), 0.42);
    const QColor dim = Theme::mix(theme.ground, theme.matrix(m), 0.16);
    paint(textures[static_cast<std::size_t>(SlotState::Arrived)],
          [&](int, int y) { return y % 5 < 2 ? dim : flat; });
    const QColor sum = Theme::mix(theme.ground, theme.matrix(Matrix::C), 0.55);
    const QColor seam = Theme::mix(theme.ground, theme.matrix(Matrix::C), 0.2);
    paint(textures[static_cast<std::size_t>(SlotState::Other)],
          [&](int x, int) { return x % 6 < 1 ? seam : sum; });
  }
  const QColor well = Theme::mix(theme.ground, theme.text, 0.06);
  const QColor mark = Theme::mix(theme.ground, theme.text, 0.45);
  // Hatched the other way than what is on its way.
  paint(zeros_, [&](int x, int y) { return (x - y + 2 * kPeriod) % 6 < 1 ? mark : well; });
}

QRgb RingLooks::at(Matrix matrix, SlotState state, int x, int y) const {
  const QImage& image = textures_[matrix == Matrix::A ? 0 : 1][static_cast<std::size_t>(state)];
  return image.pixel(x % image.width(), y % image.height());
}

QRgb RingLooks::zero(int x, int y) const {
  return zeros_.pixel(x % zeros_.width(), y % zeros_.height());
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
