// SPDX-License-Identifier: GPL-3.0-or-later
// The loom's geometry, without painting: each pixel finds the element that is shown there, at every
// zoom.
#include "viz/loom/loom_geometry.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

Q_DECLARE_METATYPE(tileloom::LoomInput)

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using analysis::Region;

namespace {

LoomInput inputOf(const Problem& problem, const Region& block, std::int64_t k, std::int64_t depth) {
  LoomInput in;
  in.problem = problem;
  in.block = block;
  in.tileA = {block.row, k, block.rows, depth};
  in.tileB = {k, block.column, depth, block.columns};
  in.viewport = QRectF(13, 47, 760, 520);
  in.label = 17;
  return in;
}

constexpr double kClosest = 120.0;  // the closest zoom of the view

}  // namespace

class LoomGeometryTest : public QObject {
  Q_OBJECT

  static void addInputs() {
    QTest::addColumn<LoomInput>("in");
    QTest::newRow("square") << inputOf({1024, 1024, 1024}, {256, 512, 128, 128}, 16, 16);
    QTest::newRow("the first block") << inputOf({1024, 1024, 1024}, {0, 0, 128, 128}, 0, 16);
    QTest::newRow("the last block") << inputOf({4096, 4096, 64}, {3968, 3968, 128, 128}, 48, 16);
    QTest::newRow("one block only") << inputOf({64, 64, 64}, {0, 0, 64, 64}, 8, 8);
    QTest::newRow("wide") << inputOf({96, 8192, 512}, {32, 4096, 32, 64}, 32, 32);
    QTest::newRow("tall") << inputOf({8192, 64, 256}, {4096, 0, 256, 16}, 64, 64);
    QTest::newRow("long K") << inputOf({128, 128, 16384}, {64, 64, 32, 32}, 8192, 32);
    QTest::newRow("a clipped block") << inputOf({33, 35, 5}, {32, 32, 1, 3}, 0, 5);
  }

  static bool inside(const QRectF& outer, const QRectF& inner) {
    constexpr double kRounding = 1e-6;
    return outer.adjusted(-kRounding, -kRounding, kRounding, kRounding).contains(inner);
  }

  // Cameras from the whole grid down to single elements, all looking at the block.
  static std::vector<LoomCamera> zooms(const LoomInput& in, int steps) {
    const double from = std::log(0.7 * LoomGeometry::fitGrid(in).scale);
    const double to = std::log(std::max(kClosest, LoomGeometry::fitBlock(in).scale));
    std::vector<LoomCamera> cameras;
    for (int i = 0; i <= steps; ++i) {
      LoomCamera camera;
      camera.scale = std::exp(from + (to - from) * i / steps);
      camera.centre = QPointF(static_cast<double>(in.block.column + in.block.columns / 2),
                              static_cast<double>(in.block.row + in.block.rows / 2));
      cameras.push_back(camera);
    }
    return cameras;
  }

 private slots:
  void wholeProblemFits_data() { addInputs(); }
  void wholeProblemFits() {
    QFETCH(LoomInput, in);
    const LoomGeometry g(in, LoomGeometry::fitGrid(in));
    for (const QRectF& r : {g.a(), g.b(), g.c(), g.slabA(), g.slabB(), g.block()}) {
      QVERIFY(inside(in.viewport, r));
    }
    // A is to the left of C and B above it; they do not touch.
    QVERIFY(g.a().right() < g.c().left());
    QVERIFY(g.b().bottom() < g.c().top());
    QVERIFY(inside(g.c(), g.block()));
    // No larger than need be: one direction is used up but for labels.
    const QRectF all = g.a() | g.b() | g.c();
    QVERIFY(all.width() > in.viewport.width() - 3 * in.label ||
            all.height() > in.viewport.height() - 3 * in.label);
  }

  void blockAndSlabsFit_data() { addInputs(); }
  void blockAndSlabsFit() {
    QFETCH(LoomInput, in);
    const LoomGeometry g(in, LoomGeometry::fitBlock(in));
    QCOMPARE(g.detail(), 1.0);
    for (const QRectF& r : {g.slabA(), g.slabB(), g.block()}) QVERIFY(inside(in.viewport, r));
    QVERIFY(g.slabA().right() <= g.block().left());
    QVERIFY(g.slabB().bottom() <= g.block().top());
    QVERIFY(g.slabA().width() > 0 && g.slabB().height() > 0);
  }

  void regionsFitBesideTheSlabs_data() { addInputs(); }
  void regionsFitBesideTheSlabs() {
    QFETCH(LoomInput, in);
    test::Random random(test::seed());
    for (int round = 0; round < 50; ++round) {
      const int rows = random.integer(1, static_cast<int>((in.block.rows + 1) / 2));
      const int columns = random.integer(1, static_cast<int>((in.block.columns + 1) / 2));
      const Region part{
          in.block.row + random.integer(0, static_cast<int>(in.block.rows) - rows),
          in.block.column + random.integer(0, static_cast<int>(in.block.columns) - columns), rows,
          columns};
      const LoomGeometry g(in, LoomGeometry::fitRegion(in, part));
      const QRectF shown = g.ofC(part);
      QVERIFY(inside(in.viewport, shown));
      if (g.detail() < 1.0) continue;  // slabs still move to the block
      QVERIFY(!shown.intersects(g.slabA()) && !shown.intersects(g.slabB()));
    }
  }

  void pointingFindsWhatIsDrawn_data() { addInputs(); }
  void pointingFindsWhatIsDrawn() {
    QFETCH(LoomInput, in);
    test::Random random(test::seed());
    const auto within = [&random](std::int64_t start, std::int64_t count) {
      return start + random.integer(0, static_cast<int>(count) - 1);
    };
    int found[3] = {};
    for (const LoomCamera& camera : zooms(in, 24)) {
      const LoomGeometry g(in, camera);
      for (int round = 0; round < 60; ++round) {
        Element e;
        e.matrix = static_cast<Matrix>(random.integer(0, 2));
        const Region& part = e.matrix == Matrix::A   ? in.tileA
                             : e.matrix == Matrix::B ? in.tileB
                                                     : in.block;
        e.row = within(part.row, part.rows);
        e.column = within(part.column, part.columns);
        const QRectF cell = g.of(e);
        QVERIFY(cell.width() > 0 && cell.height() > 0);
        const QPointF at(cell.left() + (0.05 + 0.9 * random.integer(0, 100) / 100) * cell.width(),
                         cell.top() + (0.05 + 0.9 * random.integer(0, 100) / 100) * cell.height());
        // Slabs may cover C and each other after zooming in: a pixel does not find what is covered.
        const bool underA = e.matrix != Matrix::A && g.slabA().contains(at);
        const bool underB = e.matrix != Matrix::B && g.slabB().contains(at);
        if (underA || underB) continue;
        const auto there = g.elementAt(at);
        QVERIFY(there.has_value());
        QVERIFY2(*there == e, qPrintable(QString("zoom %1").arg(camera.scale)));
        ++found[static_cast<int>(e.matrix)];
      }
    }
    for (const int n : found) QVERIFY(n > 50);
  }

  // A pixel also finds elements of C outside the block, to choose their block.
  void allOfCAnswers() {
    const LoomInput in = inputOf({1000, 900, 512}, {256, 512, 128, 128}, 16, 16);
    const LoomGeometry g(in, LoomGeometry::fitGrid(in));
    for (const Element e : {Element{Matrix::C, 0, 0}, Element{Matrix::C, 999, 899},
                            Element{Matrix::C, 700, 3}, Element{Matrix::C, 5, 880}}) {
      QVERIFY(g.elementAt(g.of(e).center()) == e);
    }
    QVERIFY(!g.elementAt(g.c().bottomRight() + QPointF(2, 2)));
    QVERIFY(!g.elementAt(QPointF(-50, -50)));
  }

  void slabsStayInSight_data() { addInputs(); }
  void slabsStayInSight() {
    QFETCH(LoomInput, in);
    test::Random random(test::seed());
    const double least = LoomGeometry::fitBlock(in).scale;
    for (double scale = least; scale <= std::max(least, kClosest); scale *= 1.3) {
      for (int round = 0; round < 20; ++round) {
        LoomCamera camera;
        camera.scale = scale;
        camera.centre = {static_cast<double>(in.block.column) +
                             static_cast<double>(in.block.columns) * random.integer(0, 100) / 100.0,
                         static_cast<double>(in.block.row) +
                             static_cast<double>(in.block.rows) * random.integer(0, 100) / 100.0};
        const LoomGeometry g(in, camera);
        QVERIFY(g.slabA().left() >= in.viewport.left());
        QVERIFY(g.slabA().right() <= in.viewport.right());
        QVERIFY(g.slabB().top() >= in.viewport.top());
        QVERIFY(g.slabB().bottom() <= in.viewport.bottom());
        QVERIFY(g.slabA().intersects(in.viewport) && g.slabB().intersects(in.viewport));
      }
    }
  }

  // The idea of the loom: a row of A meets a column of B, at every zoom and half way between.
  void rowsOfAMeetColumnsOfB_data() { addInputs(); }
  void rowsOfAMeetColumnsOfB() {
    QFETCH(LoomInput, in);
    const auto near = [](double x, double y) {
      return std::abs(x - y) < 1e-6 * std::max(1.0, std::abs(x));
    };
    for (const LoomCamera& camera : zooms(in, 15)) {
      const LoomGeometry g(in, camera);
      for (std::int64_t i = 0; i < in.block.rows; ++i) {
        const std::int64_t row = in.block.row + i;
        const QRectF a = g.inSlabA({row, in.tileA.column, 1, in.tileA.columns});
        const QRectF c = g.ofC({row, in.block.column, 1, in.block.columns});
        QVERIFY(near(a.top(), c.top()) && near(a.bottom(), c.bottom()));
      }
      for (std::int64_t i = 0; i < in.block.columns; ++i) {
        const std::int64_t column = in.block.column + i;
        const QRectF b = g.inSlabB({in.tileB.row, column, in.tileB.rows, 1});
        const QRectF c = g.ofC({in.block.row, column, in.block.rows, 1});
        QVERIFY(near(b.left(), c.left()) && near(b.right(), c.right()));
      }
    }
  }

  void detailGrowsFromNothingToAll_data() { addInputs(); }
  void detailGrowsFromNothingToAll() {
    QFETCH(LoomInput, in);
    double last = 0;
    for (const LoomCamera& camera : zooms(in, 200)) {
      const double now = LoomGeometry(in, camera).detail();
      QVERIFY(now >= last && now <= 1.0);
      last = now;
    }
    QCOMPARE(last, 1.0);
    const double apart =
        std::log(LoomGeometry::fitBlock(in).scale / LoomGeometry::fitGrid(in).scale);
    const double whole = LoomGeometry(in, LoomGeometry::fitGrid(in)).detail();
    if (apart > 0.1) QCOMPARE(whole, 0.0);
  }

  // Zoomed out, the slab is the K tile's true place in A and in B.
  void slabsStartWhereTheyBelong() {
    const LoomInput in = inputOf({1024, 2048, 512}, {256, 512, 128, 128}, 48, 16);
    const LoomGeometry g(in, LoomGeometry::fitGrid(in));
    QVERIFY(inside(g.a(), g.slabA()) && inside(g.b(), g.slabB()));
    QCOMPARE((g.slabA().left() - g.a().left()) / g.a().width(), 48.0 / 512);
    QCOMPARE((g.slabB().top() - g.b().top()) / g.b().height(), 48.0 / 512);
  }

  void worldAndPixelsAreInverse() {
    const LoomInput in = inputOf({1024, 1024, 1024}, {256, 512, 128, 128}, 16, 16);
    const LoomGeometry g(in, LoomCamera{{300.5, 17.25}, 3.5});
    QCOMPARE(g.toPixel({300.5, 17.25}), in.viewport.center());
    const QPointF pixel(100, 333);
    const QPointF back = g.toPixel(g.toWorld(pixel));
    QVERIFY((back - pixel).manhattanLength() < 1e-9);
    QCOMPARE(g.cell(), 3.5);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LoomGeometryTest, Nothing)
#include "loom_geometry_test.moc"
