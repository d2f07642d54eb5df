// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies after one set of placeholders, with and without other instructions between
// them.
#include "kernels/rewrite/copy_run.h"

#include <QtTest>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class CopyRunTest : public QObject {
  Q_OBJECT

  static sass::Decoded placeholder() { return under(make::lds(255, 255), 7, true); }
  static sass::Decoded copy() { return make::ldgsts(1, 8); }
  static std::vector<int> offsets(std::vector<sass::Decoded> code, int gap = 1,
                                  std::size_t at = 0) {
    const auto ops = opsOf(std::move(code));
    return copyRunAt(ops, at, gap).offsets;
  }
  using Offsets = std::vector<int>;

 private slots:
  void noCopyNoRun() {
    QVERIFY(copyRunAt({}, 0, 1).empty());
    QVERIFY(offsets({make::mov(5, 6), copy()}).empty());
    QVERIFY(offsets({placeholder(), placeholder()}).empty());
    QVERIFY(offsets({placeholder(), make::mov(5, 6), copy()}).empty());
    QCOMPARE(copyRunAt({}, 0, 1).length(), 0);
  }
  void placeholdersStandBeforeTheFirstCopy() {
    const auto ops = opsOf({placeholder(), placeholder(), placeholder(), copy()});
    const CopyRun run = copyRunAt(ops, 0, 14);
    QCOMPARE(run.offsets, (Offsets{0, 0, 0, 0}));
    QCOMPARE(run.length(), 0);
    QVERIFY(!run.empty());
    QCOMPARE(copyRunAt(ops, 3, 14).offsets, Offsets{0});
  }
  void copiesInARow() {
    QCOMPARE(offsets({placeholder(), copy(), copy(), copy()}, 14), (Offsets{0, 0, 4, 8}));
    QCOMPARE(offsets({copy(), copy(), make::mov(5, 6)}), (Offsets{0, 4}));
  }
  // At the given distance, or at their previous one.
  void othersBetweenCopies() {
    const std::vector<sass::Decoded> code = {stalled(copy(), 3), make::mov(5, 6), copy(), copy()};
    QCOMPARE(offsets(code, 1), (Offsets{0, 3, 4, 8}));
    QCOMPARE(offsets(code, 10), (Offsets{0, 10, 20, 24}));
    QCOMPARE(offsets({stalled(copy(), 4), stalled(make::mov(5, 6), 6), copy()}),
             (Offsets{0, 4, 10}));
    // Copies keep their distance however close the others are.
    QCOMPARE(offsets({copy(), make::mov(5, 6), copy()}), (Offsets{0, 1, 4}));
    QCOMPARE(offsets({stalled(copy(), 4), make::ldg128(20, 2), make::mov(5, 6), copy()}),
             (Offsets{0, 4, 5, 6}));
  }
  // An instruction that is neither arithmetic nor a load from global memory ends it, and so do
  // further placeholders.
  void whatEndsIt() {
    for (const sass::Decoded& other : {make::lds128(20, 1), make::barrier(), make::commit(0),
                                       make::depbar(0, 0), make::sts(1, 8), placeholder()}) {
      QCOMPARE(offsets({copy(), copy(), other, copy()}), (Offsets{0, 4}));
      QCOMPARE(offsets({copy(), make::mov(5, 6), other, copy()}), Offsets{0});
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CopyRunTest, Nothing)
#include "copy_run_test.moc"
