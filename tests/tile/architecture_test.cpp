// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/architecture.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class ArchitectureTest : public QObject {
  Q_OBJECT

 private slots:
  void eachIsFoundInThreeSpellings() {
    for (const Architecture& arch : architectures()) {
      const std::string digits(arch.name.substr(3));
      const std::string dotted = std::to_string(arch.major) + "." + std::to_string(arch.minor);
      QCOMPARE(q("sm_" + std::to_string(arch.major) + std::to_string(arch.minor)), q(arch.name));
      for (const std::string& text : {std::string(arch.name), digits, dotted}) {
        const auto found = architectureNamed(text);
        QVERIFY2(found.has_value(), text.c_str());
        QCOMPARE(q(found->name), q(arch.name));
      }
    }
  }

  void unknownOnesAreAnsweredWithTheChoices() {
    const auto found = architectureNamed("sm_42");
    QVERIFY(!found);
    QCOMPARE(
        q(found.error()),
        QString("no architecture \"sm_42\" is in the table: choose one of sm_80, sm_86, sm_89, "
                "sm_90, sm_100, sm_120"));
    for (const char* text : {"", "sm_", "9", ".", "sm_9.0"}) {
      QVERIFY2(!architectureNamed(text), text);
    }
  }

  // The CUDA C++ Programming Guide's table, typed a second time.
  void limitsAreTheProgrammingGuides_data() {
    QTest::addColumn<int>("warps");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<int>("kibPerSm");
    QTest::addColumn<int>("fmas");
    QTest::newRow("sm_80") << 64 << 32 << 164 << 64;
    QTest::newRow("sm_86") << 48 << 16 << 100 << 128;
    QTest::newRow("sm_89") << 48 << 24 << 100 << 128;
    QTest::newRow("sm_90") << 64 << 32 << 228 << 128;
    QTest::newRow("sm_100") << 64 << 32 << 228 << 128;
    QTest::newRow("sm_120") << 48 << 24 << 100 << 128;
  }
  void limitsAreTheProgrammingGuides() {
    QFETCH(int, warps);
    QFETCH(int, blocks);
    QFETCH(int, kibPerSm);
    QFETCH(int, fmas);
    const Architecture arch = architectureNamed(QTest::currentDataTag()).value();
    QCOMPARE(arch.warpsPerSm, warps);
    QCOMPARE(arch.blocksPerSm, blocks);
    QCOMPARE(arch.sharedPerSm, kibPerSm * 1024);
    QCOMPARE(arch.sharedPerBlock, arch.sharedPerSm - Architecture::kSharedReserved);
    QCOMPARE(arch.fmasPerCycle, fmas);
    QCOMPARE(fmasPerCycle(arch.major, arch.minor), fmas);
  }

  // The guide's figures for capabilities that the table lacks.
  void otherCapabilitiesHaveTheRateOfTheNextOlderOne() {
    QCOMPARE(fmasPerCycle(7, 0), 64);
    QCOMPARE(fmasPerCycle(7, 5), 64);
    QCOMPARE(fmasPerCycle(8, 7), 128);
    QCOMPARE(fmasPerCycle(10, 3), 128);
    QCOMPARE(fmasPerCycle(12, 1), 128);
  }

  void theDefaultIsHopper() { QCOMPARE(q(defaultArchitecture().name), QString("sm_90")); }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ArchitectureTest, Nothing)
#include "architecture_test.moc"
