// SPDX-License-Identifier: GPL-3.0-or-later
// The window's explanation of a tile's speed: it comes once the tile parameters rest, and only for
// the last question.
#include "app/services/forecasts/why_service.h"

#include <QSignalSpy>
#include <QtTest>

#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class WhyServiceTest : public QObject {
  Q_OBJECT

  static WhyService::Question question(std::string_view id) {
    WhyService::Question q;
    q.stage = &test::stage(id);
    q.problem = {2048, 2048, 2048};
    q.tile = tileOf(*q.stage, q.stage->standardTile(), q.problem);
    return q;
  }
  static WhyService::Tile tileOf(const Stage& stage, const TileShape& shape,
                                 const Problem& problem) {
    WhyService::Tile tile;
    tile.shape = shape;
    const auto* run = runs::recordedRun(usualSubject(stage, shape), problem);
    if (run != nullptr) {
      tile.kernel.arch = QString::fromStdString(run->arch);
      tile.kernel.registers = run->registers;
      tile.kernel.blocks = run->blocksPerSm;
      tile.run = *run;
    }
    return tile;
  }

 private slots:
  void theLastQuestionIsAnswered() {
    WhyService service;
    std::vector<std::shared_ptr<const Explanation>> answers;
    connect(&service, &WhyService::explained, this,
            [&](const std::shared_ptr<const Explanation>& e) { answers.push_back(e); });
    service.ask(question("naive"));
    service.ask(question("warptiled"));
    QTRY_COMPARE(answers.size(), std::size_t{1});
    const model::WhySlow& why = answers[0]->why;
    QVERIFY(!answers[0]->moved.has_value());
    QVERIFY(why.rung() == &test::stage("warptiled"));
    double sum = 0;
    for (const model::RankedCost& cost : why.costs) sum += cost.share;
    QVERIFY(sum > 0.98 && sum < 1.001);  // those below a thousandth are left out
    QVERIFY(why.counted && !why.neighbours.empty());
    QTest::qWait(300);
    QCOMPARE(answers.size(), std::size_t{1});
  }

  void aMoveIsExplained() {
    WhyService service;
    std::shared_ptr<const Explanation> answer;
    connect(&service, &WhyService::explained, this,
            [&](const std::shared_ptr<const Explanation>& e) { answer = e; });
    auto asked = question("warptiled");
    asked.left = tileOf(*asked.stage, asked.tile.shape.with(Parameter::BK, 8), asked.problem);
    QVERIFY(asked.left->run.has_value());
    service.ask(asked);
    QTRY_VERIFY(answer != nullptr);
    QVERIFY(answer->moved.has_value());
    const model::WhyMoved& moved = *answer->moved;
    QVERIFY(moved.from.tile == asked.left->shape && moved.to.tile == asked.tile.shape);
    QVERIFY(!moved.move.changes.empty() && !moved.figures.empty());
    QVERIFY(moved.runRatio.has_value());
    QCOMPARE(moved.runRatio->speed, asked.tile.run->gflops.median / asked.left->run->gflops.median);
  }

  void whatIsNotKnownIsNotAnswered() {
    WhyService service;
    QSignalSpy explained(&service, &WhyService::explained);
    auto unknown = question("warptiled");
    unknown.tile.kernel.arch = "sm_1";
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
    QTest::qWait(130);  // it has just begun, or is about to begin
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WhyServiceTest, EventLoop)
#include "why_service_test.moc"
