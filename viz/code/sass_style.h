// SPDX-License-Identifier: GPL-3.0-or-later
// The look of a class of instructions: a hue, and a shape that shows the class without colour.
#pragma once

#include <QRectF>
#include <array>
#include <optional>

#include "kernels/sass/mix.h"
#include "viz/base/theme.h"

class QPainter;

namespace tileloom {

// A stripe fills one or two parts of its row, in shares of the height from the top.
struct StripeShape {
  double top = 0, bottom = 1;
  std::optional<std::pair<double, double>> second = std::nullopt;
};
StripeShape stripeShape(sass::Class c);

// Uses the hues of the warps, which never appear in the same picture.
QColor classColor(const Theme& theme, sass::Class c);

// The parts of `cell` that a stripe of this class fills.
void fillStripe(QPainter& painter, const QRectF& cell, sass::Class c, const Theme& theme);

}  // namespace tileloom
