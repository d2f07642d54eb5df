// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel of the user as a stage: what a recording says of it, which block computes a tile of C,
// and recordings at several places and depths.
#include "kernels/own/own_kernel.h"

#include <QtTest>

#include "kernels/analysis/recording.h"
#include "kernels/emulator/fault.h"
#include "kernels/emulator/workspace.h"
#include "kernels/own/launch_search.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/placement.h"
#include "tests/executor/launched.h"
#include "tests/own/small_kernels.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

class OwnKernelTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  std::shared_ptr<const sass::Module> module_;

  std::shared_ptr<const OwnKernel> opened(const char* name) const {
    const auto found = foundLaunch(*module_, *module_->named(name));
    if (!found) qFatal("%s", found.error().c_str());
    auto kernel =
        openKernel({module_, name, found->file, "small.cu", "/at/small.cu", kSmallKernels});
    if (!kernel) qFatal("%s", kernel.error().c_str());
    return *kernel;
  }
  static emulator::TraceRequest requestOf(const OwnKernel& kernel, const Problem& problem,
                                          const Extent& tile = {0, 0}) {
    emulator::TraceRequest request;
    request.subject() = standardSubject(kernel.stage());
    request.problem = problem;
    request.block = tile;
    return request;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
    executor::Launched compiled(*nvrtc_, kSmallKernels, "90");
    module_ = std::make_shared<const sass::Module>(std::move(compiled.module()));
  }

  void whatARecordingSays_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("stepK");
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("buffers");
    QTest::newRow("without shared memory") << "square" << 16 << 16 << 32 << 256 << 0;
    QTest::newRow("tiles of 8 k") << "numbered" << 32 << 64 << 8 << 128 << 1;
    QTest::newRow("rows along x") << "strides" << 8 << 8 << 32 << 64 << 0;
  }
  void whatARecordingSays() {
    QFETCH(QString, kernel);
    const auto own = opened(qPrintable(kernel));
    const Stage& stage = own->stage();
    QVERIFY(!stage.isRung() && OwnKernel::of(stage) == own.get());
    QCOMPARE(q(stage.title), kernel);
    QCOMPARE(q(sourceText(stage)), q(kSmallKernels));
    const Derived d = derive(stage, stage.standardTile());
    QTEST(d.blockM, "rows");
    QTEST(d.blockN, "columns");
    QTEST(d.stepK, "stepK");
    QTEST(d.threads, "threads");
    QTEST(d.buffers, "buffers");
    QCOMPARE(d.estimatedRegisters, own->image().info.registers);
    QVERIFY(own->check().right() && own->check().elements > 0);
    QVERIFY(own->shape().whole && own->shape().product);
  }

  // Whatever the grid is, a tile of C is computed by the block that stores it.
  void eachTileHasItsBlock_data() {
    QTest::addColumn<QString>("kernel");
    for (const char* name : {"square", "numbered", "strides"}) QTest::newRow(name) << name;
  }
  void eachTileHasItsBlock() {
    QFETCH(QString, kernel);
    const auto own = opened(qPrintable(kernel));
    const Stage& stage = own->stage();
    const Derived d = derive(stage, {});
    const Problem problem{2 * d.blockM, 3 * d.blockN, d.stepK};
    const Extent grid = launchOf(stage, {}, problem).grid;
    emulator::Workspace workspace;
    for (const Extent tile : {Extent{0, 0}, Extent{1, 0}, Extent{0, 1}, Extent{1, 1}}) {
      const auto recording = analysis::record(workspace, requestOf(*own, problem, tile));
      const BlockPlace place = placeOf(stage, {}, grid, tile);
      QCOMPARE(recording->map.c.row, place.row * d.blockM);
      QCOMPARE(recording->map.c.column, place.column * d.blockN);
      QCOMPARE(recording->map.c.rows, d.blockM);
      QCOMPARE(recording->map.c.columns, d.blockN);
      QVERIFY(recording->trace.faults.empty());
    }
  }

  // As if K ended there: each K tile is the same.
  void fewerTilesAlongK() {
    const auto own = opened("numbered");
    auto request = requestOf(*own, {64, 128, 512});
    request.kTiles = 3;
    emulator::Workspace workspace;
    const emulator::Trace trace = emulator::traceBlock(workspace, request);
    QCOMPARE(trace.kTiles, 64u);
    QCOMPARE(trace.kTilesTraced, 3u);
    QCOMPARE(trace.kEnd, 24u);
    request.kTiles = 0;
    QCOMPARE(emulator::traceBlock(workspace, request).kTilesTraced, 64u);
  }

  // A size that the kernel cannot compute ends with a sentence, and with what was recorded.
  void aSizeThatDoesNotFit() {
    const auto own = opened("strides");
    emulator::Workspace workspace;
    const emulator::Trace trace =
        emulator::traceBlock(workspace, requestOf(*own, {12, 8, 16}, {1, 0}));
    QVERIFY(!trace.faults.empty());
    const emulator::Fault& fault = trace.faults.kept.back();
    QVERIFY(fault.kind == emulator::FaultKind::Stopped);
    const QString sentence = q(emulator::describe(fault));
    QVERIFY2(sentence.startsWith("the execution ends early: ") && sentence.contains("A"),
             qPrintable(sentence));
  }

  void refused() {
    LaunchFile file;
    file.parameters.resize(1);
    const auto without = openKernel({module_, "square", file, "small.cu", {}, {}});
    QVERIFY2(q(without.error()).contains("no matrix A"), without.error().c_str());
    const auto unknown = openKernel({module_, "none", file, "small.cu", {}, {}});
    QVERIFY2(q(unknown.error()).contains("there is no kernel none"), unknown.error().c_str());
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::OwnKernelTest, Nothing)
#include "own_kernel_test.moc"
