// SPDX-License-Identifier: GPL-3.0-or-later
// How people see colours, in numbers: contrast, distance, and what remains without one kind of
// cone.
#pragma once

#include <QColor>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tileloom::test {

using Triple = std::array<double, 3>;

// sRGB as light, each part from 0 to 1 (IEC 61966-2-1).
inline Triple light(const QColor& colour) {
  const auto linear = [](float channel) {
    const double c = static_cast<double>(channel);
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
}

inline double luminance(const QColor& colour) {
  const Triple l = light(colour);
  return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
}

// The contrast ratio of the Web Content Accessibility Guidelines 2, 1 to 21.
inline double contrast(const QColor& x, const QColor& y) {
  const double a = luminance(x), b = luminance(y);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

enum class Sight { Usual, Protanopia, Deuteranopia, Tritanopia };
inline constexpr std::array<Sight, 4> kSights = {Sight::Usual, Sight::Protanopia,
                                                 Sight::Deuteranopia, Sight::Tritanopia};

inline const char* nameOf(Sight sight) {
  constexpr std::array<const char*, 4> names = {"usual sight", "protanopia", "deuteranopia",
                                                "tritanopia"};
  return names[static_cast<std::size_t>(sight)];
}

// What is left of a light without one kind of cone: the matrices of severity 1.0 in table 1 of
// G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation
// of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (6),
// 2009; they are for linear RGB.
inline Triple seen(const Triple& l, Sight sight) {
  using Matrix = std::array<Triple, 3>;
  constexpr std::array<Matrix, 4> matrices = {
      Matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      Matrix{{{0.152286, 1.052583, -0.204868},
              {0.114503, 0.786281, 0.099216},
              {-0.003882, -0.048116, 1.051998}}},
      Matrix{{{0.367322, 0.860646, -0.227968},
              {0.280085, 0.672501, 0.047413},
              {-0.011820, 0.042940, 0.968881}}},
      Matrix{{{1.255528, -0.076749, -0.178779},
              {-0.078411, 0.930809, 0.147602},
              {0.004733, 0.691367, 0.303900}}},
  };
  const Matrix& m = matrices[static_cast<std::size_t>(sight)];
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = std::clamp(m[i][0] * l[0] + m[i][1] * l[1] + m[i][2] * l[2], 0.0, 1.0);
  return out;
}

// CIE L*a*b* of a light under D65.
inline Triple lab(const Triple& l) {
  const auto f = [](double t) {
    constexpr double d = 6.0 / 29.0;
    return t > d * d * d ? std::cbrt(t) : t / (3 * d * d) + 4.0 / 29.0;
  };
  const double x = f((0.4124564 * l[0] + 0.3575761 * l[1] + 0.1804375 * l[2]) / 0.95047);
  const double y = f(0.2126729 * l[0] + 0.7151522 * l[1] + 0.0721750 * l[2]);
  const double z = f((0.0193339 * l[0] + 0.1191920 * l[1] + 0.9503041 * l[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// CIEDE2000 (ISO/CIE 11664-6), with the names of G. Sharma, W. Wu, E. N. Dalal, 2005. About 1 is
// the least difference that can be seen side by side.
inline double ciede2000(const Triple& one, const Triple& two) {
  constexpr double kPi = std::numbers::pi, k25To7 = 6103515625.0;
  const auto degrees = [](double angle) { return angle * 180 / kPi; };
  const auto radians = [](double angle) { return angle * kPi / 180; };
  const double meanC = (std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2;
  const double meanC7 = std::pow(meanC, 7);
  const double g = 0.5 * (1 - std::sqrt(meanC7 / (meanC7 + k25To7)));
  const double a1 = (1 + g) * one[1], a2 = (1 + g) * two[1];
  const double c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, two[2]);
  const auto hue = [&](double a, double b) {
    if (a == 0 && b == 0) return 0.0;
    const double h = degrees(std::atan2(b, a));
    return h < 0 ? h + 360 : h;
  };
  const double h1 = hue(a1, one[2]), h2 = hue(a2, two[2]);
  double turn = h2 - h1, sum = h1 + h2;
  if (c1 * c2 == 0) {
    turn = 0;
  } else {
    if (std::abs(turn) > 180) sum += sum < 360 ? 360 : -360;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    sum /= 2;
  }
  const double dL = two[0] - one[0], dC = c2 - c1;
  const double dH = 2 * std::sqrt(c1 * c2) * std::sin(radians(turn / 2));
  const double l = (one[0] + two[0]) / 2, c = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(radians(sum - 30)) + 0.24 * std::cos(radians(2 * sum)) +
                   0.32 * std::cos(radians(3 * sum + 6)) - 0.20 * std::cos(radians(4 * sum - 63));
  const double c7 = std::pow(c, 7);
  const double rotation = -std::sin(radians(60 * std::exp(-std::pow((sum - 275) / 25, 2)))) * 2 *
                          std::sqrt(c7 / (c7 + k25To7));
  const double sL = 1 + 0.015 * std::pow(l - 50, 2) / std::sqrt(20 + std::pow(l - 50, 2));
  const double sC = 1 + 0.045 * c, sH = 1 + 0.015 * c * t;
  return std::sqrt(std::pow(dL / sL, 2) + std::pow(dC / sC, 2) + std::pow(dH / sH, 2) +
                   rotation * dC / sC * dH / sH);
}

inline double apart(const QColor& x, const QColor& y, Sight sight) {
  return ciede2000(lab(seen(light(x), sight)), lab(seen(light(y), sight)));
}

}  // namespace tileloom::test
