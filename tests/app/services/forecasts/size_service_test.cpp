// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions over size away from the GUI thread: only for the last question.
#include "app/services/forecasts/size_service.h"

#include <QElapsedTimer>
#include <QtTest>

#include "kernels/model/prediction/rates.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class SizeServiceTest : public QObject {
  Q_OBJECT

  static SizeService::Question question(std::string_view id) {
    SizeService::Question q;
    q.subject() = standardSubject(test::stage(id));
    q.sizes = model::toothSizes(*q.rung(), q.tile, 256, 2048);
    q.shape.blocksPerSm = 2;
    q.rates = *model::ratesFor("sm_90");
    return q;
  }

 private slots:
  void theLastQuestionIsAnswered() {
    SizeService service;
    std::vector<const Stage*> answered;
    SizeService::Answer last;
    connect(&service, &SizeService::answered, this,
            [&](const SizeService::Question& q, const SizeService::Answer& points) {
              answered.push_back(q.rung());
              last = points;
            });
    service.ask(question("naive"));
    service.ask(question("warptiled"));
    QTRY_COMPARE(answered.size(), std::size_t{1});
    QVERIFY(answered[0] == &test::stage("warptiled"));
    QCOMPARE(last->size(), question("warptiled").sizes.size());
    QVERIFY(last->back().gflops > last->front().gflops);
    // The same question has the same answer: nothing is computed.
    service.ask(question("warptiled"));
    QVERIFY(!service.pending());
  }

  void whatIsOvertakenWhileItIsComputedIsNotAnswered() {
    SizeService service;
    std::vector<const Stage*> answered;
    connect(&service, &SizeService::answered, this,
            [&](const SizeService::Question& q, const SizeService::Answer&) {
              answered.push_back(q.rung());
            });
    auto slow = question("naive");
    for (int i = 0; i < 4000; ++i) slow.sizes.push_back(4096);
    service.ask(slow);
    QTest::qWait(250);  // it is being computed
    service.ask(question("warptiled"));
    QTRY_COMPARE(answered.size(), std::size_t{1});
    QVERIFY(answered[0] == &test::stage("warptiled"));
  }

  void whatIsForgottenIsNotAnswered() {
    SizeService service;
    QSignalSpy answered(&service, &SizeService::answered);
    service.ask(question("warptiled"));
    service.forget();
    QTest::qWait(400);
    QCOMPARE(answered.size(), 0);
    QVERIFY(!service.pending());
    service.ask(question("warptiled"));  // is asked again
    QTRY_COMPARE(answered.size(), 1);
  }

  void itEndsInTheMiddle() {
    SizeService service;
    auto slow = question("naive");
    for (int i = 0; i < 4000; ++i) slow.sizes.push_back(4096);
    service.ask(slow);
    QTest::qWait(250);
    QVERIFY(service.pending());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SizeServiceTest, EventLoop)
#include "size_service_test.moc"
