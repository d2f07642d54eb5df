// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/clauses.h"

#include <QGuiApplication>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class ClausesTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsLeftIsWhole() {
    const QFontMetricsF metrics(QGuiApplication::font());
    const QString whole = "warp 0, line 36: 32-bit store to As, 4 wavefronts · 3 of them extra";
    QCOMPARE(shortenedByClauses(whole, metrics, metrics.horizontalAdvance(whole)), whole);
    QString last = whole;
    for (const char* left : {"warp 0, line 36: 32-bit store to As, 4 wavefronts",
                             "warp 0, line 36: 32-bit store to As"}) {
      const double room = metrics.horizontalAdvance(last) - 1;
      QCOMPARE(shortenedByClauses(whole, metrics, room), QString(left));
      last = QString(left);
    }
    QCOMPARE(shortenedByClauses(whole, metrics, 10), last);
    QCOMPARE(shortenedByClauses("one clause", metrics, 1), QString("one clause"));
    QCOMPARE(shortenedByClauses("a, b", metrics, 1), QString("a"));
  }

  // A part of an enumeration would be read as all of it: it ends in "…".
  void enumerationsAreOneClause() {
    const QFontMetricsF metrics(QGuiApplication::font());
    QCOMPARE(enumerated({}), QString());
    QCOMPARE(enumerated({"a"}), QString("a"));
    QCOMPARE(enumerated({"a", "b"}), QString("a and b"));
    const QString list = enumerated({"one takes 160", "another takes 160", "the last keeps 32"});
    QCOMPARE(QString(list).remove(QChar(0x2060)),
             QString("one takes 160, another takes 160 and the last keeps 32"));
    QCOMPARE(metrics.horizontalAdvance(list),
             metrics.horizontalAdvance(QString(list).remove(QChar(0x2060))));
    const QString text = "Registers: " + list + ".";
    for (double width = metrics.horizontalAdvance(text) - 1; width > 60; width -= 1) {
      const QString shown = fitted(text, metrics, width);
      QVERIFY2(shown.endsWith(u'…'), qPrintable(shown));
      QVERIFY2(metrics.horizontalAdvance(shown) <= width, qPrintable(shown));
    }
  }

  // A call is not complete without its last argument.
  void aLineOfSourceIsNotCutAtItsCommas() {
    const QFontMetricsF metrics(QGuiApplication::font());
    const QString code = "  load_matrices(a + m * 4, turned(row, column));";
    QCOMPARE(fittedWords(code, metrics, metrics.horizontalAdvance(code)), code);
    for (double width = metrics.horizontalAdvance(code) - 1; width > 100; width -= 1) {
      const QString shown = fittedWords(code, metrics, width);
      QVERIFY2(shown.endsWith(u'…') && metrics.horizontalAdvance(shown) <= width,
               qPrintable(shown));
    }
  }

  // At every width the painted text fits, and has no cut number and no cut word.
  void whatHasNoRoomIsLeftOutWhole() {
    const QFontMetricsF metrics(QGuiApplication::font());
    for (const QString text :
         {"K tile 2 of 128", "2,048", "0", "128-bit shared load of As", "wavefronts",
          "warp 0, line 36: 32-bit store to As, 4 wavefronts · 3 of them extra", "matrix 1, 1 of 8",
          "recorded on H100, 2048³", "  As[row * BK + 16] = a;"}) {
      QCOMPARE(fitted(text, metrics, metrics.horizontalAdvance(text)), text);
      for (double width = metrics.horizontalAdvance(text) + 1; width > 0; width -= 1) {
        const QString shown = fitted(text, metrics, width);
        QVERIFY2(metrics.horizontalAdvance(shown) <= width, qPrintable(shown));
        if (!shown.endsWith(u'…')) {
          QVERIFY2(text.startsWith(shown), qPrintable(shown));
          continue;
        }
        const QString stem = shown.chopped(1);
        QVERIFY2(text.startsWith(stem) && stem.size() >= 4, qPrintable(shown));
        // After a complete clause is its separator.
        const bool clause = stem.endsWith(", ") || stem.endsWith(u" · ");
        QVERIFY2(clause || (!stem.back().isDigit() && !stem.endsWith(u' ')), qPrintable(shown));
      }
    }
    const auto at = [&](const char* text, const char* room) {
      return fitted(text, metrics, metrics.horizontalAdvance(QString(room)));
    };
    QCOMPARE(at("K tile 2 of 128", "K tile 2 of…"), QString("K tile 2 of…"));
    QCOMPARE(at("K tile 2 of 128", "K tile 2 …"), QString("K tile…"));
    QCOMPARE(at("wavefronts", "wavef…"), QString("wavef…"));
    QCOMPARE(at("wavefronts", "wav…"), QString());
    QCOMPARE(at("16384", "163…"), QString());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ClausesTest, Widgets)
#include "clauses_test.moc"
