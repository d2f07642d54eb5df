// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of the rungs T8 to T10, whose warps have roles: arrivals, meetings of some threads, and
// registers that move.
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "tests/support/mutant_roles.h"
#include "tests/support/mutants.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

namespace mutants {
#include "kernels/stages/tensor/consumers.cuh"
#include "kernels/stages/tensor/persistent.cuh"
#include "kernels/stages/tensor/specialised.cuh"
}  // namespace mutants

// As of the rings of T7. A persistent block is run for each tile by itself, so that it is recorded
// where it walks over two, too: of 133 tiles on 132 SMs, the first one and the last.
const std::vector<test::MutantSubject>& subjects() {
  using enum Parameter;
  static const TileShape ring = {{BM, 128},     {BN, 64},    {BK, 48},  {CONSUMERS, 2},
                                 {SWIZZLE, 32}, {STAGES, 3}, {GROUP, 2}};
  static const std::vector<test::MutantSubject> all = {
      {"specialised",
       emulator::enterHopperKernel<mutants::specialised>,
       {{ring.with(CONSUMERS, 1), {136, 72, 88}}, {ring, {72, 72, 296}}}},
      {"consumers",
       emulator::enterHopperKernel<mutants::consumers>,
       {{ring.with(BM, 256), {136, 72, 88}}, {ring, {72, 72, 296}}}},
      {"persistent",
       emulator::enterHopperKernel<mutants::persistent>,
       {{ring, {128 * 133, 64, 88}, kUsualSms, 2},
        {ring.with(BM, 256), {136, 72, 88}},
        {ring, {72, 72, 296}}}},
  };
  return all;
}

constexpr const char* kNoLead =
    "the hardware does not read the lead of an operand whose rows lie along k and are swizzled: no "
    "row is longer than a panel";
constexpr const char* kFewer =
    "the compiler keeps to the number that the source says, and sums without a register of their "
    "own are spilled: slow, and not wrong";
constexpr test::Survivor kSurvivors[] = {
    {"specialised", "operand", 2, "twice the lead", kNoLead},
    {"consumers", "operand", 2, "twice the lead", kNoLead},
    {"consumers", "take_registers", 1, "left out", kFewer},
    {"consumers", "take_registers", 1, "8 fewer", kFewer},
    {"persistent", "operand", 2, "twice the lead", kNoLead},
    {"persistent", "take_registers", 1, "left out", kFewer},
    {"persistent", "take_registers", 1, "8 fewer", kFewer},
};

}  // namespace

class RolesMutantsTest : public QObject {
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

TILELOOM_TEST(tileloom::RolesMutantsTest, Nothing)
#include "roles_mutants_test.moc"
