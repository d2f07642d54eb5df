// SPDX-License-Identifier: GPL-3.0-or-later
// Stations of a memory path: in order, apart, and every value in its row.
#include "viz/memory/path_geometry.h"

#include <QSignalSpy>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/memory/path_view.h"

namespace tileloom {

using analysis::MemoryPath;
using emulator::Instruction;
using emulator::Kind;
using Station = MemoryPath::Station;

class PathGeometryTest : public QObject {
  Q_OBJECT

  static Scene sceneOf(const char* stage, Kind kind) {
    const auto r = test::recorded({.stage = stage});
    return makeScene(r, 1,
                     test::indexOf(*r, 1, [kind](const Instruction& i) { return i.kind == kind; }));
  }

 private slots:
  void columnsAndRows_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<int>("kind");
    for (const char* stage : {"naive", "blocktile2d", "vectorized", "warptiled"}) {
      for (const Kind kind :
           {Kind::GlobalLoad, Kind::SharedStore, Kind::SharedLoad, Kind::GlobalStore}) {
        if (stage == QByteArray("naive") && emulator::isShared(kind)) continue;
        QTest::addRow("%s %d", stage, int(kind)) << QString(stage) << int(kind);
      }
    }
    for (const Kind kind : {Kind::GlobalLoad, Kind::SharedStore, Kind::MatrixLoad})
      QTest::addRow("mma %d", int(kind)) << QStringLiteral("mma") << int(kind);
    for (const Kind kind : {Kind::AsyncCopy, Kind::MatrixLoad, Kind::GlobalStore})
      QTest::addRow("mmaring %d", int(kind)) << QStringLiteral("mmaring") << int(kind);
  }
  void columnsAndRows() {
    QFETCH(QString, stage);
    QFETCH(int, kind);
    const Scene scene = sceneOf(stage.toUtf8(), static_cast<Kind>(kind));
    for (const QSizeF& size : {QSizeF(1200, 400), QSizeF(500, 180), QSizeF(3000, 1600)}) {
      const QRectF canvas(QPointF(0, 0), size);
      const auto picture = pathPicture(scene, canvas, Fonts::of(QFont()));
      QVERIFY(picture.has_value());
      double right = 0;
      for (const auto& column : picture->geometry.columns()) {
        QVERIFY(column.body.left() > right);
        right = column.body.right();
        QVERIFY(canvas.contains(column.body));
        for (const MemoryPath::Value& v : picture->path.values) {
          const QRectF cell = picture->geometry.of(column, v);
          QVERIFY(!cell.isEmpty());
          QVERIFY(column.body.adjusted(-0.01, -0.01, 0.01, 0.01).contains(cell));
          const auto row = column.station == Station::Lanes         ? v.lane
                           : column.station == Station::Sectors     ? v.sector
                           : column.station == Station::SharedWords ? *v.word % 32
                                                                    : *v.wavefront;
          QVERIFY(
              picture->geometry.row(column, row).adjusted(-0.01, -0.01, 0.01, 0.01).contains(cell));
        }
      }
    }
  }

  void hoveringALaneMeansItsThread() {
    const Scene scene = sceneOf("warptiled", Kind::SharedLoad);
    PathView view;
    view.setScene(scene);
    QVERIFY(test::shown(view, {1200, 420}));
    Selection heard;
    connect(&view, &PathView::hovered, &view, [&heard](const Selection& s) { heard = s; });
    const auto picture = pathPicture(scene, QRectF(view.rect()), Fonts::of(view.font()));
    const auto& lanes = picture->geometry.columns().back();
    test::hoverAt(view, picture->geometry.row(lanes, 13).center());
    QCOMPARE(int(heard.thread.value_or(0)), 32 + 13);
    QVERIFY(!heard.element);
    const auto& words = picture->geometry.columns()[1];
    const MemoryPath::Value& value = picture->path.values.front();
    test::hoverAt(view, picture->geometry.of(words, value).center());
    QVERIFY(heard.element == value.element);
    test::leave(view);
    QVERIFY(heard.empty());
  }

  void beforeAnyAccessThereIsNoPicture() {
    QVERIFY(!pathPicture(Scene(), QRectF(0, 0, 800, 300), Fonts::of(QFont())));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PathGeometryTest, Widgets)
#include "path_geometry_test.moc"
