// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom trace FILE.cubin` as a user calls it: a launch of machine code that no rung has made.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/cubin_file.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class TraceCubinTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  QString m_file;

 private slots:
  void initTestCase() {
    // STS [UR4], R0, then EXIT: every thread stores to the first word of shared memory.
    const std::vector<std::array<std::uint64_t, 2>> code = {
        {0x00000000ff007988, 0x0005e20008000804}, {0x000000000000794d, 0x000fea0003800000}};
    const std::vector<char> bytes = CubinFile{.kernel = "gemm", .registers = 8}.with(code);
    m_file = m_folder.filePath("k.cubin");
    QVERIFY(Surroundings::write(m_file, QByteArray(bytes.data(), qsizetype(bytes.size()))));
  }
  void init() { Surroundings::nothing(); }

  void aLaunchIsCounted() {
    const Said said =
        runTileloom({"trace", m_file, "--grid", "3,2", "--threads", "64", "--shared", "128"});
    QCOMPARE(said.err, QByteArray());
    QCOMPARE(said.status, 0);
    for (const char* part :
         {"gemm", "grid 3 x 2 x 1, blocks of 64 x 1 x 1 threads", "24 instructions of warps",
          "STS [UR4], R0", "No load or store", "The kernel does 2 things wrong:",
          "reads register R0, which it has not written, gemm at 0x0000 of k.cubin",
          "stores byte 0 of shared memory, which warp 0 has accessed",
          "The tiles of A, B and C are not known: no buffer is named A."})
      QVERIFY2(said.out.contains(part), said.out.constData());
  }

  void asJson() {
    const Said said = runTileloom({"trace", m_file, "--kernel", "gem", "--grid", "2", "--threads",
                                   "40", "--shared", "4", "--json"});
    QCOMPARE(said.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(said.out).object();
    QCOMPARE(json["schema"].toString(), QString("tileloom.launch/1"));
    QCOMPARE(json["block"].toObject()["x"].toInt(), 40);
    QCOMPARE(json["totals"].toObject()["shared_store_instructions"].toInt(), 4);
    const QJsonObject store = json["instructions"].toArray()[0].toObject();
    QCOMPARE(store["threads"].toInt(), 80);
    QCOMPARE(store["wavefronts"].toInt(), 4);
    QCOMPARE(json["faults"].toArray().size(), 2);
    QCOMPARE(json["faults"].toArray()[0].toObject()["kind"].toString(), QString("unwritten"));
    QCOMPARE(json["recorded_block"].toObject()["why_not"].toString(),
             QString("no buffer is named A"));
  }

  // One sentence each: what, where, what to do.
  void whatIsWrong_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& words, const char* says) {
      QTest::newRow(name) << words << QByteArray(says);
    };
    row("no memory", {}, "block (0, 0, 0): at 0x0: thread 0 accesses 4 bytes of shared memory");
    row("an argument too many", {"--param", "1"}, "no parameters, but 1 argument was given");
    row("no kernel", {"--kernel", "copy"}, "no kernel has \"copy\"");
    row("no block", {"--grid", "0"}, "--grid");
    row("four sizes", {"--grid", "1,1,1,1"}, "more than three sizes");
    row("too many threads", {"--threads", "64,32"}, "a block has 1 to 1,024 threads, but not 2048");
    row("too much memory", {"--shared", "400000"}, "the maximum is 233472");
    row("of a rung", {"--tile", "BK=8"}, "leave options of our own rungs out");
    row("of a rung's launch", {"--size", "64"}, "leave options of our own rungs out");
  }
  void whatIsWrong() {
    QFETCH(QStringList, words);
    QFETCH(QByteArray, says);
    const Said said = runTileloom(QStringList{"trace", m_file} + words);
    QVERIFY2(said.err.contains(says), said.err.constData());
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QCOMPARE(said.status, 2);
    QVERIFY(said.out.isEmpty());
  }

  void filesAndRungs() {
    const auto fails = [](const QStringList& words, const char* says) {
      const Said said = runTileloom(words);
      QVERIFY2(said.err.contains(says), said.err.constData());
      QVERIFY2(isOneSentence(said.err), said.err.constData());
      QCOMPARE(said.status, 2);
    };
    fails({"trace", m_folder.filePath("none.cubin")}, "No such file or directory");
    fails({"trace", "warptiled", "--param", "1"}, "give the file instead of the stage");
    const QString text = m_folder.filePath("text.cubin");
    QVERIFY(Surroundings::write(text, "no"));
    fails({"trace", text}, "is not a cubin that can be read");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TraceCubinTest, Nothing)
#include "trace_cubin_test.moc"
