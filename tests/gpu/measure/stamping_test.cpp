// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of a timestamped kernel on the fake GPU, and the evaluation of its records.
#include <QtTest>

#include "kernels/gpu/compile/stamped_source.h"
#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/stamping.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/stamp_words.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;
using test::q;
using timeline::Measured;
using timeline::Stamp;

class StampingTest : public QObject {
  Q_OBJECT

  static std::uint32_t what(std::string_view word, std::uint32_t line, std::uint32_t groups = 0) {
    return groups << 24 | *timeline::stampWordNamed(word) << 16 | line;
  }

  static Result<Measured> stamped(const Problem& problem) {
    const Stage& stage = test::stage("shared");
    const auto nvrtc = Nvrtc::load();
    const auto plain = buildStage(**nvrtc, nullptr, standardSubject(stage), defaultArchitecture());
    if (!plain) qFatal("%s", plain.error().text.c_str());
    const auto built = [&](Stamping stamping) {
      auto build = buildStamped(**nvrtc, nullptr, *plain, defaultArchitecture(), stamping);
      if (!build) qFatal("%s", build.error().text.c_str());
      return std::move(*build);
    };
    auto bench = Bench::open(*Driver::load(), 0, *nvrtc, nullptr);
    if (!bench) qFatal("%s", bench.error().text.c_str());
    return stampStage(**bench, *plain, built(Stamping::Records), built(Stamping::Sums), problem);
  }

 private slots:
  void init() { Fake::use(); }
  void cleanup() { QCOMPARE(q(Fake::leaks()), QString()); }

  void aBlockOfALaunchIsRead() {
    Fake::use("stamps=1:17:32");
    const Stage& stage = test::stage("shared");
    const auto m = stamped({128, 128, 96});
    QVERIFY2(m, m ? "" : m.error().text.c_str());
    QCOMPARE(m->rung(), &stage);
    QVERIFY(m->tile == stage.standardTile());
    QVERIFY((m->problem == Problem{128, 128, 96}));
    QCOMPARE(q(m->device), QStringLiteral("Fake H100"));
    QCOMPARE(m->fingerprint, fingerprintOf(stage));
    QCOMPARE(m->clockMHz, 1755);
    QCOMPARE(m->blocks, 16);
    QCOMPARE(m->block, 8);  // one wave: its middle
    QCOMPARE(m->blocksPerSm, m->stampedBlocksPerSm);
    QVERIFY(m->plainMs > 0);
    QVERIFY(std::abs(m->cost()) < 0.02);  // the fake's jitter
    QVERIFY(!m->full);
    QVERIFY(m->summedMs > 0);
    QVERIFY(std::abs(m->summingCost()) < 0.02);
    QCOMPARE(m->times.size(), std::size_t{32});
    for (std::size_t warp = 0; warp < m->times.size(); ++warp) {
      QCOMPARE(m->times[warp].all, 10'015 + 100.0 * double(warp));  // of 16 blocks, on average
      const timeline::WarpTime its{m->times[warp].all, {1'000, 2'000, 0, 3'000, 0}};
      QVERIFY(m->times[warp] == its);
    }
    QCOMPARE(m->warps.size(), std::size_t{32});
    for (std::size_t warp = 0; warp < m->warps.size(); ++warp) {
      const auto& stamps = m->warps[warp];
      QCOMPARE(stamps.size(), std::size_t{3});
      for (std::uint32_t i = 0; i < 3; ++i) {
        // The fake's clock wraps around during the block.
        const auto begin = static_cast<std::uint32_t>(i * 1000 + warp * 10);
        QVERIFY((stamps[i] == Stamp{1, 0, 17, i, begin, begin + 43}));
      }
    }
  }

  void aLaterWaveIsChosenWhereThereIsOne() {
    Fake::use("stamps=1:17:32,sms=2");
    const auto m = stamped({128, 128, 32});
    QVERIFY2(m, m ? "" : m.error().text.c_str());
    QCOMPARE(m->block, 2 * m->blocksPerSm + m->blocksPerSm);
    QVERIFY(m->block < m->blocks);
  }

  void aWrongResultIsNotTimed() {
    Fake::use("stamps=1:17:32,only=shared,wrong=5");
    const auto m = stamped({128, 128, 96});
    QVERIFY(!m);
    QCOMPARE(static_cast<int>(m.error().trouble), static_cast<int>(Trouble::WrongResult));
  }

  void aKernelWithoutStampsIsRefused() {
    const auto m = stamped({128, 128, 96});
    QVERIFY(!m);
    QCOMPARE(static_cast<int>(m.error().trouble), static_cast<int>(Trouble::Unsupported));
    QCOMPARE(test::sentenceFlaw(m.error().text), QString());
  }

  void aVariableThatIsMissingIsAnError() {
    Fake::use("stamps=1:17:32,fail=cuModuleGetGlobal_v2:500");
    const auto m = stamped({128, 128, 96});
    QVERIFY(!m);
    QVERIFY2(q(m.error().text).contains(QStringLiteral("tileloom_stamps")), m.error().text.c_str());
  }

  void recordsAreRead() {
    std::vector<StampRecord> records(2 * kStampsPerWarp);
    records[0] = {what("expect", 33), 1000, 1010, ~0u};
    records[1] = {what("wait", 54), 1010, 1500, 64};
    records[2] = {what("wait_products", 64, 1), 1600, 1700, 128};
    records[kStampsPerWarp] = {what("wait", 54), 900, 950, 0};
    const auto read = readStamps(records, 128, 64);
    QVERIFY2(read, read ? "" : read.error().text.c_str());
    QVERIFY(!read->full);
    QCOMPARE(read->warps.size(), std::size_t{2});
    const auto word = [](std::string_view name) {
      return static_cast<std::uint8_t>(*timeline::stampWordNamed(name));
    };
    const std::vector<Stamp> first = {{word("expect"), 0, 33, emulator::kNoTile, 100, 110},
                                      {word("wait"), 0, 54, 1, 110, 600},
                                      {word("wait_products"), 1, 64, emulator::kNoTile, 700, 800}};
    QVERIFY(read->warps[0] == first);
    QVERIFY((read->warps[1] == std::vector<Stamp>{{word("wait"), 0, 54, 0, 0, 50}}));
  }

  void whatDoesNotFitIsSaid() {
    std::vector<StampRecord> records(kStampsPerWarp);
    for (std::uint32_t i = 0; i < kStampsPerWarp; ++i)
      records[i] = {what("wait", 54), 100 * i, 100 * i + 10, 64 * i};
    records.back().begin += 5000, records.back().end += 5000;
    const auto read = readStamps(records, 1 << 24, 64);
    QVERIFY(read);
    QVERIFY(read->full);
    QCOMPARE(read->warps[0].size(), std::size_t{kStampsPerWarp - 1});
  }

  void sumsAreThoseOfTheBlocksOnAverage() {
    const std::vector<SumRecord> records = {
        {100, {10, 20, 0, 30, 0}}, {200, {0, 0, 0, 0, 200}}, {300, {30, 0, 0, 30, 0}}, {100, {}}};
    const auto read = readSums(records, 2);
    QVERIFY2(read, read ? "" : read.error().text.c_str());
    const std::vector<timeline::WarpTime> expected = {{200, {20, 10, 0, 30, 0}},
                                                      {150, {0, 0, 0, 0, 100}}};
    QVERIFY(*read == expected);
  }

  void whatIsNoSumIsRefused() {
    for (const SumRecord& record : {SumRecord{}, SumRecord{100, {60, 41, 0, 0, 0}}}) {
      const auto read = readSums(std::span(&record, 1), 1);
      QVERIFY(!read);
      QCOMPARE(static_cast<int>(read.error().trouble), static_cast<int>(Trouble::Failed));
      QCOMPARE(test::sentenceFlaw(read.error().text), QString());
    }
  }

  void whatIsNoRecordIsRefused_data() {
    QTest::addColumn<quint32>("what");
    QTest::addColumn<quint32>("begin");
    QTest::addColumn<quint32>("end");
    QTest::newRow("unknown word") << quint32(200u << 16 | 1) << 20u << 30u;
    QTest::newRow("ends before it begins") << quint32(1u << 16 | 1) << 30u << 20u;
    QTest::newRow("begins before the last has ended") << quint32(1u << 16 | 1) << 5u << 30u;
  }
  void whatIsNoRecordIsRefused() {
    QFETCH(quint32, what);
    QFETCH(quint32, begin);
    QFETCH(quint32, end);
    std::vector<StampRecord> records(kStampsPerWarp);
    records[0] = {1u << 16 | 1, 0, 10, 0};
    records[1] = {what, begin, end, 0};
    const auto read = readStamps(records, 64, 64);
    QVERIFY(!read);
    QCOMPARE(static_cast<int>(read.error().trouble), static_cast<int>(Trouble::Failed));
    QCOMPARE(test::sentenceFlaw(read.error().text), QString());
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::StampingTest, Nothing)
#include "stamping_test.moc"
