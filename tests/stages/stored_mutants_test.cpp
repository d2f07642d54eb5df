// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of rung T12, whose C leaves in boxes: what stmatrix stores, and boxes, their groups and
// the waits for them.
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "tests/support/mutant_roles.h"
#include "tests/support/mutants.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

namespace mutants {
#include "kernels/stages/tensor/stored.cuh"
}  // namespace mutants

// A block by itself finds most of the mutants soonest; then a cluster of two, and one that walks
// over two tiles: of 67 tiles for 66 clusters, the first one and the last.
const std::vector<test::MutantSubject>& subjects() {
  using enum Parameter;
  static const TileShape ring = {{BM, 128},     {BN, 64},    {BK, 32},   {CONSUMERS, 2},
                                 {SWIZZLE, 32}, {STAGES, 2}, {GROUP, 2}, {CLUSTER, 2}};
  static const std::vector<test::MutantSubject> all = {
      {"stored",
       emulator::enterStoredKernel<mutants::stored>,
       {{ring.with(CLUSTER, 1), {72, 72, 168}},
        {ring, {136, 72, 104}},
        {ring, {128 * 134, 64, 40}, kUsualSms, 2}}},
  };
  return all;
}

constexpr const char* kNoLead =
    "the hardware does not read the lead of an operand whose rows lie along k and are swizzled: no "
    "row is longer than a panel";
constexpr const char* kFewer =
    "the compiler keeps to the number that the source says, and sums without a register of their "
    "own are spilled: slow, and not wrong";
constexpr const char* kEnded =
    "threads that have ended count as come, and the block stays until its other warps, which have "
    "met the other blocks, end, too";
constexpr test::Survivor kSurvivors[] = {
    {"stored", "operand", 2, "twice the lead", kNoLead},
    {"stored", "take_registers", 1, "left out", kFewer},
    {"stored", "take_registers", 1, "8 fewer", kFewer},
    {"stored", "meet_cluster", 2, "left out by a warp", kEnded},
};

}  // namespace

class StoredMutantsTest : public QObject {
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
    test::judgeMutants(subjects()[std::size_t(subject)], kSurvivors, 80);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::StoredMutantsTest, Nothing)
#include "stored_mutants_test.moc"
