// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of kernels, and the memory in which blocks store partial sums for each other.
#include "kernels/gpu/measure/kernel_arguments.h"

#include <QtTest>

#include "kernels/gpu/driver/driver.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "tests/gpu/fake.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

class KernelArgumentsTest : public QObject {
  Q_OBJECT

 private slots:
  void stagesLeaveNoSums() {
    const Problem problem{1024, 1024, 1024};
    for (const Stage* stage : everyStage()) {
      TileShape tile = stage->standardTile();
      if (stage->spec(Parameter::SPLIT) != nullptr) tile = tile.with(Parameter::SPLIT, 1);
      const LeftMemory left = leftMemory(*stage, tile, problem, 132);
      QVERIFY2(left.bytes == 0 && left.head.empty(), stage->id.data());
    }
  }

  void clustersLeaveSums() {
    const Stage& stage = test::stage("hopper");
    const TileShape tile = stage.standardTile();
    const LeftMemory left = leftMemory(stage, tile, {4096, 4096, 4096}, 132);
    QCOMPARE(left.bytes, std::size_t{132} * (128 * 256 + 2) * 4);
    QVERIFY(left.head.empty());
  }

  void partsOfTilesLeaveSums() {
    const Stage& stage = test::stage("rewritten");
    const TileShape tile = stage.standardTile().with(Parameter::SPLIT, 2);
    const Problem problem{4096, 4096, 4096};
    const LastWave wave = lastWaveOf(stage, tile, problem, 132);
    const LeftMemory left = leftMemory(stage, tile, problem, 132);
    QVERIFY(left.head == partTable(wave, 128 * 256));
    QCOMPARE(left.bytes, (left.head.size() + std::size_t{wave.places} * 128 * 256) * 4);
    // Every place is inside.
    for (std::size_t block = 0; block < wave.blocks.size(); ++block) {
      const std::size_t sums = left.head[8 * block + 5], which = left.head[8 * block + 6];
      if (wave.blocks[block].count > 1)
        QVERIFY((sums + (which + 1) * 128 * 256) * 4 <= left.bytes && sums % 4 == 0);
    }
    // Even without split-K, blocks look up their tiles.
    const LeftMemory whole = leftMemory(stage, tile, {2048, 2048, 2048}, 132);
    QCOMPARE(whole.bytes, whole.head.size() * 4);
    QCOMPARE(whole.head.size(), std::size_t{8 * 128});
  }

  void theirKernelTakesThatMemory() {
    test::Fake::use();
    const auto loaded = Driver::load();
    QVERIFY(loaded.has_value());
    const auto context = *Context::open(*loaded, 0);
    const Problem problem{128, 256, 512};
    Operands o;
    QVERIFY(fillOperands(*context, o, problem).has_value());
    QVERIFY(padOperands(*context, o, problem).has_value());
    const Stage& stage = test::stage("rewritten");
    const TileShape tile = stage.standardTile().with(Parameter::SPLIT, 4);
    const LeftMemory left = leftMemory(stage, tile, problem, 132);
    QVERIFY(left.bytes >= 4 * 128 * 256 * 4);
    QVERIFY(fillLeft(*context, o, left.bytes, left.head).has_value());
    QVERIFY(o.left.bytes() >= left.bytes);
    std::vector<std::uint32_t> head(left.head.size());
    QVERIFY(context->download(std::as_writable_bytes(std::span(head)), o.left).has_value());
    QVERIFY(head == left.head);
    auto arguments = *KernelArguments::of(**loaded, stage, tile, o);
    const auto pointers = arguments.pointers();
    QCOMPARE(pointers.size(), std::size_t{9});
    QCOMPARE(*static_cast<cu::DevicePtr*>(pointers.back()), o.left.address());
    auto others = *KernelArguments::of(**loaded, test::stage("tuned"),
                                       test::stage("tuned").standardTile(), o);
    QCOMPARE(others.pointers().size(), std::size_t{8});
    QVERIFY(fillLeft(*context, o, 0, {}).has_value() && !o.left);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::KernelArgumentsTest, EventLoop)
#include "kernel_arguments_test.moc"
