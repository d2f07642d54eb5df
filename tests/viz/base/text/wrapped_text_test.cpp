// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/wrapped_text.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class WrappedTextTest : public QObject {
  Q_OBJECT

  static constexpr const char* kText =
      "Of 300 tiles measured, with any tile parameters, the fastest reaches 22.4 TFLOP/s, 17 % "
      "over the "
      "default tile. Left out: no tile with BM 1, 2, 4, 128 or 256 is legal.";

 private slots:
  void whatHasRoomIsWhole() {
    const QFontMetricsF metrics{QFont()};
    QCOMPARE(fittedLines(kText, metrics, {10'000, metrics.height()}), kText);
    QCOMPARE(fittedLines({}, metrics, {10, 10}), QString());
  }

  // Words are complete, a cut text ends in an ellipsis, and it fits.
  void whatIsCutSaysSo() {
    const QFontMetricsF metrics{QFont()};
    for (const double width : {120.0, 200.0, 333.0, 600.0}) {
      for (int lines = 1; lines < 4; ++lines) {
        const QSizeF room(width, lines * std::ceil(metrics.lineSpacing()));
        const QString text = fittedLines(kText, metrics, room);
        if (text == kText) continue;
        QVERIFY2(text.endsWith(" …"), qPrintable(text));
        const QString stem = text.chopped(2);
        QVERIFY2(QString(kText).startsWith(stem), qPrintable(text));
        QVERIFY(!QChar(kText[stem.size()]).isLetterOrNumber());
        const QRectF used = metrics.boundingRect(QRectF(0, 0, width, 1 << 20),
                                                 Qt::AlignLeft | Qt::TextWordWrap, text);
        QVERIFY(used.height() <= 1.02 * room.height() + 1);
      }
    }
    QCOMPARE(fittedLines(kText, metrics, {100, 2}), QString());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WrappedTextTest, Widgets)
#include "wrapped_text_test.moc"
