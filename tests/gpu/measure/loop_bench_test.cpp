// SPDX-License-Identifier: GPL-3.0-or-later
// The time of an iteration, on a GPU whose figures are known (gpu/fake) and whose kernels are
// fixtures of the rewriter's tests.
#include "kernels/gpu/measure/loop_bench.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;

class LoopBenchTest : public QObject {
  Q_OBJECT

  // One SM with room for one block: M = N = 64.
  static constexpr const char* kDevice =
      "sms=1,registers=200,static=150000,memory=64M,jitter=0,rate=rewritten:100,clock=1500,polls=0,"
      "cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin";
  static TileShape smallTile(int depth = 8) {
    TileShape tile = test::stage("rewritten").standardTile();
    tile[Parameter::BM] = tile[Parameter::BN] = 64;
    tile[Parameter::BK] = depth;
    tile[Parameter::WM] = tile[Parameter::WN] = 32;
    return tile;
  }
  static void use(const std::string& more = {}) { Fake::use(std::string(kDevice) + "," + more); }
  static Result<runs::LoopTimes> measured(const LoopProgress& progress = {},
                                          std::string_view id = "rewritten", int rounds = 1,
                                          double limitMs = 10'000, int depth = 8) {
    const auto driver = Driver::load();
    if (!driver) qFatal("%s", driver.error().text.c_str());
    const Stage& its = test::stage(id);
    LoopOptions options;
    options.rounds = rounds;
    options.launches = 1;
    options.limitMs = limitMs;
    const TileShape tile = id == "rewritten" ? smallTile(depth) : its.standardTile();
    auto times = measureLoop(*driver, 0, **Nvrtc::load(), nullptr, usualSubject(its, tile), options,
                             progress);
    if (!times && isFatal(times.error().trouble)) (*driver)->abandon();
    return times;
  }

 private slots:
  void figuresAreTheSimulatedOnes() {
    use();
    {
      std::vector<int> rounds;
      const auto times = measured(
          [&rounds](int round) {
            rounds.push_back(round);
            return true;
          },
          "rewritten", 2);
      QVERIFY2(times.has_value(), times ? "" : times.error().text.c_str());
      QVERIFY(rounds == (std::vector{0, 1}));
      QCOMPARE(times->device, std::string("Fake H100"));
      QCOMPARE(times->driver, std::string("0.0.fake"));
      QCOMPARE(times->arch, std::string("sm_90"));
      QCOMPARE(times->cuda, std::string("13.0"));
      QVERIFY(times->rung() == &test::stage("rewritten") && times->tile == smallTile());
      QCOMPARE(times->fingerprint, fingerprintOf(*times->rung()));
      QCOMPARE(times->smClockMHz, 1500);
      QVERIFY(!times->recorded);
      // The untouched loop, and each version once, the one with all changes first; then all of them
      // with other lanes, from which this compiler makes the same code.
      const std::size_t own = times->times.size() / 2;
      QCOMPARE(times->times.size(), 2 * own);
      QVERIFY(own > 4 && own <= 9);
      QVERIFY(!times->times[0].changes && times->times[1].changes == rewrite::Changes{});
      for (std::size_t i = 0; i < times->times.size(); ++i) {
        const runs::LoopTime& each = times->times[i];
        QCOMPARE(each.pairedLoads, i >= own);
        QVERIFY(each.changes == times->times[i % own].changes);
        QVERIFY(times->of(each.changes, each.pairedLoads) == &each.cycles);
        // 2 M N BK operations at 1e11 per second, in cycles of 1.5 GHz.
        const double expected = 2.0 * 64 * 64 * 8 / 1e11 * 1.5e9;
        QVERIFY(std::abs(each.cycles.median - expected) < expected / 1000);
        QVERIFY(each.cycles.low <= each.cycles.median && each.cycles.median <= each.cycles.high);
      }
      const auto back = runs::loopTimesFromLine(toLine(*times));
      QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
      // Each SM has as many blocks as fit, and versions are checked, then timed.
      const std::string log = Fake::log();
      QVERIFY2(log.find("launch rewritten 1x1 128x1 ") != std::string::npos, log.c_str());
      const int launches = int(times->times.size()) * (1 + 2 * 2);
      QCOMPARE(test::q(log).count("launch rewritten"), qsizetype{launches});
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  // Iterations are whole K tiles, whatever their depth.
  void tilesOfOddDepth() {
    use();
    const auto times = measured({}, "rewritten", 1, 10'000, 24);
    QVERIFY2(times.has_value(), times ? "" : times.error().text.c_str());
    const double expected = 2.0 * 64 * 64 * 24 / 1e11 * 1.5e9;
    QVERIFY(std::abs(times->times[0].cycles.median - expected) < expected / 1000);
  }

  void troubleIsOneSentence_data() {
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<int>("trouble");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const char* behaviour, Trouble trouble,
                        const char* names) {
      QTest::newRow(name) << behaviour << int(trouble) << names;
    };
    row("no NVML", "fail=nvmlInit_v2:999", Trouble::Missing, "SM clock");
    row("unknown to NVML", "fail=nvmlDeviceGetHandleByPciBusId_v2:6", Trouble::Missing, "SM clock");
    row("no clock", "fail=nvmlDeviceGetClockInfo:3", Trouble::Missing, "clock is unknown");
    row("another generation", "arch=86", Trouble::Unsupported, "compute capability 8.6");
    row("too many registers", "registers=168,spill=8", Trouble::Unsupported, "spills registers");
    row("no memory", "memory=1K", Trouble::OutOfMemory, "memory");
    row("hangs", "hang=launch", Trouble::TimedOut, "time limit");
    row("hangs while it is timed", "hang=launch@21", Trouble::TimedOut, "time limit");
    row("faults", "illegal-address", Trouble::Lost, "illegal");
    row("computes another result", "wrong=17@2", Trouble::WrongResult, "another result");
    row("computes another result with other lanes", "wrong=17@10", Trouble::WrongResult,
        "another result");
    row("a kernel that is not loaded", "fail=cuModuleLoadData:209@2", Trouble::Unsupported, "209");
    row("no events", "fail=cuEventCreate:2", Trouble::OutOfMemory, "memory");
  }
  void troubleIsOneSentence() {
    QFETCH(QString, behaviour);
    QFETCH(int, trouble);
    QFETCH(QString, names);
    use(behaviour.toStdString());
    const bool hangs = behaviour.startsWith("hang");
    const auto times = measured({}, "rewritten", 1, hangs ? 100 : 10'000);
    QVERIFY(!times.has_value());
    QVERIFY2(test::q(times.error().text).contains(names), times.error().text.c_str());
    QCOMPARE(int(times.error().trouble), trouble);
    QCOMPARE(test::sentenceFlaw(times.error().text), QString());
  }
  // Its loop has one version.
  void aStageWithoutARewriter() {
    use();
    {
      const auto times = measured({}, "async", 2);
      QVERIFY2(times.has_value(), times ? "" : times.error().text.c_str());
      QCOMPARE(times->times.size(), std::size_t{1});
      QVERIFY(!times->times[0].changes && !times->times[0].pairedLoads);
      QVERIFY(times->times[0].cycles.median > 0);
    }
    QCOMPARE(Fake::leaks(), std::string());
  }
  // Its iterations could be timed, but not compared with anything.
  void aDeviceThatTheModelDoesNotKnow() {
    use("arch=86");
    const auto times = measured({}, "async");
    QVERIFY(!times && times.error().trouble == Trouble::Unsupported);
    QVERIFY2(test::q(times.error().text).contains("sm_86"), times.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(times.error().text), QString());
    QVERIFY(Fake::log().find("launch") == std::string::npos);
  }
  void whatHasNoTurnsOfKTiles_data() {
    QTest::addColumn<QString>("stage");
    for (const char* stage : {"naive", "shared", "wgmma"}) QTest::newRow(stage) << stage;
  }
  void whatHasNoTurnsOfKTiles() {
    QFETCH(QString, stage);
    use();
    const auto times = measured({}, stage.toStdString());
    QVERIFY(!times && times.error().trouble == Trouble::Unsupported);
    QVERIFY2(test::q(times.error().text).contains(stage), times.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(times.error().text), QString());
    QVERIFY(Fake::log().find("launch") == std::string::npos);
    QCOMPARE(Fake::leaks(), std::string());
  }
  // Fewer blocks would fit, or the loop accesses local memory: no version with these lanes can be
  // compared with the others.
  void otherLanesThatAreLeftOut_data() {
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<bool>("there");
    QTest::newRow("as many blocks have room") << "registers-with=PAIR:255" << true;
    QTest::newRow("too many registers") << "registers-with=PAIR:256" << false;
    QTest::newRow("spills") << "spill-with=PAIR" << false;
  }
  void otherLanesThatAreLeftOut() {
    QFETCH(QString, behaviour);
    QFETCH(bool, there);
    use(behaviour.toStdString());
    const auto times = measured();
    QVERIFY2(times.has_value(), times ? "" : times.error().text.c_str());
    QVERIFY(times->of(rewrite::Changes{}) != nullptr);
    QCOMPARE(std::ranges::any_of(times->times, &runs::LoopTime::pairedLoads), there);
  }
  void otherLanesThatDoNotCompile() {
    use("fail=nvrtcCompileProgram:6@2");
    const auto times = measured();
    QVERIFY(!times && times.error().trouble == Trouble::Compilation);
    QVERIFY(Fake::log().find("launch") == std::string::npos);
    QCOMPARE(Fake::leaks(), std::string());
  }
  // The output of this library's own compiler has no loop.
  void aKernelWithoutALoop() {
    Fake::use("memory=64M");
    const auto times = measured();
    QVERIFY(!times && times.error().trouble == Trouble::Unsupported);
    QVERIFY2(test::q(times.error().text).contains("not rewritten"), times.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(times.error().text), QString());
  }

  void canBeCancelled() {
    use();
    int seen = 0;
    const auto times = measured([&](int) { return ++seen < 2; }, "rewritten", 3);
    QVERIFY(!times && times.error().trouble == Trouble::Cancelled);
    QCOMPARE(seen, 2);
    QCOMPARE(Fake::leaks(), std::string());
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::LoopBenchTest, Nothing)
#include "loop_bench_test.moc"
