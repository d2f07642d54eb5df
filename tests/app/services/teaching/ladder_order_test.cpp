// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder says at which size its order holds, by the recorded runs.
#include "app/services/teaching/ladder_order.h"

#include <QtTest>

#include "kernels/runs/recordings.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"

namespace tileloom {

class LadderOrderTest : public QObject {
  Q_OBJECT

  static std::vector<LadderBar> recordedAt(int size) {
    std::vector<LadderBar> bars;
    for (const Stage* stage : everyStage()) {
      LadderBar bar;
      bar.subject() = {stage, stage->standardTile(), stage->usualFormat()};
      if (const auto* run = runs::recordedRun(usualSubject(*stage, bar.tile), {size, size, size})) {
        bar.ratio = run->ratio;
        bar.gflops = run->gflops;
        bar.device = QString::fromStdString(run->device);
      }
      bars.push_back(std::move(bar));
    }
    return bars;
  }

  static QString sentenceAt(int size) {
    return ladderOrderSentence(recordedAt(size), {size, size, size});
  }

 private slots:
  void itIsSaidWhereAnotherRungIsTheFastest() {
    const QString small = sentenceAt(2048);
    QVERIFY2(small.startsWith("At 2048³ T10 is the fastest rung (97.7 %), at 8192³ T13 (103.9 % of "
                              "cublasGemmEx in bf16)"),
             qPrintable(small));
    QVERIFY(sentenceAt(1024).contains("T8 is the fastest rung"));
    QVERIFY(sentenceAt(4096).isEmpty());
    QVERIFY(sentenceAt(8192).isEmpty());
  }

  void nothingKnownIsNotCompared() {
    QVERIFY(ladderOrderSentence({}, {2048, 2048, 2048}).isEmpty());
    QVERIFY(sentenceAt(777).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LadderOrderTest, EventLoop)
#include "ladder_order_test.moc"
