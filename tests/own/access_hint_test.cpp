// SPDX-License-Identifier: GPL-3.0-or-later
// The padding and the swizzle that a pattern with conflicts is given: the known ones, and for many
// strides that they leave no conflict.
#include "kernels/own/access_hint.h"

#include <fmt/format.h>

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom::own {

class AccessHintTest : public QObject {
  Q_OBJECT

  static AccessHint hintOf(const PatternRequest& request) {
    const auto pattern = accessPattern(request);
    return pattern ? accessHint(*pattern) : AccessHint{};
  }

 private slots:
  void nothingToRemove() {
    QVERIFY(!hintOf({.text = "lane"}).searched);
    QVERIFY(!hintOf({.text = "lane * 32", .memory = PatternMemory::Global}).searched);
  }
  void knownOnes() {
    const AccessHint column = hintOf({.text = "lane * 32"});
    QCOMPARE(column.padding, (PatternPadding{32, 1}));
    QCOMPARE(column.swizzle, (analysis::Swizzle{5, 2, 5}));
    const AccessHint wide = hintOf({.text = "lane * 8", .bytes = 16});
    QCOMPARE(wide.padding, (PatternPadding{8, 1}));
    QCOMPARE(wide.swizzle, (analysis::Swizzle{3, 4, 3}));
    const AccessHint rows =
        hintOf({.text = "lane * 64", .bytes = 16, .kind = PatternKind::Ldmatrix4});
    QCOMPARE(rows.padding, (PatternPadding{64, 8}));
    QCOMPARE(rows.swizzle, (analysis::Swizzle{3, 4, 3}));
  }
  // 8 rows of 32 elements: 4 more in each row, not 1 after each 8 elements.
  void longRowsComeFirst() {
    QCOMPARE(hintOf({.text = "lane % 8 * 32 + lane / 8"}).padding, (PatternPadding{32, 4}));
  }
  void theRequestsOwnAreReplaced() {
    const AccessHint hint = hintOf({.text = "lane * 32", .padding = PatternPadding{32, 2}});
    QVERIFY(hint.searched);
    QCOMPARE(hint.padding, (PatternPadding{32, 1}));
  }
  // Lanes of one bank in a copy's lines cannot be separated by another place in shared memory.
  void noneHelps() {
    const AccessHint hint =
        hintOf({.text = "lane from lane * 1024", .bytes = 16, .kind = PatternKind::AsyncCopy});
    QVERIFY(hint.searched && !hint.padding && !hint.swizzle);
  }
  void foundOnesLeaveNoConflict() {
    int padded = 0, swizzled = 0;
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
      for (int stride = 2; stride <= 64; stride += 2) {
        PatternRequest request{.text = fmt::format("lane * {}", stride), .bytes = bytes};
        const AccessHint hint = hintOf(request);
        if (hint.padding) {
          PatternRequest other = request;
          other.padding = hint.padding;
          QCOMPARE(accessPattern(other)->sum.extra(), std::uint64_t(0));
          ++padded;
        }
        if (hint.swizzle) {
          PatternRequest other = request;
          other.swizzle = hint.swizzle;
          other.unit = SwizzleUnit::Byte;
          QCOMPARE(accessPattern(other)->sum.extra(), std::uint64_t(0));
          ++swizzled;
        }
      }
    }
    QVERIFY2(padded > 50 && swizzled > 50, qPrintable(QString("%1 %2").arg(padded).arg(swizzled)));
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::AccessHintTest, Nothing)
#include "access_hint_test.moc"
