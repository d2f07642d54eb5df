// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom kernel` as a user calls it: a compiled kernel, launched as its launch file says.
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "app/command_line.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class KernelCommandTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  QString m_cubin;
  std::unique_ptr<Surroundings> m_around;

  // Rung 3 with the given layout of B.
  void writeLaunch(const QByteArray& b) {
    QByteArray text = R"JSON({"tileloom_launch": 1, "values": {"T": 32},
      "sizes": {"M": 64, "N": 96, "K": 32}, "grid": ["cdiv(M, T)", "cdiv(N, T)"], "threads": ["T * T"],
      "alpha": 1.5, "beta": 0.5, "parameters": ["M", "N", "K", "alpha", {"matrix": "A"},
      {"matrix": "B", "layout": "LAYOUT"}, "beta", {"matrix": "C"}]})JSON";
    text.replace("LAYOUT", b);
    QVERIFY(Surroundings::write(m_folder.filePath("shared.launch.json"), text));
  }

 private slots:
  void initTestCase() {
    m_around = std::make_unique<Surroundings>();
    Surroundings::compilerOnly();
    m_cubin = m_folder.filePath("shared.cubin");
    const Said said = runTileloom({"compile", "shared", "--cubin", m_cubin});
    if (said.status != 0) QSKIP("needs NVRTC");
  }

  void right() {
    writeLaunch("row");
    const Said said = runTileloom({"kernel", m_cubin});
    QCOMPARE(said.err, QByteArray());
    QCOMPARE(said.status, 0);
    for (const char* part :
         {"M 64, N 96, K 32, T 32",
          "Right: C = 1.5 A B + 0.5 C in all 6,144 elements, with whole numbers from -2 to 2.",
          "grid 2 x 3 x 1, blocks of 1024 x 1 x 1 threads",
          "1,024 elements of C, rows 0 to 31 and columns 0 to 31"})
      QVERIFY2(said.out.contains(part), said.out.constData());
    const Said larger = runTileloom({"kernel", m_cubin, "--set", "M=32", "--set", "N=32"});
    QVERIFY2(larger.out.contains("grid 1 x 1 x 1"), larger.out.constData());
  }
  // What is found is a launch file that works.
  void find() {
    const Said said = runTileloom({"kernel", m_cubin, "--find"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.contains("and checked: a block computes 32 x 32 elements of C"),
             said.err.constData());
    const QString file = m_folder.filePath("found.launch.json");
    QVERIFY(Surroundings::write(file, said.out));
    const Said used = runTileloom({"kernel", m_cubin, "--launch", file});
    QVERIFY2(used.status == 0 && used.out.contains("Right: C = 2 A B + C in all 6,144 elements"),
             used.out.constData());
    const Said both = runTileloom({"kernel", m_cubin, "--find", "--set", "M=64"});
    QVERIFY(both.status == 2 && isOneSentence(both.err));
  }
  void wrong() {
    writeLaunch("column");
    const Said said = runTileloom({"kernel", m_cubin});
    QCOMPARE(said.status, 1);
    QVERIFY2(
        said.out.contains("elements are not C = 1.5 A B + 0.5 C. The first is row 0, column 0"),
        said.out.constData());
    QVERIFY(said.out.contains("It would be right with B by rows: write \"layout\" in the launch"));
    QVERIFY(said.out.contains("the elements of B are not followed"));
    const Said json = runTileloom({"kernel", m_cubin, "--json"});
    const QJsonObject all = QJsonDocument::fromJson(json.out).object();
    QCOMPARE(all["schema"].toString(), QString("tileloom.kernel/1"));
    QVERIFY(all["check"].toObject()["wrong"].toInt() > 100);
    QCOMPARE(all["check"].toObject()["right_with"].toString(), QString("B by rows"));
    QCOMPARE(all["launch"].toObject()["schema"].toString(), QString("tileloom.launch/1"));
  }

  void mistakes_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("says");
    const QString other = m_folder.filePath("other.launch.json");
    QVERIFY(Surroundings::write(other, "{\"tileloom_launch\": 1, \"parameters\": [\"M\"]}"));
    QTest::newRow("no launch file")
        << QStringList{"kernel", m_folder.filePath("none.cubin")} << QByteArray("none.launch.json");
    QTest::newRow("parameters") << QStringList{"kernel", m_cubin, "--launch", other}
                                << QByteArray("the kernel has 8 parameters");
    QTest::newRow("a value") << QStringList{"kernel", m_cubin, "--set", "M"}
                             << QByteArray("--set \"M\" is not NAME=NUMBER, such as M=512");
    QTest::newRow("a name") << QStringList{"kernel", m_cubin, "--set", "BX=1"}
                            << QByteArray("BX is neither a size nor a value of the launch");
  }
  void mistakes() {
    QFETCH(QStringList, words);
    QFETCH(QByteArray, says);
    const Said said = runTileloom(words);
    QVERIFY2(said.status == 2 && isOneSentence(said.err) && said.err.contains(says),
             said.err.constData());
  }
  void noLaunchFile() {
    QVERIFY(QFile::rename(m_folder.filePath("shared.launch.json"), m_folder.filePath("kept")));
    const Said said = runTileloom({"kernel", m_cubin});
    QVERIFY2(
        said.status == 2 && isOneSentence(said.err) &&
            said.err.contains(
                "shared.launch.json that says how the kernel is launched: make it with --find"),
        said.err.constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::KernelCommandTest, Nothing)
#include "kernel_test.moc"
