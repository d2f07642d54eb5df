// SPDX-License-Identifier: GPL-3.0-or-later
// Short devices and sizes, for use beside figures.
#include "viz/base/text/figure_text.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class FigureTextTest : public QObject {
  Q_OBJECT

 private slots:
  void devicesAreShort() {
    QCOMPARE(figures::deviceText("NVIDIA H100 80GB HBM3"), "H100");
    QCOMPARE(figures::deviceText("NVIDIA H200"), "H200");
    QCOMPARE(figures::deviceText("NVIDIA GeForce RTX 4090"), "GeForce RTX 4090");
    QCOMPARE(figures::deviceText(""), "");
    QCOMPARE(figures::whereText(Freshness::Recorded, "NVIDIA H200"), "recorded on H200");
    QCOMPARE(figures::whereText(Freshness::Live, "NVIDIA H200"), "live on H200");
    QCOMPARE(figures::whereText(Freshness::Recorded, ""), "recorded");
  }

  void sizesAreShort() {
    QCOMPARE(figures::sizeText({2048, 2048, 2048}), "2048³");
    QCOMPARE(figures::sizeText({2048, 1024, 512}), "2048 × 1024 × 512");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FigureTextTest, Nothing)
#include "figure_text_test.moc"
