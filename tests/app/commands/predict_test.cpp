// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom predict --sizes` as a user calls it, on a machine without a compiler.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <algorithm>
#include <cmath>

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

  // Where all waves are full, a K tile has the shares of the launch, register banks of the listing
  // among them: `why` says the same of the same kernel.
  void busySharesAreThoseOfWhy() {
    const QStringList launch{"doublebuffered", "--size", "8448x8192x2048", "--json"};
    const auto said = [&](const char* command) {
      return QJsonDocument::fromJson(runTileloom(QStringList{command} + launch).out).object();
    };
    const QJsonObject predicted = said("predict");
    const double cycles = predicted["cycles_per_k_tile"].toDouble();
    const QJsonObject busy = predicted["busy_cycles"].toObject();
    const QStringList keys{"issue", "shared", "l2", "dram"};
    const QJsonArray pipes = said("why")["pipes"].toArray();
    QCOMPARE(pipes.size(), keys.size());
    double most = 0;
    for (qsizetype i = 0; i < keys.size(); ++i) {
      most = std::max(most, busy[keys[i]].toDouble());
      QVERIFY(std::abs(busy[keys[i]].toDouble() / cycles -
                       pipes[i].toObject()["busy_share"].toDouble()) < 1e-6);
    }
    QVERIFY(std::abs(busy["issue"].toDouble() / cycles - 0.922) < 0.002);
    QVERIFY(std::abs(predicted["exposed_cycles"].toDouble() - (cycles - most)) < 1e-6);
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
