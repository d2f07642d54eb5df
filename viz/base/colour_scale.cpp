// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/colour_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tileloom {
namespace {

struct Lab {
  double l = 0, a = 0, b = 0;
};

constexpr std::array<Lab, 4> kControls = {Lab{28, 19, -40}, Lab{49, -31, -34}, Lab{70, -53, 22},
                                          Lab{91, -11, 64}};

Lab onCurve(double t) {
  const double u = 1 - t;
  const std::array<double, 4> weights = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
  Lab at;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    at.l += weights[i] * kControls[i].l;
    at.a += weights[i] * kControls[i].a;
    at.b += weights[i] * kControls[i].b;
  }
  return at;
}

// CIE 15:2004, 8.2.1, solved for X, Y, Z; then IEC 61966-2-1.
QColor inRgb(const Lab& lab) {
  const auto unfolded = [](double t) {
    constexpr double d = 6.0 / 29.0;
    return t > d ? t * t * t : 3 * d * d * (t - 4.0 / 29.0);
  };
  const double fy = (lab.l + 16) / 116;
  const double x = 0.95047 * unfolded(fy + lab.a / 500);
  const double y = unfolded(fy);
  const double z = 1.08883 * unfolded(fy - lab.b / 200);
  const auto encoded = [](double c) {
    const double v = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
    return static_cast<float>(std::clamp(v, 0.0, 1.0));
  };
  return QColor::fromRgbF(encoded(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
                          encoded(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
                          encoded(0.0556434 * x - 0.2040259 * y + 1.0572252 * z));
}

}  // namespace

QColor scaleColour(double share, const Theme& theme) {
  const double t = std::clamp(share, 0.0, 1.0);
  return inRgb(onCurve(theme.dark ? t : 1 - t));
}

}  // namespace tileloom
