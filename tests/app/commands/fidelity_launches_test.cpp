// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom fidelity --launches` as a user calls it.
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

class FidelityLaunchesTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString list(const QByteArray& text) const {
    const QString file = m_folder.filePath("launches.json");
    if (!Surroundings::write(file, text)) qFatal("cannot write the list");
    return file;
  }

 private slots:
  void initTestCase() {
    // STS [UR4], R0, then EXIT: every thread stores to the first word of shared memory.
    const std::vector<std::array<std::uint64_t, 2>> code = {
        {0x00000000ff007988, 0x0005e20008000804}, {0x000000000000794d, 0x000fea0003800000}};
    const std::vector<char> bytes = CubinFile{.kernel = "gemm", .registers = 8}.with(code);
    QVERIFY(QDir(m_folder.path()).mkdir("made"));
    QVERIFY(Surroundings::write(m_folder.filePath("made/k.cubin"),
                                QByteArray(bytes.data(), qsizetype(bytes.size()))));
  }
  void init() { Surroundings::nothing(); }

  void launchesAreOnlyExecuted() {
    const QString file = list(R"([
      {"name": "good", "cubin": "made/k.cubin", "grid": [3, 2], "threads": [64], "shared": 128},
      {"name": "twice", "cubin": "made/k.cubin", "shared": 128, "instances": 2},
      {"name": "no memory", "cubin": "made/k.cubin", "grid": [2]},
      {"name": "no file", "cubin": "made/other.cubin"}])");
    const Said said = runTileloom({"fidelity", "--launches", file, "--no-device"});
    QCOMPARE(said.err, QByteArray());
    QCOMPARE(said.status, 0);
    for (const char* part :
         {"| good | 24 | 0 |", "| twice | 4 | 0 |", "| no memory | not executed |",
          "* no memory: block (0, 0, 0): at 0x0: thread 0 accesses 4 bytes of shared memory",
          "* no file: ", "2 of 4 launches executed"})
      QVERIFY2(said.out.contains(part), said.out.constData());
  }

  void asJson() {
    const QString file = list(R"([{"cubin": "made/k.cubin", "kernel": "gem", "shared": 8},
                                  {"cubin": "made/k.cubin"}])");
    const Said said = runTileloom({"fidelity", "--launches", file, "--no-device", "--json"});
    QCOMPARE(said.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(said.out).object();
    QCOMPARE(json["schema"].toString(), QString("tileloom.launches/1"));
    QVERIFY(json["device"].isNull());
    QCOMPARE(json["executed"].toInt(), 1);
    const QJsonArray launches = json["launches"].toArray();
    QCOMPARE(launches.size(), 2);
    QCOMPARE(launches[0].toObject()["warp_instructions"].toInt(), 2);
    QVERIFY(launches[1].toObject()["why_not"].toString().contains("shared memory"));
  }

  // One sentence each: what, where, what to do.
  void whatIsWrong_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* text, const QStringList& words,
                        const char* says) {
      QTest::newRow(name) << QByteArray(text) << words << QByteArray(says);
    };
    const char* const good = R"([{"cubin": "made/k.cubin", "shared": 8}])";
    const QStringList only = {"--no-device"};
    row("no list", "{}", only, "is not a list of launches that can be read: it is not a list");
    row("no cubin", "[{}]", only, "launch 1: \"cubin\" is missing");
    row("of rungs", good, {"--bits"}, "--launches executes and compares the launches of a list");
    row("of records", good, {"--from", "x.jsonl"}, "leave --stages, --tiles, --from");
    row("a seed", good, {"--no-device", "--seed", "-1"}, "--seed");
  }
  void whatIsWrong() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, words);
    QFETCH(QByteArray, says);
    const Said said = runTileloom(QStringList{"fidelity", "--launches", list(text)} + words);
    QVERIFY2(said.err.contains(says), said.err.constData());
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QCOMPARE(said.status, 2);
    QVERIFY(said.out.isEmpty());
  }

  void withoutAList() {
    const Said said = runTileloom({"fidelity", "--no-device"});
    QVERIFY2(said.err.contains("name one with --launches"), said.err.constData());
    QCOMPARE(said.status, 2);
    const Said none = runTileloom({"fidelity", "--launches", m_folder.filePath("none.json")});
    QVERIFY2(none.err.contains("No such file or directory"), none.err.constData());
    QCOMPARE(none.status, 2);
  }

  void withoutAGpu() {
    const QString file = list(R"([{"cubin": "made/k.cubin", "shared": 8}])");
    const Said said = runTileloom({"fidelity", "--launches", file});
    QCOMPARE(said.status, 3);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::FidelityLaunchesTest, Nothing)
#include "fidelity_launches_test.moc"
