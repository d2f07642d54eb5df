// SPDX-License-Identifier: GPL-3.0-or-later
// The places of the stripes of a loop.
#include "viz/code/loop/ribbon_geometry.h"
#include "kernels/tile/subject.h"

#include <QtTest>

#include "kernels/sass/recorded.h"
#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"
#include "viz/code/sass_style.h"

namespace tileloom::test {

class RibbonGeometryTest : public QObject {
  Q_OBJECT

  static std::shared_ptr<const SassFacts> factsOf(int ffmas) {
    sass::MachineCode code;
    code.subject() = usualSubject(stage("naive"), {});
    std::string text = "LDS R2, [R8]\nBAR.SYNC 0x0\n";
    for (int i = 0; i < ffmas; ++i) text += "FFMA R9, R2, R4, R3\n";
    code.listing = listingOf(text + "@P0 BRA 0x10\nEXIT\n");
    return SassFacts::of(std::move(code));
  }

 private slots:
  void aStripeForEachInstructionOfTheLoop_data() {
    QTest::addColumn<int>("ffmas");
    QTest::addColumn<QSizeF>("room");
    for (const int ffmas : {1, 30, 140, 600, 1200, 9000}) {
      for (const QSizeF& room :
           {QSizeF(900, 160), QSizeF(340, 60), QSizeF(200, 24), QSizeF(3000, 900)})
        QTest::addRow("%d in %g x %g", ffmas, room.width(), room.height()) << ffmas << room;
    }
  }
  void aStripeForEachInstructionOfTheLoop() {
    QFETCH(int, ffmas);
    QFETCH(QSizeF, room);
    const auto facts = factsOf(ffmas);
    const QRectF canvas(QPointF(12, 30), room);
    const auto g = RibbonGeometry::of(canvas, *facts, 0);
    QCOMPARE(int(g.stripes.size()), ffmas + 2);
    QVERIFY(g.stripe > 0 && g.rowHeight > 0);
    for (std::size_t i = 0; i < g.stripes.size(); ++i) {
      const auto& s = g.stripes[i];
      QCOMPARE(s.index, int(i) + 1);
      QVERIFY(canvas.adjusted(-0.01, -0.01, 0.01, 0.01).contains(s.cell));
      QCOMPARE(s.lostToBanks.isEmpty(), facts->lostAt(s.index).banks == 0);
      if (!s.lostToBanks.isEmpty()) QVERIFY(s.lostToBanks.top() >= s.cell.bottom());
      QCOMPARE(g.at(s.cell.center()), std::optional(s.index));
      if (i == 0) continue;
      const auto& before = g.stripes[i - 1];
      const bool sameRow = s.cell.top() == before.cell.top();
      QVERIFY(sameRow ? qAbs(s.cell.left() - before.cell.right()) < 0.01
                      : s.cell.top() > before.lostToBanks.bottom() &&
                            s.cell.top() > before.cell.bottom());
    }
    QVERIFY(g.bottom() <= canvas.bottom() + 0.01);
    QVERIFY(!g.at(QPointF(0, 0)));
    QVERIFY(!g.at(canvas.bottomRight() + QPointF(5, 50)));
  }

  // Two that are compared are drawn to the scale of the longer one.
  void oneScale() {
    const QRectF canvas(0, 0, 500, 120);
    const auto shortLoop = factsOf(100), longLoop = factsOf(1000);
    const auto a = RibbonGeometry::of(canvas, *shortLoop, 1002);
    const auto b = RibbonGeometry::of(canvas, *longLoop, 1002);
    QCOMPARE(a.stripe, b.stripe);
    QCOMPARE(a.rowHeight, b.rowHeight);
    QVERIFY(a.rows < b.rows);
  }

  void noRoomAtAll() {
    QVERIFY(RibbonGeometry::of(QRectF(0, 0, 0, 0), *factsOf(5), 0).stripes.empty());
    QVERIFY(!RibbonGeometry::plan(QRectF(0, 0, 100, 100), 0).at(QPointF(1, 1)));
  }

  // Classes with different hues have different shapes, except for a few that differ in position.
  void shapesDiffer() {
    using sass::Class;
    const auto same = [](Class a, Class b) {
      const StripeShape x = stripeShape(a), y = stripeShape(b);
      return x.top == y.top && x.bottom == y.bottom && x.second == y.second;
    };
    for (std::size_t i = 0; i < sass::kClasses; ++i) {
      for (std::size_t j = i + 1; j < sass::kClasses; ++j) {
        const auto a = static_cast<Class>(i), b = static_cast<Class>(j);
        const bool alike = a == Class::Lds && b == Class::Barrier;
        QVERIFY2(same(a, b) == alike, qPrintable(q(name(a)) + " and " + q(name(b))));
      }
    }
    // Those two differ in lightness, and a barrier is rare.
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      const Theme theme = Theme::make(look);
      const auto grey = [&](Class c) { return qGray(classColor(theme, c).rgb()); };
      QVERIFY(qAbs(grey(Class::Lds) - grey(Class::Ffma)) > 40);
    }
  }

  void theLadder_data() { addFp32StageRows(); }
  void theLadder() {
    const Stage& s = stageOfRow();
    TILELOOM_NEEDS_LISTINGS(s);
    const auto code = sass::recordedListing(standardSubject(s), "sm_90");
    QVERIFY(code.has_value());
    const auto facts = SassFacts::of(*code);
    const auto g = RibbonGeometry::of(QRectF(0, 0, 400, 90), *facts, 0);
    QCOMPARE(int(g.stripes.size()), facts->inLoop.total);
    QVERIFY(g.bottom() <= 90.01);
    // Both kinds of lost cycles have marks of their own, one below the other.
    for (const auto& stripe : g.stripes) {
      const sass::Lost lost = facts->lostAt(stripe.index);
      QCOMPARE(stripe.lostToBanks.isEmpty(), lost.banks == 0);
      QCOMPARE(stripe.lostToLoads.isEmpty(), lost.loads == 0);
      QVERIFY(!stripe.lostToBanks.intersects(stripe.lostToLoads));
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RibbonGeometryTest, Nothing)
#include "ribbon_geometry_test.moc"
