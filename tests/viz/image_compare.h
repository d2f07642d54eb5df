// SPDX-License-Identifier: GPL-3.0-or-later
// Golden images with tolerance: another FreeType rounds glyphs differently, so pictures may differ
// a little everywhere and a lot in very few pixels.
#pragma once

#include <QImage>
#include <QString>
#include <algorithm>
#include <cstdlib>

namespace tileloom::test {

struct Difference {
  double mean = 0;   // absolute, per channel, 0 to 255
  double share = 0;  // of pixels with a channel that differs by more than kMuch
  static constexpr int kMuch = 40;

  bool acceptable() const { return mean < 2.0 && share < 0.01; }
  QString text() const {
    return QStringLiteral("mean difference %1 a channel, %2 % of pixels differ much")
        .arg(mean, 0, 'f', 3)
        .arg(100 * share, 0, 'f', 3);
  }
};

// Both of one size.
inline Difference compare(const QImage& left, const QImage& right) {
  const QImage x = left.convertToFormat(QImage::Format_RGB32);
  const QImage y = right.convertToFormat(QImage::Format_RGB32);
  qint64 sum = 0, much = 0;
  for (int row = 0; row < x.height(); ++row) {
    const auto* a = reinterpret_cast<const QRgb*>(x.constScanLine(row));
    const auto* b = reinterpret_cast<const QRgb*>(y.constScanLine(row));
    for (int column = 0; column < x.width(); ++column) {
      const int red = std::abs(qRed(a[column]) - qRed(b[column]));
      const int green = std::abs(qGreen(a[column]) - qGreen(b[column]));
      const int blue = std::abs(qBlue(a[column]) - qBlue(b[column]));
      sum += red + green + blue;
      much += std::max({red, green, blue}) > Difference::kMuch ? 1 : 0;
    }
  }
  const double pixels = std::max(1.0, static_cast<double>(x.width()) * x.height());
  return {static_cast<double>(sum) / (3 * pixels), static_cast<double>(much) / pixels};
}

}  // namespace tileloom::test
