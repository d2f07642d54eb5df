// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom microcases` as a user calls it: on the fake GPU, and without a GPU.
#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/sass/micro_results.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class MicrocasesCommandTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void measured() {
    m_around->fakeGpu("memory=64M");
    const Said said = runTileloom({"microcases", "--only", "banks/kept"});
    QVERIFY2(said.status == 0, said.err.constData());
    for (const char* part : {"Fake H100 (sm_90), measured", "banks/kept-of-one-bank", "1.250"})
      QVERIFY2(said.out.contains(part), said.out.constData());
    QVERIFY(!said.out.contains("lds"));
  }

  void recordedAsItShips() {
    m_around->fakeGpu("memory=64M,polls=0");
    const QString file = m_around->path("micro.jsonl");
    const Said said = runTileloom({"microcases", "--record", file});
    QVERIFY2(said.status == 0, said.err.constData());
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const auto results = sass::microResultsFrom(written.readAll().toStdString());
    QVERIFY(results && results->device == "Fake H100" && results->results.size() > 100);
  }

  void withoutAGpu() {
    const Said said = runTileloom({"microcases", "--only", "banks/"});
    QCOMPARE(said.status, 3);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("recorded on"), said.err.constData());
    QVERIFY(said.out.contains("NVIDIA H100 80GB HBM3"));
    const Said shipped = runTileloom({"microcases", "--only", "banks/", "--shipped"});
    QCOMPARE(shipped.status, 0);
    QCOMPARE(shipped.out, said.out);
    QVERIFY(shipped.err.isEmpty());
    const Said asJson = runTileloom({"microcases", "--only", "banks/", "--shipped", "--json"});
    const auto json = nlohmann::json::parse(asJson.out.begin(), asJson.out.end(), nullptr, false);
    QVERIFY(json["schema"] == "tileloom.microcases/1" && json["origin"] == "recorded");
    QVERIFY(json["cases"].size() > 10 && json["cases"][0]["cycles"].size() == 3);
  }

  void trouble_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("names");
    QTest::newRow("hangs") << "--limit 1" << QByteArray("hang=launch") << 3 << "time limit";
    QTest::newRow("no such device") << "--device 7" << QByteArray() << 2 << "device 7";
    QTest::newRow("no number") << "--device x" << QByteArray() << 2 << "--device";
    QTest::newRow("no such case") << "--only zzz" << QByteArray() << 2 << "zzz";
    QTest::newRow("record a part") << "--record x --only banks" << QByteArray() << 2 << "--only";
    QTest::newRow("another generation") << "" << QByteArray("arch=86") << 3 << "8.6";
  }
  void trouble() {
    QFETCH(QString, line);
    QFETCH(QByteArray, behaviour);
    QFETCH(int, status);
    QFETCH(QString, names);
    m_around->fakeGpu("memory=64M," + behaviour);
    const Said said = runTileloom(QStringList{"microcases"} + line.split(' ', Qt::SkipEmptyParts));
    QCOMPARE(said.status, status);
    QVERIFY2(isOneSentence(said.err) && said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY(said.out.isEmpty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MicrocasesCommandTest, EventLoop)
#include "microcases_test.moc"
