// SPDX-License-Identifier: GPL-3.0-or-later
// Samples assigned to the warps that they belong to.
#include "kernels/timeline/recorded/sampled_waits.h"
#include "kernels/tile/subject.h"

#include <QtTest>
#include <cmath>

#include "kernels/emulator/run.h"
#include "kernels/sass/recorded.h"
#include "kernels/timeline/program.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

class SampledWaitsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  struct Found {
    WaitPlaces places;
    SampledWaits waits;
    bool known = false;  // else its source has changed since, and must be sampled again
  };
  Found of(std::string_view id) {
    const Stage& stage = test::stage(id);
    const Problem problem{4096, 4096, 4096};
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    request.problem = problem;
    request.kTiles = tilesWanted(stage, request.tile);
    request.operands = false;
    Found found{waitPlaces(emulator::traceBlock(workspace_, request)), {}, false};
    auto recorded =
        recordedWaits(usualSubject(stage, request.tile), problem, "sm_90", found.places);
    if (recorded) found.waits = std::move(recorded->waits);
    found.known = recorded.has_value();
    return found;
  }

 private slots:
  void sharesAreOfTheirOwnWarps() {
    for (const char* id :
         {"tuned", "multistage", "specialised", "consumers", "cluster", "hopper"}) {
      const Found f = of(id);
      if (!f.known) continue;
      for (const auto* lines : {&f.waits.multiply, &f.waits.bring}) {
        double all = 0;
        for (const model::LineStalls& line : *lines) all += line.stalls.share;
        if (!lines->empty()) QVERIFY2(std::abs(all - 1) < 1e-9, id);
      }
      const double all = f.waits.ofMultiply + f.waits.ofBring + f.waits.ofIdle;
      QVERIFY2(std::abs(all - 1) < 1e-9, id);
      QCOMPARE(f.waits.bring.empty(), f.places.bring == 0);
    }
  }

  // Three of twelve warps wait from the beginning of their block to its end: a quarter of all
  // samples, but not a reason for the slowness of the others.
  void idleWarpsAreNoCause() {
    for (const char* id : {"cluster", "stored", "hopper"}) {
      const Found f = of(id);
      if (!f.known) continue;
      QVERIFY2(std::abs(f.waits.ofIdle - 0.25) < 0.005, id);
      for (const model::LineStalls& line : f.waits.multiply) {
        if (line.line == f.places.idleLine) QVERIFY2(line.stalls.share < 0.05, id);
      }
      const WaitPlace* first = f.places.at(f.waits.multiply.front().line);
      QVERIFY2(first != nullptr && first->on == On::Products, id);
    }
    QVERIFY(of("consumers").known && of("cluster").known);
    QCOMPARE(of("consumers").waits.ofIdle, 0.0);  // if they end at once they have no samples
  }

  // One warp of nine brings the data: its samples do not dilute those of the others.
  void waitsForProducts() {
    const Found f = of("consumers");
    const double share = *f.waits.waiting(f.places, On::Products, Who::Multiply);
    QVERIFY2(share > 0.65 && share < 0.72, qPrintable(QString::number(share)));
    QVERIFY(*f.waits.waiting(f.places, On::Phase, Who::Bring) > 0.4);
    QCOMPARE(*f.waits.waiting(f.places, On::Products, Who::Bring), 0.0);
  }

  // The hardware samples a warp that waits in __syncthreads() after it, and one that waits for a
  // phase at a branch, for which the listing has another line: both belong to the operation's line.
  void samplesStandAtTheWord() {
    const Found v2 = of("overlapped");
    double warps = 0;
    for (const model::LineStalls& line : v2.waits.multiply) {
      const WaitPlace* place = v2.places.at(line.line);
      if (place != nullptr && place->on == On::Warps) warps += line.stalls.share;
    }
    QVERIFY2(warps > 0.25, qPrintable(QString::number(warps)));
    // A deferred barrier: some instructions are issued after it.
    const Found tuned = of("tuned");
    QVERIFY(*tuned.waits.waiting(tuned.places, On::Warps, Who::Multiply) > 0.06);
    const Found stays = of("persistent");
    QVERIFY(*stays.waits.waiting(stays.places, On::Phase, Who::Multiply) > 0.04);
  }

  void wordsBeforeReasons() {
    const Found f = of("consumers");
    QCOMPARE(test::q(waitedText(f.waits.multiply.front(), &f.places)),
             QString("for its wgmma (profiler: at a barrier)"));
    QCOMPARE(test::q(waitedText(f.waits.multiply.front(), nullptr)), QString("at a barrier"));
    QVERIFY(waitedText({}, &f.places).empty());
    // The kernel's term covers all waits at the line, the profiler's reason only its own samples.
    const model::StallShare& stalls = f.waits.multiply.front().stalls;
    QCOMPARE(waitedShare(f.waits.multiply.front(), &f.places), stalls.share - stalls.ready);
    QCOMPARE(waitedShare(f.waits.multiply.front(), nullptr), stalls.reasonShare);
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::SampledWaitsTest, EventLoop)
#include "sampled_waits_test.moc"
