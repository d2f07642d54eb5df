// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom predict --sizes` as a user calls it, on a machine without a compiler.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "app/command_line.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class AppPredictTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void sizesAsText() {
    const Said said = runTileloom({"predict", "warptiled", "--sizes", "2048:4224:128"});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    for (const char* part : {"warptiled, rung 8", "132 SMs, 3 blocks per SM", "33 x 33", "2.75",
                             "91.7 %", "Waves used"})
      QVERIFY2(said.out.contains(part), said.out.constData());
    QCOMPARE(said.out.count(" x "), 1 + 18);  // along M x N
  }

  // At each size the same numbers as for one size alone.
  void sizesAsJson() {
    const Said said = runTileloom({"predict", "warptiled", "--sizes", "1000:4096:1548", "--json"});
    QCOMPARE(said.status, 0);
    const QJsonObject all = QJsonDocument::fromJson(said.out).object();
    QCOMPARE(all["schema"].toString(), QString("tileloom.sizes/1"));
    const QJsonArray points = all["points"].toArray();
    QCOMPARE(points.size(), 3);
    for (const auto& each : points) {
      const QJsonObject p = each.toObject();
      const Said one = runTileloom(
          {"predict", "warptiled", "--size", QString::number(p["size"].toInt()), "--json"});
      const QJsonObject single = QJsonDocument::fromJson(one.out).object();
      QCOMPARE(p["gflops"].toDouble(), single["gflops"].toDouble());
      QCOMPARE(p["waves"].toDouble(), single["waves"].toDouble());
    }
    QVERIFY(points[2].toObject()["recorded_gflops"].toDouble() > 30000);
    QVERIFY(points[0].toObject()["recorded_gflops"].isNull());
  }

  void badSizes_data() {
    QTest::addColumn<QString>("sizes");
    QTest::addColumn<QString>("says");
    QTest::newRow("one") << "256"
                         << "not of the form FROM:TO:STEP";
    QTest::newRow("two") << "256:512"
                         << "not of the form FROM:TO:STEP";
    QTest::newRow("four") << "1:2:3:4"
                          << "not of the form FROM:TO:STEP";
    QTest::newRow("word") << "256:many:8"
                          << "last of the sizes";
    QTest::newRow("zero") << "0:512:8"
                          << "first of the sizes";
    QTest::newRow("step 0") << "256:512:0"
                            << "step of the sizes";
    QTest::newRow("backwards") << "512:256:8"
                               << "must not be larger";
    QTest::newRow("too many") << "1:32768:1"
                              << "choose a larger step";
    QTest::newRow("too large") << "256:99999:8"
                               << "last of the sizes";
  }
  void badSizes() {
    QFETCH(QString, sizes);
    QFETCH(QString, says);
    const Said said = runTileloom({"predict", "warptiled", "--sizes", sizes});
    QVERIFY(said.status != 0 && said.out.isEmpty());
    QVERIFY2(said.err.contains(says.toUtf8()), said.err.constData());
    QCOMPARE(said.err.count('\n'), 1);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::AppPredictTest, EventLoop)
#include "predict_test.moc"
