// SPDX-License-Identifier: GPL-3.0-or-later
// A block of a rung recorded twice: its machine code executed, and its source under the emulator.
// Each thread multiplies the same elements into the same elements of C, in the same order of K,
// and reads the same elements of the matrices.
#include <QtTest>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "kernels/analysis/block_product.h"
#include "kernels/emulator/run.h"
#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/mma.h"
#include "kernels/tile/placement.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using emulator::Kind;
using emulator::Provenance;
using emulator::Trace;
using test::q;

namespace {

// By thread and element of C: the factors, in the order of execution.
using ThreadProducts = std::map<std::pair<std::uint32_t, std::uint32_t>,
                                std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

template <class Each>
void forInstructions(const Trace& trace, Each&& each) {
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      const auto view = trace.at(warp, interval);
      for (std::size_t i = 0; i < view.instructions.size(); ++i) each(view, i);
    }
  }
}

ThreadProducts productsOf(const Trace& trace) {
  ThreadProducts made;
  forInstructions(trace, [&](const emulator::WarpInterval& view, std::size_t i) {
    const emulator::Instruction& instruction = view.instructions[i];
    if (instruction.kind != Kind::Fma && instruction.kind != Kind::Mma) return;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((instruction.mask >> lane & 1) == 0) continue;
      const std::uint32_t thread = view.warp * 32 + lane;
      const std::uint32_t* words = view.payload(i, lane);
      if (instruction.kind == Kind::Fma) {
        // Of the end of the kernel: the sum and an element of C.
        if (!Provenance(words[0]).isElement() || !Provenance(words[1]).isElement()) continue;
        const Provenance sum(words[2]);
        const std::uint32_t owner = sum.owner(thread);
        made[{owner, trace.accumulatorElement(owner, sum.slot())}].push_back({words[0], words[1]});
        continue;
      }
      // A tensor core: the lane's own part of the operands.
      const MmaRow& mma = instruction.mma();
      for (std::uint32_t c = 0; c < mma.laneC(); ++c) {
        const Provenance sum(words[mma.laneA() + mma.laneB() + c]);
        auto& list = made[{thread, trace.accumulatorElement(thread, sum.slot())}];
        for (std::uint32_t a = 0; a < mma.laneA(); ++a)
          list.push_back({words[a], words[mma.laneA() + a % mma.laneB()]});
      }
    }
  });
  return made;
}

// By warp: the wgmma instructions, with the elements of C that lane 0 to 31 add them to.
struct Group {
  std::vector<Provenance> a, b;
  std::vector<std::uint32_t> elements;
  bool operator==(const Group&) const = default;
};
std::vector<std::vector<Group>> groupsOf(const Trace& trace) {
  std::vector<std::vector<Group>> all(trace.warps);
  for (std::uint32_t warp = 0; warp < trace.products.size(); ++warp) {
    for (const emulator::ProductRecord& product : trace.products[warp]) {
      Group group{*product.factorsA, *product.factorsB, {}};
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t i = 0; i < product.columns / 2; ++i)
          group.elements.push_back(trace.accumulatorElement(warp * 32 + lane, product.number + i));
      all[warp].push_back(std::move(group));
    }
  }
  return all;
}

// What TMA brings into shared memory, in order.
std::vector<std::array<std::int64_t, 7>> boxesOf(const Trace& trace) {
  std::vector<std::array<std::int64_t, 7>> all;
  for (const emulator::BoxRecord& box : trace.boxes)
    all.push_back({box.matrix, box.x, box.y, box.columns, box.rows, box.swizzle, box.outside});
  std::ranges::sort(all);
  return all;
}

// The elements of A and B that each thread reads from global memory.
std::set<std::pair<std::uint32_t, std::uint32_t>> readBy(const Trace& trace) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> read;
  forInstructions(trace, [&](const emulator::WarpInterval& view, std::size_t i) {
    const emulator::Instruction& instruction = view.instructions[i];
    const bool loads = instruction.kind == Kind::GlobalLoad && instruction.array < 2;
    if (!loads && instruction.kind != Kind::AsyncCopy) return;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((instruction.mask >> lane & 1) == 0) continue;
      for (std::uint32_t word = 0; word < instruction.elements(); ++word)
        read.insert({view.warp * 32 + lane, view.payload(i, lane)[1 + word]});
    }
  });
  return read;
}

}  // namespace

class RecordedRungsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void sameProducts_data() {
    QTest::addColumn<const Stage*>("stage");
    for (const auto ladder : {stages(), tensorStages()})
      for (const Stage& stage : ladder)
        if (!test::briefly() || stage.rung % 4 == 1)
          QTest::newRow(qPrintable(q(stage.id))) << &stage;
  }
  void sameProducts() {
    QFETCH(const Stage*, stage);
    const Subject subject = standardSubject(*stage);
    const auto build = gpu::buildStage(*nvrtc_, nullptr, subject, *architectureNamed("sm_90"));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    const int stepK = std::max(1, derive(*stage, subject.tile).stepK);
    const Problem asked{130, 140, 2 * std::max(stepK, 8)};
    emulator::TraceRequest request;
    request.subject() = subject;
    request.problem = asked;
    emulator::Workspace workspace;
    const Trace source = emulator::traceBlock(workspace, request);
    auto launch = gpu::RungLaunch::of(*build, asked);
    QVERIFY2(launch.has_value(), launch ? "" : launch.error().c_str());
    launch->randomise(1);
    launch->beta = 0.5f;
    const auto machine = launch->record({0, 0});
    QVERIFY2(machine.has_value(), machine ? "" : machine.error().c_str());

    QVERIFY(machine->problem == source.problem);
    const ThreadProducts wanted = productsOf(source), got = productsOf(*machine);
    QCOMPARE(got.size(), wanted.size());
    std::size_t different = 0;
    for (const auto& [where, factors] : wanted) {
      const auto found = got.find(where);
      different += found == got.end() || found->second != factors;
    }
    QCOMPARE(different, std::size_t{0});
    QVERIFY(readBy(*machine) == readBy(source));
    QVERIFY(groupsOf(*machine) == groupsOf(source));
    QVERIFY(boxesOf(*machine) == boxesOf(source));
    const analysis::BlockProduct product = analysis::blockProductOf(*machine);
    QVERIFY(product.elements > 0);
    QCOMPARE(product.complete, product.elements);
    QCOMPARE(product.foreign, std::uint64_t{0});
    QCOMPARE(product.repeated, std::uint64_t{0});
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::RecordedRungsTest, Nothing)
#include "recorded_rungs_test.moc"
