// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/sass_style.h"

#include <QPainter>

namespace tileloom {

using sass::Class;

// Arithmetic rises from the bottom, shared loads fill the row, global loads hang from the top,
// stores have a gap: they differ in grey and at a width of one pixel, too. Instructions of the
// whole warp, mma and ldmatrix, are taller than those of its lanes.
StripeShape stripeShape(Class c) {
  switch (c) {
    case Class::Ffma:
      return {0.45, 1};
    case Class::Hmma:
      return {0.2, 1};
    case Class::Hgmma:
      return {0.1, 1};
    case Class::Lds:
    case Class::Barrier:
      return {0, 1};
    case Class::Ldsm:
      return {0, 0.42, std::pair(0.5, 1.0)};
    case Class::Ldg:
      return {0, 0.62};
    case Class::Sts:
      return {0, 0.32, std::pair(0.62, 1.0)};
    case Class::Stg:
      return {0, 0.32};
    case Class::Branch:
      return {0.55, 0.75};
    case Class::Integer:
      return {0.74, 1};
    case Class::Other:
      return {0.87, 1};
  }
  return {};
}

QColor classColor(const Theme& theme, Class c) {
  switch (c) {
    case Class::Ffma:
      return theme.warp(2);
    case Class::Hmma:
    case Class::Hgmma:
      return theme.warp(6);
    case Class::Lds:
    case Class::Ldsm:
      return theme.warp(1);
    case Class::Ldg:
      return theme.warp(0);
    case Class::Sts:
    case Class::Stg:
      return theme.warp(3);
    case Class::Barrier:
    case Class::Branch:
      return theme.text;
    case Class::Integer:
      return theme.soft;
    case Class::Other:
      return theme.faint;
  }
  return theme.text;
}

void fillStripe(QPainter& painter, const QRectF& cell, Class c, const Theme& theme) {
  const StripeShape shape = stripeShape(c);
  const QColor color = classColor(theme, c);
  const auto part = [&](double top, double bottom) {
    painter.fillRect(QRectF(cell.left(), cell.top() + top * cell.height(), cell.width(),
                            (bottom - top) * cell.height()),
                     color);
  };
  part(shape.top, shape.bottom);
  if (shape.second) part(shape.second->first, shape.second->second);
}

}  // namespace tileloom
