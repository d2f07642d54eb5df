// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/answers.h"

#include <QtTest>
#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

#include "tests/app/late_answers.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::LateAnswers;

class AnswersTest : public QObject {
  Q_OBJECT

 private slots:
  void theyArriveInOrderOnThisThread() {
    Answers answers;
    std::vector<int> arrived;
    const auto here = std::this_thread::get_id();
    bool elsewhere = false;
    std::thread([&] {
      for (int i = 0; i < 3; ++i)
        answers.give([&, i] {
          arrived.push_back(i);
          elsewhere = elsewhere || std::this_thread::get_id() != here;
        });
    }).join();
    QVERIFY(arrived.empty());
    QTRY_COMPARE(arrived, (std::vector<int>{0, 1, 2}));
    QVERIFY(!elsewhere);
  }

  void noneArrivesWhereNoneIsWaitedFor() {
    bool arrived = false;
    std::optional<Answers> answers(std::in_place);
    answers->give([&] { arrived = true; });
    answers.reset();
    QCoreApplication::processEvents();
    QVERIFY(!arrived);
  }

  // A test of the window does the same with them.
  void lateOnesKeepTheOrderOfTheirService() {
    LateAnswers late;
    late.begin(test::seed());
    Answers one, two;
    std::vector<int> ofOne, ofTwo;
    for (int i = 0; i < 20; ++i) {
      one.give([&, i] { ofOne.push_back(i); });
      two.give([&, i] { ofTwo.push_back(i); });
    }
    QCoreApplication::processEvents();
    QCOMPARE(late.held(), 40);
    QTRY_VERIFY(ofOne.size() == 20 && ofTwo.size() == 20);
    QVERIFY(std::ranges::is_sorted(ofOne) && std::ranges::is_sorted(ofTwo));
  }

  void lateOnesOfAServiceThatIsGoneDoNotArrive() {
    LateAnswers late;
    late.begin(test::seed());
    bool arrived = false;
    {
      Answers answers;
      answers.give([&] { arrived = true; });
      QCoreApplication::processEvents();
      QCOMPARE(late.held(), 1);
      if (arrived) return;  // it was not late
    }
    late.end();
    QVERIFY(!arrived);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::AnswersTest, Widgets)
#include "answers_test.moc"
