// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/architecture.h"

#include <QtTest>
#include <cmath>
#include <iterator>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class ArchitectureTest : public QObject {
  Q_OBJECT

  // The CUDA C++ Programming Guide's table, typed a second time.
  struct Guide {
    const char* name;
    int warps, blocks, kibPerSm, fmas, tensor, tensorLeast;
    EightBitMma eightBit;
  };
  static constexpr Guide kGuide[] = {
      {"sm_80", 64, 32, 164, 64, 1024, 1024, EightBitMma::None},
      {"sm_86", 48, 16, 100, 128, 512, 256, EightBitMma::None},
      {"sm_89", 48, 24, 100, 128, 512, 256, EightBitMma::Own},
      {"sm_90", 64, 32, 228, 128, 2048, 2048, EightBitMma::Converted},
      {"sm_100", 64, 32, 228, 128, 4096, 4096, EightBitMma::Converted},
      {"sm_120", 48, 24, 100, 128, 512, 256, EightBitMma::Own},
  };

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
    std::string names;
    for (const Architecture& arch : architectures())
      names += (names.empty() ? "" : ", ") + std::string(arch.name);
    QCOMPARE(q(found.error()),
             q("no architecture \"sm_42\" is in the table: choose one of " + names));
    for (const char* text : {"", "sm_", "9", ".", "sm_9.0"}) {
      QVERIFY2(!architectureNamed(text), text);
    }
  }

  void eachIsInTheGuidesTable() {
    QCOMPARE(std::size(kGuide), architectures().size());
    for (std::size_t i = 0; i < std::size(kGuide); ++i)
      QCOMPARE(q(kGuide[i].name), q(architectures()[i].name));
  }

  void limitsAreTheProgrammingGuides_data() {
    QTest::addColumn<std::size_t>("row");
    for (std::size_t i = 0; i < std::size(kGuide); ++i) QTest::newRow(kGuide[i].name) << i;
  }
  void limitsAreTheProgrammingGuides() {
    QFETCH(std::size_t, row);
    const auto [name, warps, blocks, kibPerSm, fmas, tensor, tensorLeast, eightBit] = kGuide[row];
    const Architecture arch = architectureNamed(name).value();
    QCOMPARE(arch.warpsPerSm, warps);
    QCOMPARE(arch.blocksPerSm, blocks);
    QCOMPARE(arch.sharedPerSm, kibPerSm * 1024);
    QCOMPARE(arch.sharedPerBlock, arch.sharedPerSm - Architecture::kSharedReserved);
    QCOMPARE(arch.fmasPerCycle, fmas);
    QCOMPARE(fmasPerCycle(arch.major, arch.minor), fmas);
    QCOMPARE(arch.tensorPerCycle, tensor);
    QCOMPARE(arch.tensorPerCycleLeast, tensorLeast);
    QCOMPARE(tensorPerCycle(arch.major, arch.minor), tensor);
    QVERIFY(arch.eightBitMma == eightBit);  // docs/hardware.md, rule 88
    QVERIFY(eightBitMma(arch.major, arch.minor) == eightBit);
    // The capability does not determine the rate where its chips differ.
    QCOMPARE(knownTensorPerCycle(arch.major, arch.minor), tensor == tensorLeast ? tensor : 0);
  }

  // The white paper of the H100 SXM: 989.4 TFLOP/s dense in 16 bits, 132 SMs at 1,830 MHz.
  void hoppersTensorPeakIsTheMakers() {
    QVERIFY(std::abs(2.0 * tensorPerCycle(9, 0) * 132 * 1830e6 / 989.4e12 - 1) < 0.001);
    QVERIFY(std::abs(2.0 * tensorPerCycle(8, 0) * 108 * 1410e6 / 312e12 - 1) < 0.001);  // A100
  }

  // Older than all of the table: the guide's figures.
  void capabilitiesBeforeTheTableHaveNoTensorCoresForBf16() {
    QCOMPARE(fmasPerCycle(7, 0), 64);
    QCOMPARE(fmasPerCycle(7, 5), 64);
    QCOMPARE(tensorPerCycle(7, 5), 0);
    QVERIFY(eightBitMma(7, 5) == EightBitMma::None);
  }

  void otherCapabilitiesHaveTheRateOfTheNextOlderOne() {
    int tried = 0;
    for (const Architecture& arch : architectures()) {
      const int minor = arch.minor + 1;
      if (architectureNamed(std::to_string(arch.major) + "." + std::to_string(minor))) continue;
      ++tried;
      QCOMPARE(fmasPerCycle(arch.major, minor), arch.fmasPerCycle);
      QCOMPARE(tensorPerCycle(arch.major, minor), arch.tensorPerCycle);
      QCOMPARE(knownTensorPerCycle(arch.major, minor), 0);
      QVERIFY(eightBitMma(arch.major, minor) == arch.eightBitMma);
    }
    QVERIFY(tried > 0);
  }

  void theDefaultIsHopper() { QCOMPARE(q(defaultArchitecture().name), QString("sm_90")); }

  // By hand: with the 1,024 bytes of the driver, in whole units of 128.
  void sharedMemoryIsTakenInUnits() {
    QCOMPARE(Architecture::sharedOfBlock(0), 1024);
    QCOMPARE(Architecture::sharedOfBlock(1), 1152);
    QCOMPARE(Architecture::sharedOfBlock(36912), 38016);
    QCOMPARE(Architecture::sharedOfBlock(36992), 38016);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ArchitectureTest, Nothing)
#include "architecture_test.moc"
