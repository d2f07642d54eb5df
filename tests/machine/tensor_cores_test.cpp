// SPDX-License-Identifier: GPL-3.0-or-later
// When mma.sync and wgmma occupy the tensor cores.
#include "kernels/machine/tensor_cores.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom::machine {

class TensorCoresTest : public QObject {
  Q_OBJECT

 private slots:
  // The last warp of the group starts a wgmma.
  void aGroupIssuesTogether() {
    Warpgroup group;
    QCOMPARE(group.warps(), 4u);
    QVERIFY(group.issue(0, 10, 20) == nullptr);
    QVERIFY(group.issue(0, 40, 16) == nullptr);
    QVERIFY(group.issue(1, 50, 16) == nullptr);  // a warp that is ahead
    QVERIFY(group.issue(0, 30, 16) == nullptr);
    QCOMPARE(group.end(0), kNever);
    auto* product = group.issue(0, 20, 16);
    QVERIFY(product != nullptr);
    QCOMPARE(product->wavefronts, 68u);
    TensorCores tensor;
    const Passage passage = tensor.wgmma(*product, 128);
    QVERIFY(passage.begin == 40 && passage.end == 168);
    QCOMPARE(group.end(0), Ticks{168});
    QCOMPARE(group.end(1), kNever);
    QCOMPARE(group.end(9), kNever);
  }

  // wgmma of two groups queue up; mma.sync of each scheduler has a queue of its own.
  void queues() {
    TensorCores tensor;
    Warpgroup one(1), other(1);
    QCOMPARE(tensor.wgmma(*one.issue(0, 5, 0), 100).end, Ticks{105});
    QCOMPARE(tensor.wgmma(*other.issue(0, 6, 0), 100).end, Ticks{205});
    QCOMPARE(tensor.mma(2, 7, 30).end, Ticks{37});
    QCOMPARE(tensor.freeForMma(2), Ticks{37});
    QCOMPARE(tensor.mma(2, 8, 30).begin, Ticks{37});
    QCOMPARE(tensor.mma(3, 8, 30).begin, Ticks{8});
  }
};

}  // namespace tileloom::machine

TILELOOM_TEST(tileloom::machine::TensorCoresTest, Nothing)
#include "tensor_cores_test.moc"
