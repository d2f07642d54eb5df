// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom ceilings` as a user calls it: on the fake GPU, and without a GPU.
#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/model/limits/ceilings.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class CeilingsCommandTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;
  QString file() const { return m_around->path("data/tileloom/ceilings.jsonl"); }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void measuredAndKept() {
    m_around->fakeGpu(
        "memory=64M,jitter=0,rate=ceiling_fma:60000,rate=ceiling_dram:3000,"
        "rate=ceiling_l2:5000,rate=ceiling_shared:30000");
    const Said said = runTileloom({"ceilings"});
    QVERIFY2(said.status == 0, said.err.constData());
    QVERIFY(said.err.isEmpty());
    for (const char* part : {"Fake H100 (sm_90), measured", "60,000  GFLOP/s", "3,000  GB/s",
                             "5,000  GB/s", "30,000  GB/s", "20.0", "12.0", "2.0"}) {
      QVERIFY2(said.out.contains(part), said.out.constData());
    }
    const auto kept = model::readCeilings(file().toStdString());
    QVERIFY(kept && kept->complaints.empty());
    QCOMPARE(kept->all.size(), std::size_t{1});
    QVERIFY(std::abs(kept->all[0].dramGBs.median - 3000) < 1);

    const Said again = runTileloom({"ceilings", "--no-save", "--json"});
    const auto json = nlohmann::json::parse(again.out.begin(), again.out.end(), nullptr, false);
    QVERIFY(json["schema"] == "tileloom.ceilings/1" && json["origin"] == "live");
    QCOMPARE(model::readCeilings(file().toStdString())->all.size(), std::size_t{1});
  }

  void withoutAGpu() {
    const Said said = runTileloom({"ceilings"});
    QCOMPARE(said.status, 3);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("shipped"), said.err.constData());
    QVERIFY(said.out.contains("NVIDIA H100 80GB HBM3") && said.out.contains("65,989  GFLOP/s"));
    QVERIFY(!QFile::exists(file()));
    const Said shipped = runTileloom({"ceilings", "--shipped"});
    QCOMPARE(shipped.status, 0);
    QCOMPARE(shipped.out, said.out);
    QVERIFY(shipped.err.isEmpty());
  }

  void trouble_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("names");
    QTest::newRow("hangs") << "--limit 1" << QByteArray("hang=launch") << 3 << "time limit";
    QTest::newRow("no such device") << "--device 7" << QByteArray() << 2 << "device 7";
    QTest::newRow("no number") << "--device x" << QByteArray() << 2 << "--device";
  }
  void trouble() {
    QFETCH(QString, line);
    QFETCH(QByteArray, behaviour);
    QFETCH(int, status);
    QFETCH(QString, names);
    m_around->fakeGpu("memory=64M," + behaviour);
    const Said said = runTileloom(QStringList{"ceilings"} + line.split(' '));
    QCOMPARE(said.status, status);
    QVERIFY2(isOneSentence(said.err) && said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY(said.out.isEmpty() && !QFile::exists(file()));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CeilingsCommandTest, EventLoop)
#include "ceilings_test.moc"
