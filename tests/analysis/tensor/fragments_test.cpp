// SPDX-License-Identifier: GPL-3.0-or-later
// One thread's outer product: every sum receives exactly one product for each k, from its own row
// of A and column of B.
#include "kernels/analysis/tensor/fragments.h"

#include <QtTest>
#include <set>

#include "kernels/analysis/recording.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::recorded;

class FragmentsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyRungAddsOneProductASum_data() {
    QTest::addColumn<QString>("id");
    for (const Stage& stage : stages())
      QTest::newRow(test::q(stage.id).toUtf8()) << test::q(stage.id);
  }
  void everyRungAddsOneProductASum() {
    QFETCH(QString, id);
    const auto r = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    const std::uint32_t thread = r->trace.threads - 3, warp = thread / 32;
    const auto in = [](const Instruction& i) {
      return i.kTile == 1 && i.dot == 2 && i.kind == Kind::Fma;
    };
    std::uint32_t last = indexOf(*r, warp, in);
    const std::uint32_t first = last;
    while (last + 1 < r->trace.length(warp)) {
      const Instruction& next = test::instructionAt(*r, warp, last + 1);
      if (next.kTile != 1 || next.dot != 2) break;
      ++last;
    }
    const auto begun = outerProduct(*r, thread, first), ended = outerProduct(*r, thread, last);
    QVERIFY(begun && ended);
    std::size_t results = 0;
    for (const Region& s : r->map.subtiles[thread])
      results += static_cast<std::size_t>(s.rows * s.columns);
    QCOMPARE(ended->products, results);
    QCOMPARE(ended->done.size(), results);
    QCOMPARE(begun->done.size(), std::size_t{1});
    QVERIFY(begun->now.has_value());
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (const Element& c : ended->done) {
      QCOMPARE(int(r->map.ownerOf(c.row, c.column)), int(thread));
      QVERIFY(seen.emplace(c.row, c.column).second);
    }
    QCOMPARE(ended->before, std::int64_t{r->trace.stepK} + 2);
    for (const Fragment& f : ended->a) {
      QCOMPARE(f.element.column, ended->before);  // this k
      QVERIFY(f.loaded);
    }
    for (const Fragment& f : ended->b) {
      QCOMPARE(f.element.row, ended->before);
      QVERIFY(f.loaded);
    }
    QCOMPARE(ended->a.size() * ended->b.size(), results);
  }

  void loadsArriveOneAfterTheOther() {
    const auto r = recorded({.stage = "warptiled"});
    const auto load = indexOf(*r, 0, [](const Instruction& i) {
      return i.dot == 0 && i.kTile == 0 && i.kind == Kind::SharedLoad;
    });
    const auto count = [&](std::uint32_t index) {
      const auto p = outerProduct(*r, 5, index);
      return std::ranges::count_if(p->a, &Fragment::loaded) +
             std::ranges::count_if(p->b, &Fragment::loaded);
    };
    QCOMPARE(int(count(load)), 4);  // the first 128 bits
    QCOMPARE(int(count(load + 1)), 8);
    const auto fma = indexOf(*r, 0, [](const Instruction& i) { return i.kind == Kind::Fma; });
    QCOMPARE(int(count(fma)), 8 + 16);
    QVERIFY(!outerProduct(*r, 5, load)->now);
  }

  void theTermMultipliesWhatItSays() {
    const auto r = recorded({.stage = "blocktile2d"});
    const auto fma =
        indexOf(*r, 2, [](const Instruction& i) { return i.kind == Kind::Fma && i.dot == 5; });
    const auto p = outerProduct(*r, 2 * 32 + 9, fma + 13);
    QVERIFY(p && p->now);
    QCOMPARE(p->now->a.row, p->now->c.row);
    QCOMPARE(p->now->b.column, p->now->c.column);
    QCOMPARE(p->now->a.column, p->now->b.row);
  }

  void nothingWhileATileIsFilled() {
    const auto r = recorded({.stage = "warptiled"});
    const auto fill =
        indexOf(*r, 0, [](const Instruction& i) { return i.kind == Kind::SharedStore; });
    QVERIFY(!outerProduct(*r, 0, fill));
    QVERIFY(!outerProduct(*r, 0, r->trace.length(0) - 1));  // the epilogue
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::FragmentsTest, EventLoop)
#include "fragments_test.moc"
