// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/clauses.h"

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
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ClausesTest, Widgets)
#include "clauses_test.moc"
