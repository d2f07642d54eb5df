// SPDX-License-Identifier: GPL-3.0-or-later
// The waits of warps that multiply, as shares of their time together, without warps that only
// fetch.
#include "kernels/timeline/wait_shares.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom::timeline {

class WaitSharesTest : public QObject {
  Q_OBJECT

  static BlockProgram threeWarps() {
    BlockProgram program;
    program.warps.resize(3);
    program.warps[0].operations.push_back({.work = Work::WaitBarrier});
    program.warps[0].operations.push_back({.work = Work::Product});
    program.warps[1].operations.push_back({.work = Work::Product});
    program.warps[2].operations.push_back({.work = Work::Box});
    return program;
  }
  static Measured times() {
    Measured m;
    m.summedMs = 1;
    m.times = {
        {1'000, {100, 0, 0, 600, 0}}, {3'000, {0, 400, 0, 1'000, 0}}, {5'000, {0, 4'000, 0, 0, 0}}};
    return m;
  }

 private slots:
  void sharesAreOfTheWarpsThatMultiply() {
    const auto shares = waitShares(times(), threeWarps());
    QVERIFY(shares);
    QCOMPARE(shares->warps, 2);
    QCOMPARE(shares->cycles, 2'000.0);
    QCOMPARE(shares->of(On::Warps), 0.025);
    QCOMPARE(shares->of(On::Phase), 0.1);
    QCOMPARE(shares->of(On::Products), 0.4);
    QCOMPARE(shares->of(On::Boxes), 0.0);
    QCOMPARE(shares->of(On::Fragments), 0.0);  // for which there is no sum
    // The third one brings data, and a fourth one does nothing.
    BlockProgram four = threeWarps();
    four.warps.emplace_back().operations.push_back({.work = Work::Meet});
    Measured m = times();
    m.times.push_back({5'000, {5'000, 0, 0, 0, 0}});
    QCOMPARE(waitShares(m, four)->of(On::Products), 0.4);
    const auto bring = waitShares(m, four, Who::Bring);
    QVERIFY(bring);
    QCOMPARE(bring->warps, 1);
    QCOMPARE(bring->of(On::Phase), 0.8);
    QCOMPARE(bring->of(On::Warps), 0.0);
  }

  void thereAreNoneWithoutSumsOrOfOtherWarps() {
    QVERIFY(!waitShares(Measured(), threeWarps()));
    Measured fewer = times();
    fewer.times.pop_back();
    QVERIFY(!waitShares(fewer, threeWarps()));
    BlockProgram idle = threeWarps();
    for (Program& warp : idle.warps) warp.operations.clear();
    QVERIFY(!waitShares(times(), idle));
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::WaitSharesTest, Nothing)
#include "wait_shares_test.moc"
