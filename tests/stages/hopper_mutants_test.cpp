// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of the rungs T4 to T7, which use Hopper's agents: waits, arrivals, fences, boxes,
// descriptors, barriers, loads and stores.
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/mutants.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

// The stages as they are, but for their thread. (The words are looked up in it first.)
#undef TENSOR_KERNEL
#define TENSOR_KERNEL(kernel_name, threads)                                              \
  TILELOOM_MUTANT(kernel_name, MutantThread, uint M, uint N, uint K, TENSOR A, TENSOR B, \
                  gmem<element> C)

namespace mutants {
#include "kernels/stages/tensor/multistage.cuh"
#include "kernels/stages/tensor/overlapped.cuh"
#include "kernels/stages/tensor/tma.cuh"
#include "kernels/stages/tensor/wgmma.cuh"
}  // namespace mutants

// Tiles of several panels and steps, and blocks that reach over the edges of C. Of a ring, first
// fewer K tiles than it has stages, with two products down the rows of a warpgroup and a second row
// of blocks, which finds most of them soon; then K tiles enough that each stage comes round twice.
const std::vector<test::MutantSubject>& subjects() {
  using enum Parameter;
  static const TileShape ring = {{BM, 128},     {BN, 64},    {BK, 48},  {CONSUMERS, 2},
                                 {SWIZZLE, 32}, {STAGES, 3}, {GROUP, 2}};
  static const std::vector<test::MutantCase> ofRings = {{ring.with(CONSUMERS, 1), {136, 72, 88}},
                                                        {ring, {72, 72, 296}}};
  static const std::vector<test::MutantSubject> all = {
      {"tma",
       emulator::enterHopperKernel<mutants::tma>,
       {{{{BM, 32}, {BN, 64}, {BK, 64}, {WM, 16}, {WN, 32}, {SWIZZLE, 64}}, {40, 72, 200}}}},
      {"wgmma",
       emulator::enterHopperKernel<mutants::wgmma>,
       {{{{BM, 128}, {BN, 64}, {BK, 64}, {CONSUMERS, 1}, {SWIZZLE, 64}}, {72, 72, 200}}}},
      {"multistage", emulator::enterHopperKernel<mutants::multistage>, ofRings},
      {"overlapped", emulator::enterHopperKernel<mutants::overlapped>, ofRings},
  };
  return all;
}

constexpr const char* kNoLead =
    "the hardware does not read the lead of an operand whose rows lie along k and are swizzled: no "
    "row is longer than a panel";
constexpr const char* kOneGroup =
    "the block's warps are one warpgroup: when one of them has waited for a group of products, all "
    "four have read";
constexpr test::Survivor kSurvivors[] = {
    {"wgmma", "__syncthreads", 2, "left out", kOneGroup},
    {"wgmma", "operand", 2, "twice the lead", kNoLead},
    {"multistage", "operand", 2, "twice the lead", kNoLead},
    {"overlapped", "operand", 2, "twice the lead", kNoLead},
};

}  // namespace

class HopperMutantsTest : public QObject {
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
    test::judgeMutants(subjects()[std::size_t(subject)], kSurvivors, 40);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::HopperMutantsTest, Nothing)
#include "hopper_mutants_test.moc"
