// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of rung T13, which cuts tiles along K: pieces of tiles, and sums that clusters leave for
// each other.
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/mutant_roles.h"
#include "tests/support/mutants.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

#undef PRODUCER_REGISTERS
#define PRODUCER_REGISTERS TILELOOM_SPLIT_PRODUCER_REGISTERS(CONSUMERS)
#undef CONSUMER_REGISTERS
#define CONSUMER_REGISTERS TILELOOM_SPLIT_CONSUMER_REGISTERS(CONSUMERS)
namespace mutants {
#include "kernels/stages/tensor/hopper.cuh"
}  // namespace mutants

// Three tiles of two rounds for two clusters: each computes one of them, and they share the last
// one. Clusters of one block find most of the mutants, and sooner.
const std::vector<test::MutantSubject>& subjects() {
  using enum Parameter;
  static const TileShape ring = {{BM, 128},      {BN, 64},      {BK, 32},
                                 {CONSUMERS, 2}, {SWIZZLE, 64}, {STAGES, 2},
                                 {GROUP, 2},     {CLUSTER, 2},  {SPLIT, 2}};
  static const std::vector<test::MutantSubject> all = {
      {"hopper",
       emulator::enterSplitKernel<mutants::hopper>,
       {{ring.with(CLUSTER, 1), {72, 192, 120}, 2}, {ring, {136, 192, 120}, 4}}},
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
constexpr const char* kBackwards =
    "which end of K a piece begins with is for L2 alone: the same products are added";
constexpr const char* kPoolHas =
    "the pool has so many left, and the compiler keeps to the number that the source says";
constexpr test::Survivor kSurvivors[] = {
    {"hopper", "operand", 1, "twice the lead", kNoLead},
    {"hopper", "take_registers", 1, "left out", kFewer},
    {"hopper", "take_registers", 1, "8 fewer", kFewer},
    {"hopper", "meet_cluster", 2, "left out by a warp", kEnded},
    {"hopper", "keep_registers", 1, "8 more", kPoolHas},
    {"hopper", "keep_registers", 1, "8 fewer", kPoolHas},
    {"hopper", "backwards", 1, "always", kBackwards},
    {"hopper", "backwards", 1, "never", kBackwards},
};

// What happens between clusters, and from one tile of a cluster to its next: a recording has one
// whole tile.
constexpr std::string_view kNumbersAlone[] = {"multiply_group", "leave_sums", "add_sums",
                                              "first_piece", "next_piece"};

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
    test::judgeMutants(subjects()[std::size_t(subject)], kSurvivors, 100, kNumbersAlone);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SplitMutantsTest, Nothing)
#include "split_mutants_test.moc"
