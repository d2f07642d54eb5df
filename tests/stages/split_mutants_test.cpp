// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of rung T13, which cuts tiles along K: pieces of tiles, and sums that clusters leave for
// each other.
#include <QtTest>

#include "kernels/tile/knobs.h"
#include "tests/support/mutant_roles.h"
#include "tests/support/mutants.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

namespace mutants {
#include "kernels/stages/hopper.cuh"
}  // namespace mutants

// Two clusters of two blocks; three tiles of two rounds. Each cluster computes one of them, and
// they share the last one.
const std::vector<test::MutantSubject>& subjects() {
  using enum Knob;
  static const TileShape ring = {{BM, 128},      {BN, 64},      {BK, 32},
                                 {CONSUMERS, 2}, {SWIZZLE, 64}, {STAGES, 2},
                                 {GROUP, 2},     {CLUSTER, 2},  {SPLIT, 2}};
  static const std::vector<test::MutantSubject> all = {
      {"hopper", emulator::enterSplitKernel<mutants::hopper>, {{ring, {136, 168, 120}, 4}}},
  };
  return all;
}

constexpr const char* kNoLead =
    "the hardware does not read the lead of an operand whose rows lie along k and are swizzled: no "
    "row is longer than a panel";
constexpr test::Survivor kSurvivors[] = {
    {"hopper", "operand", 2, "twice the lead", kNoLead},
};

}  // namespace

class SplitMutantsTest : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { test::atWork = nullptr, test::met = nullptr; }

  void everyMutantIsFound_data() {
    QTest::addColumn<int>("subject");
    for (int i = 0; i < static_cast<int>(subjects().size()); ++i)
      QTest::newRow(subjects()[std::size_t(i)].stage) << i;
  }
  void everyMutantIsFound() {
    QFETCH(int, subject);
    test::judgeMutants(subjects()[std::size_t(subject)], kSurvivors, 100);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SplitMutantsTest, Nothing)
#include "split_mutants_test.moc"
