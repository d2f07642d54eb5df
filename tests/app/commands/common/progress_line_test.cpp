// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of work, its pace, and the time left.
#include "app/commands/common/progress_line.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::app {

class ProgressLineTest : public QObject {
  Q_OBJECT

 private slots:
  void pace() {
    using test::q;
    QCOMPARE(q(pacedText("tracing tiles", 0, 84699, 0)), QString("tracing tiles: 0 of 84,699"));
    QCOMPARE(q(pacedText("tracing tiles", 2820, 84699, 10)),
             QString("tracing tiles: 2,820 of 84,699, 282 per second, about 5 min left"));
    QCOMPARE(q(pacedText("x", 50, 100, 10)),
             QString("x: 50 of 100, 5.0 per second, about 10 s left"));
    QCOMPARE(q(pacedText("x", 100, 100, 10)),
             QString("x: 100 of 100, 10 per second, about 0 s left"));
  }

  void dueAtOnceAndThenNowAndThen() {
    ProgressLine line;
    QVERIFY(line.due());
    line.show("begun");
    QVERIFY(!line.due());
  }
};

}  // namespace tileloom::app

TILELOOM_TEST(tileloom::app::ProgressLineTest, Nothing)
#include "progress_line_test.moc"
