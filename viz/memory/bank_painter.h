// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the bank view: shared memory for shared accesses, 128-byte lines and sectors for global
// ones.
#pragma once

#include <QPainter>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/memory/bank_geometry.h"

namespace tileloom {

// Which access the bank view shows: the current instruction if it touches memory, else the latest
// shared access of the warp.
const analysis::Moment* bankMoment(const Scene& scene);

// What one word of the shown access stands for: the first lane that touches it, and the shared word
// or the element that it is.
Selection bankSelection(const Scene& scene, std::uint32_t word);

struct BankFrame {
  QRectF header;
  QRectF canvas;
  QRectF footer;
  static BankFrame of(const QRectF& whole, const Fonts& fonts);
};

BankGeometry bankGeometry(const Scene& scene, const BankFrame& frame, const Fonts& fonts);

void paintBanks(QPainter& painter, const BankFrame& frame, const BankGeometry& geometry,
                const Scene& scene, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
