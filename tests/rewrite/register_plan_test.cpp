// SPDX-License-Identifier: GPL-3.0-or-later
// Registers of the new loop: no live register is overwritten.
#include "kernels/rewrite/register_plan.h"

#include <QtTest>
#include <set>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class RegisterPlanTest : public QObject {
  Q_OBJECT

  struct Planned {
    LoopCode loop;
    ProductLoop products;
    LiveAround live;
    tl::expected<RegisterPlan, std::string> plan;
  };
  static Planned planned(const sass::Cubin& cubin, int limit) {
    auto loop = loopCodeOf(cubin);
    if (!loop) qFatal("%s", loop.error().c_str());
    auto products = productLoopOf(loop->turn);
    if (!products) qFatal("%s", products.error().c_str());
    const LiveAround live = liveAround(*loop);
    auto plan = planRegisters(*loop, *products, live, cubin.registers, limit);
    return {std::move(*loop), std::move(*products), live, std::move(plan)};
  }
  static std::string why(const std::vector<sass::Decoded>& code, int limit = 255) {
    const auto its = planned(kernelOf(code), limit);
    return its.plan ? "" : its.plan.error();
  }
  // The kernel with further instructions while R16 to R23 are free: before the barrier.
  static std::vector<sass::Decoded> with(std::vector<sass::Decoded> added) {
    constexpr std::size_t kBarrier = 20;
    auto code = productKernel();
    for (std::size_t i = 0; i < added.size(); ++i)
      code.insert(code.begin() + std::ptrdiff_t(kProductLoop + kBarrier + i), std::move(added[i]));
    const std::size_t last = code.size() - 2;  // the padding
    for (auto& operand : code[last].operands)
      if (operand.kind == sass::OperandKind::Label) operand.value = std::int64_t(last * 16);
    return code;
  }

 private slots:
  void sumsAndFirstFragmentsStay() {
    const auto its = planned(kernelOf(productKernel()), 255);
    QVERIFY(its.plan);
    QVERIFY(its.plan->sets[0].rows == (std::vector<LoadedWords>{{16, 4}}));
    QVERIFY(its.plan->sets[0].columns == (std::vector<LoadedWords>{{20, 4}}));
    QVERIFY(its.plan->moved.empty());
    QCOMPARE(its.plan->perThread, 64);  // the kernel had as many, and no more are needed
  }
  void nothingThatLivesIsOverwritten() {
    for (const std::string name : {"small", "square", "narrow", "single"}) {
      const auto its = planned(*sass::readCubin(cubinFixture(name)), 255);
      QVERIFY2(its.plan, its.plan ? "" : its.plan.error().c_str());
      const RegisterPlan& plan = *its.plan;
      std::set<int> second;
      for (const auto* pieces : {&plan.sets[1].rows, &plan.sets[1].columns}) {
        for (const LoadedWords& piece : *pieces) {
          QCOMPARE(piece.first % piece.count, 0);
          for (int i = 0; i < piece.count; ++i) second.insert(piece.first + i);
        }
      }
      QCOMPARE(second.size(), its.products.rows() + its.products.columns());
      std::set<int> taken(its.products.sums.begin(), its.products.sums.end());
      for (const auto* pieces : {&plan.sets[0].rows, &plan.sets[0].columns})
        for (const LoadedWords& piece : *pieces)
          for (int i = 0; i < piece.count; ++i) taken.insert(piece.first + i);
      for (const auto& [from, to] : plan.moved) {
        QVERIFY(!second.contains(to));
        QVERIFY(!taken.contains(to));
      }
      for (const int reg : second) {
        QVERIFY(!taken.contains(reg));
        QVERIFY(!its.live.turn.registers[std::size_t(reg)]);
        QVERIFY(!its.live.exit.registers[std::size_t(reg)]);
        QVERIFY(reg < plan.perThread);
      }
      for (const auto& [from, to] : plan.moved) QVERIFY(to < plan.perThread);
    }
  }
  void tooFewRegisters() {
    QCOMPARE(why(productKernel(), 63), "it has 64 registers per thread, but only 63 are allowed");
    const auto its = planned(kernelOf(productKernel(), 24), 24);
    QVERIFY(!its.plan);
    QCOMPARE(its.plan.error(),
             "a second set of fragments needs registers for 2 loads, but with 24 registers per "
             "thread only those for 1 are free");
    QVERIFY(planned(kernelOf(productKernel(), 32), 32).plan);
  }
  // A temporary value in a register of set 0 needs another one.
  void temporariesMoveAway() {
    const auto its = planned(kernelOf(with({make::mov(16, 8), make::sts(1, 16)})), 255);
    QVERIFY2(its.plan, its.plan ? "" : its.plan.error().c_str());
    QCOMPARE(its.plan->moved.size(), std::size_t{1});
    QVERIFY(its.plan->moved.contains(16));
    QVERIFY(its.plan->moved.at(16) < its.plan->perThread);
    QVERIFY(planned(kernelOf(with({make::mov(12, 8), make::sts(1, 12)})), 255).plan->moved.empty());
  }
  void neighboursStayNeighbours() {
    const auto its =
        planned(kernelOf(with({make::mov(16, 8), make::mov(17, 9), make::ldgsts(1, 16)})), 255);
    QVERIFY2(its.plan, its.plan ? "" : its.plan.error().c_str());
    QCOMPARE(its.plan->moved.size(), std::size_t{2});
    QCOMPARE(its.plan->moved.at(16) + 1, its.plan->moved.at(17));
    QCOMPARE(its.plan->moved.at(16) % 2, 0);
  }
  void whoReadsASumIsNotKnown() {
    QCOMPARE(why(with({make::sts(1, 17), make::mov(17, 8)})),
             "another instruction of the loop reads R17, which is an accumulator or a fragment");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RegisterPlanTest, Nothing)
#include "register_plan_test.moc"
