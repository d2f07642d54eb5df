// SPDX-License-Identifier: GPL-3.0-or-later
// The looks of a stage's elements: those of the loom's slabs for equal states, other patterns for
// other states.
#pragma once

#include <QImage>
#include <array>

#include "kernels/analysis/order/stage_ring.h"
#include "viz/base/paint/vector_fill.h"
#include "viz/base/theme.h"

namespace tileloom {

class RingLooks {
 public:
  // `density`: pixels of an image for each of the canvas.
  RingLooks(const Theme& theme, double density);

  // The colour of an element of A or B at pixel (x, y) of an image: patterns continue from cell to
  // cell.
  QRgb at(analysis::Matrix matrix, analysis::SlotState state, int x, int y) const;
  QRgb zero(int x, int y) const;  // what TMA writes for elements outside a matrix

  // The same as areas and lines.
  PatternLook look(analysis::Matrix matrix, analysis::SlotState state) const;
  PatternLook zeroLook() const;

 private:
  static constexpr int kPeriod = 60;  // common period of all patterns, in pixels of the canvas
  Theme theme_;
  std::array<std::array<QImage, analysis::kSlotStates>, 2> textures_;
  QImage zeros_;
};

// A panel at `where`: an image of `density` pixels per pixel of the canvas where there are pixels,
// areas and lines elsewhere.
void paintPanel(QPainter& painter, const QRectF& where, const RingLooks& looks,
                analysis::Matrix matrix, const analysis::SlotPanel& panel, double density);
// A panel over the pixels of an image.
void paintPanel(QImage& image, const RingLooks& looks, analysis::Matrix matrix,
                const analysis::SlotPanel& panel);

}  // namespace tileloom
