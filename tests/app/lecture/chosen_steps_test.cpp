// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/chosen_steps.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom::lecture {

class ChosenStepsTest : public QObject {
  Q_OBJECT

  using Steps = std::vector<std::size_t>;

 private slots:
  void numbersAndRangesAreRead() {
    QCOMPARE(*chosenSteps("--steps", "", 3), (Steps{0, 1, 2}));
    QCOMPARE(*chosenSteps("--steps", "  ", 2), (Steps{0, 1}));
    QCOMPARE(*chosenSteps("--steps", "3,1", 5), (Steps{2, 0}));
    QCOMPARE(*chosenSteps("--steps", "2-4, 1", 5), (Steps{1, 2, 3, 0}));
    QCOMPARE(*chosenSteps("--steps", "5-5", 5), (Steps{4}));
  }

  void whatIsNoStepIsNamed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    for (const auto& [text, says] : std::initializer_list<std::pair<const char*, const char*>>{
             {"0", "1 to 5"},
             {"6", "1 to 5"},
             {"x", "\"x\""},
             {"1,,2", "\"\""},
             {"-3", "-3"},
             {"2-", "\"\""},
             {"4-2", "smaller number"},
             {"99999999999999999999", "1 to 5"}})
      QTest::newRow(text) << text << says;
  }
  void whatIsNoStepIsNamed() {
    QFETCH(const QString, text);
    QFETCH(const QString, says);
    const auto steps = chosenSteps("--steps", text.toStdString(), 5);
    QVERIFY(!steps);
    const QString error = QString::fromStdString(steps.error());
    QVERIFY2(error.contains("--steps") && error.contains(says), qPrintable(error));
  }

  // Also if they are repeated.
  void theyStayFew() {
    std::string text = "1-5";
    for (int i = 0; i < 1000; ++i) text += ",1-5";
    QVERIFY(!chosenSteps("--steps", text, 5));
  }
};

}  // namespace tileloom::lecture

TILELOOM_TEST(tileloom::lecture::ChosenStepsTest, Nothing)
#include "chosen_steps_test.moc"
