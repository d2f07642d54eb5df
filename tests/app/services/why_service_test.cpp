// SPDX-License-Identifier: GPL-3.0-or-later
// The window's explanation of a tile's speed: it comes once the knobs rest, and of the last
// question only.
#include "app/services/why_service.h"

#include <QSignalSpy>
#include <QtTest>

#include "kernels/runs/recordings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class WhyServiceTest : public QObject {
  Q_OBJECT

  static constexpr int kPatience = 60000;

  static WhyService::Question question(std::string_view id) {
    WhyService::Question q;
    q.stage = &test::stage(id);
    q.tile = q.stage->standardTile();
    q.problem = {2048, 2048, 2048};
    const auto* run = runs::recordedRun(*q.stage, q.tile, q.problem);
    if (run != nullptr) {
      q.kernel.arch = QString::fromStdString(run->arch);
      q.kernel.registers = run->registers;
      q.kernel.blocks = run->blocksPerSm;
      q.run = *run;
    }
    return q;
  }

 private slots:
  void theLastQuestionIsAnswered() {
    WhyService service;
    std::vector<std::shared_ptr<const model::WhySlow>> answers;
    connect(&service, &WhyService::explained, this,
            [&](const std::shared_ptr<const model::WhySlow>& why) { answers.push_back(why); });
    service.ask(question("naive"));
    service.ask(question("warptiled"));
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), std::size_t{1}, kPatience);
    const model::WhySlow& why = *answers[0];
    QVERIFY(why.stage == &test::stage("warptiled"));
    double sum = 0;
    for (const model::RankedCost& cost : why.costs) sum += cost.share;
    QVERIFY(sum > 0.98 && sum < 1.001);  // those below a thousandth are left out
    QVERIFY(why.counted && !why.neighbours.empty());
    QTest::qWait(300);
    QCOMPARE(answers.size(), std::size_t{1});
  }

  void whatIsNotKnownIsNotAnswered() {
    WhyService service;
    QSignalSpy explained(&service, &WhyService::explained);
    auto unknown = question("warptiled");
    unknown.kernel.arch = "sm_1";
    service.ask(unknown);
    QTest::qWait(500);
    service.ask(question("warptiled"));
    service.forget();
    QTest::qWait(500);
    QCOMPARE(explained.size(), 0);
  }

  void itEndsInTheMiddle() {
    WhyService service;
    service.ask(question("tuned"));
    QTest::qWait(230);  // it has just begun, or is about to
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WhyServiceTest, EventLoop)
#include "why_service_test.moc"
