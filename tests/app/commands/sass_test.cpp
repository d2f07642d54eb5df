// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom sass` as a user calls it, without a compiler or a disassembler, and with a script
// instead of one.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <optional>

#include "kernels/tile/stage.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/cubin_file.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class SassTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  // A compiler with an empty result, and a disassembler that always prints this file.
  void tools(const char* fixture) {
    m_around.emplace();
    m_around->fakeGpu();
    const QString script = m_around->path("nvdisasm");
    QVERIFY(Surroundings::write(
        script, QByteArray("#!/bin/sh\ncat '" TILELOOM_FIXTURES "/") + fixture + "'\n"));
    QFile::setPermissions(script, QFile::ReadOwner | QFile::ExeOwner);
    qputenv("TILELOOM_NVDISASM", script.toUtf8());
  }
  std::optional<Surroundings> m_around;

  static QJsonObject object(const QByteArray& text) {
    return QJsonDocument::fromJson(text).object();
  }

 private slots:
  void init() {
    m_around.reset();
    Surroundings::nothing();
    qputenv("TILELOOM_NVDISASM", "none");
  }
  void cleanupTestCase() {
    Surroundings::nothing();
    qunsetenv("TILELOOM_NVDISASM");
  }

  void onTensorCores() {
    tools("mmaring.by-hand.txt");
    const Said said = runTileloom({"sass", "t3", "--arithmetic", "fp16"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.isEmpty(), said.err.constData());
    for (const char* part :
         {"mmaring, rung T3", " in fp16 on sm_90 (live: ", "main loop 0070 to 0150: 15 of 25",
          "4 HMMA: 26.7 % of the loop's issue slots, 1.3 per LDSM",
          "546 multiply-adds per instruction of a warp, 2,048 per HMMA",
          "register banks are not predicted", "1 of the loop's are asynchronous copies",
          "H     HMMA.16816.F32.BF16", "M     LDSM.16.MT88.4"})
      QVERIFY2(said.out.contains(part), part);
    for (const char* part : {"FFMA  ", "lost class", "FFMA per LDS", "predicted by a rule"})
      QVERIFY2(!said.out.contains(part), part);
    const QJsonObject all = object(runTileloom({"sass", "T3", "--json"}).out);
    QCOMPARE(all["arithmetic"].toString(), QString("bf16"));
    QCOMPARE(all["loop_mix"]["HMMA"].toInt(), 4);
    QCOMPARE(all["loop_mix"]["LDSM"].toInt(), 3);
    QCOMPARE(all["hmma_per_ldsm"].toDouble(), 4.0 / 3);
    QCOMPARE(all["multiply_adds_per_instruction"].toDouble(), 4 * 2048 / 15.0);
    for (const char* key :
         {"ffma_per_lds", "lost_cycles_predicted", "cycles_predicted", "ffma_share_predicted"})
      QVERIFY2(all.contains(key) && all[key].isNull(), key);
    for (const auto& i : all["instructions"].toArray())
      QVERIFY(!i.toObject().contains("lost_cycles"));
  }

  // This program reads what a compiler made; no tool is needed.
  void withoutATool() {
    m_around.emplace();
    m_around->fakeGpu("cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin");
    const Said said = runTileloom({"sass", "warptiled"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.isEmpty(), said.err.constData());
    for (const char* part : {"warptiled, rung 8", "(live: ", ", read by Tileloom)", "FFMA", "EXIT"})
      QVERIFY2(said.out.contains(part), said.out.left(600).constData());
    QVERIFY(!said.out.contains("nvdisasm"));
    const QJsonObject all = object(runTileloom({"sass", "warptiled", "--json"}).out);
    QCOMPARE(all["tool"].toString(), QString("Tileloom"));
    QCOMPARE(all["origin"].toString(), QString("live"));
    QVERIFY(all["most_live"].toInt() > 16);
    QVERIFY(all["instructions"].toArray().size() > 100);
  }

  // What this program does not know is said in a sentence, beside the recorded listing.
  void anUnknownInstruction() {
    m_around.emplace();
    const QString file = m_around->path("unknown.cubin");
    const std::vector<char> cubin = CubinFile{.kernel = "warptiled"}.with(
        std::vector<std::array<std::uint64_t, 2>>{{0x0000000000000fff, 0x000fc00000000000}});
    QVERIFY(Surroundings::write(file, QByteArray(cubin.data(), qsizetype(cubin.size()))));
    m_around->fakeGpu("cubin=" + file.toUtf8());
    const Said said = runTileloom({"sass", "warptiled"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("(recorded 20"));
    for (const char* part : {"recorded listing, because Tileloom cannot read", "0x0000",
                             "0x000fc000000000000000000000000fff", "TILELOOM_NVDISASM=none"})
      QVERIFY2(said.err.contains(part), said.err.constData());
    QVERIFY(isOneSentence(said.err));
    const Said none = runTileloom({"sass", "warptiled", "--tile", "BK=8"});
    QVERIFY(none.status != 0 && none.out.isEmpty());
    QVERIFY2(none.err.contains("cannot read") && isOneSentence(none.err), none.err.constData());
  }

  // Both ladders, each for its architectures; an unchanged listing keeps its date.
  void recording() {
    tools("mmaring.by-hand.txt");
    QVERIFY(QDir(m_around->path("")).mkpath("listings"));
    const QString folder = m_around->path("listings");
    const Said said = runTileloom({"sass", "--record", folder});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.out.contains("sm_80.txt: 3 listings, 75 instructions"), said.out.constData());
    const QByteArray both = QByteArray::number(qulonglong(everyStage().size()));
    const auto fp32 = qsizetype(stages().size());
    QVERIFY2(said.out.contains("sm_90.txt: " + both + " listings"), said.out.constData());
    const auto heads = [&](const QString& arch) {
      QList<QJsonObject> all;
      for (const QByteArray& line : Surroundings::read(folder + '/' + arch + ".txt").split('\n')) {
        if (line.startsWith('{')) all += object(line);
      }
      return all;
    };
    QStringList ids;
    for (const QJsonObject& head : heads("sm_80")) {
      ids += head["stage"].toString();
      QCOMPARE(head["arithmetic"].toString(), QString("bf16"));
    }
    QCOMPARE(ids, (QStringList{"mma", "swizzled", "mmaring"}));
    QCOMPARE(heads("sm_86").size(), fp32 + 3);
    QByteArray text = Surroundings::read(folder + "/sm_80.txt");
    const QByteArray today = heads("sm_80")[0]["when"].toString().toUtf8();
    const qsizetype first = text.indexOf(today), second = text.indexOf(today, first + 1);
    QVERIFY(first > 0 && second > 0);
    text.replace(second, today.size(), "2026-01-02").replace(first, today.size(), "2026-01-01");
    text.replace(text.indexOf("EXIT"), 4, "EXI2");  // the first is another listing now
    QVERIFY(Surroundings::write(folder + "/sm_80.txt", text));
    QCOMPARE(runTileloom({"sass", "--record", folder, "--arch", "sm_80"}).status, 0);
    const auto again = heads("sm_80");
    QCOMPARE(again.size(), fp32 + 3);  // for a named architecture all rungs
    QCOMPARE(again[fp32]["when"].toString().toUtf8(), today);
    QCOMPARE(again[fp32 + 1]["when"].toString(), QString("2026-01-02"));
  }

  void theRecordedListing() {
    const Said said = runTileloom({"sass", "tuned"});
    QCOMPARE(said.status, 0);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("recorded listing"),
             said.err.constData());
    for (const char* part :
         {"tuned, rung 14", "on sm_90 (recorded ", "registers per thread", "main loop 0c20 to ",
          "16.0 FFMA per LDS", "predicted by rules", "asynchronous copies", "LDS.128"})
      QVERIFY2(said.out.contains(part), part);
    // With --recorded this is not a remark.
    const Said asked = runTileloom({"sass", "tuned", "--recorded"});
    QVERIFY(asked.err.isEmpty());
    QCOMPARE(asked.out, said.out);
    const Said loop = runTileloom({"sass", "14", "--recorded", "--loop"});
    QVERIFY(loop.out.count('\n') < asked.out.count('\n') - 200);
    QVERIFY(!loop.out.contains("EXIT"));
    QVERIFY(
        runTileloom({"sass", "tuned", "--recorded", "--arch", "8.6"}).out.contains("on sm_86 ("));
  }

  void json() {
    const Said said = runTileloom({"sass", "tuned", "--recorded", "--json"});
    QCOMPARE(said.status, 0);
    const QJsonObject all = object(said.out);
    QCOMPARE(all["schema"].toString(), QString("tileloom.sass/1"));
    QCOMPARE(all["origin"].toString(), QString("recorded"));
    QCOMPARE(all["stale"].toBool(true), false);
    QCOMPARE(all["loop_mix"]["FFMA"].toInt(), 1024);
    QCOMPARE(all["loop_mix"]["LDS"].toInt(), 64);
    QCOMPARE(all["ffma_per_lds"].toDouble(), 16.0);
    QCOMPARE(all["cycles_predicted"].toInt(),
             all["loop"]["instructions"].toInt() + all["lost_cycles_predicted"].toInt());
    int inLoop = 0, lost = 0;
    for (const auto& i : all["instructions"].toArray()) {
      inLoop += i.toObject()["in_loop"].toBool() ? 1 : 0;
      lost += i.toObject()["lost_cycles"].toInt();
    }
    QCOMPARE(inLoop, all["loop"]["instructions"].toInt());
    QCOMPARE(lost, all["lost_cycles_predicted"].toInt());
    const QJsonObject naive = object(runTileloom({"sass", "1", "--recorded", "--json"}).out);
    QVERIFY(naive["ffma_per_lds"].isNull());
  }

  void intoFiles() {
    const QString text = m_folder.filePath("a.txt"), json = m_folder.filePath("a.json");
    const Said said = runTileloom({"sass", "naive", "--recorded", "--out", text, "--json", json});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.isEmpty());
    QFile a(text), b(json);
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
    QCOMPARE(a.readAll(), runTileloom({"sass", "naive", "--recorded"}).out);
    QCOMPARE(object(b.readAll())["stage"].toString(), QString("naive"));
  }

  void whatIsNotRecorded_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("names");
    QTest::newRow("tile") << "sass warptiled --tile BK=8"
                          << "BK=8";
    QTest::newRow("tile, recorded") << "sass warptiled --tile BK=8 --recorded"
                                    << "sm_86 and sm_90";
    QTest::newRow("architecture") << "sass warptiled --arch sm_80"
                                  << "sm_80";
    QTest::newRow("recording") << "sass --record /tmp"
                               << "NVRTC";
    QTest::newRow("tensor cores") << "sass t3 --tile BK=32,SWIZZLE=64"
                                  << "mmaring";
    QTest::newRow("the other format") << "sass t3 --arithmetic fp16"
                                      << "mmaring";
  }
  void whatIsNotRecorded() {
    QFETCH(QString, words);
    QFETCH(QString, names);
    const Said said = runTileloom(words.split(' '));
    QCOMPARE(said.status, 3);
    QVERIFY(said.out.isEmpty());
    QVERIFY2(isOneSentence(said.err) && said.err.contains(names.toUtf8()), said.err.constData());
  }

  // A disassembler without a compiler is of no use.
  void aDisassemblerAlone() {
    const QString script = m_folder.filePath("nvdisasm");
    QFile file(script);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\nexit 1\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    qputenv("TILELOOM_NVDISASM", script.toUtf8());
    const Said said = runTileloom({"sass", "naive"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.contains("NVRTC"), said.err.constData());
    qputenv("TILELOOM_NVDISASM", "/proc/no/such/tool");
    const Said wrong = runTileloom({"sass", "naive", "--tile", "BLOCKSIZE=16"});
    QCOMPARE(wrong.status, 3);
    QVERIFY2(wrong.err.contains("/proc/no/such/tool"), wrong.err.constData());
  }

  // Anybody's kernels, from a file.
  void aCubin() {
    const auto write = [this](const char* name, const std::vector<char>& bytes) {
      const QString file = m_folder.filePath(name);
      Surroundings::write(file, QByteArray(bytes.data(), qsizetype(bytes.size())));
      return file;
    };
    // S2R, then EXIT, then an opcode that nobody knows.
    const std::vector<std::array<std::uint64_t, 2>> code = {
        {0x0000000000037919, 0x000e620000002500},
        {0x000000000000794d, 0x000fea0003800000},
        {0x0000000000000fff, 0x000fc00000000000}};
    const QString file = write("k.cubin", CubinFile{.kernel = "gemm", .registers = 40}.with(code));
    const Said said = runTileloom({"sass", file});
    QCOMPARE(said.status, 0);
    for (const char* part : {"k.cubin: 1 kernel for compute capability 9.0", "gemm", "unknown"})
      QVERIFY2(said.out.contains(part), part);
    const Said listed = runTileloom({"sass", file, "--kernel", "gem"});
    QVERIFY(listed.out.contains("00000  S2R R3, SR_CTAID.X"));
    QVERIFY(listed.out.contains("00010  EXIT"));
    QVERIFY(listed.out.contains("00020  unknown: 0x000fc000000000000000000000000fff"));
    const QJsonObject json = object(runTileloom({"sass", file, "--kernel", "gemm", "--json"}).out);
    QCOMPARE(json["schema"].toString(), QString("tileloom.cubin/1"));
    const QJsonObject kernel = json["kernels"].toArray()[0].toObject();
    QCOMPARE(kernel["registers"].toInt(), 40);
    QCOMPARE(kernel["unknown"].toInt(), 1);
    QCOMPARE(kernel["listing"].toArray().size(), 3);

    const auto fails = [](const QStringList& words, const char* says) {
      const Said wrong = runTileloom(words);
      QVERIFY2(wrong.err.contains(says), wrong.err.constData());
      QVERIFY2(isOneSentence(wrong.err), wrong.err.constData());
      QCOMPARE(wrong.status, 2);
      QVERIFY(wrong.out.isEmpty());
    };
    fails({"sass", file, "--kernel", "copy"}, "no kernel has \"copy\"");
    fails({"sass", file, "--tile", "BK=8"}, "leave options of our own rungs out");
    fails({"sass", m_folder.filePath("none.cubin")}, "No such file or directory");
    fails({"sass", "/" + QString(6000, 'w')}, "File name too long");
    QVERIFY(QDir(m_folder.path()).mkdir("empty"));
    fails({"sass", m_folder.filePath("empty")}, "has no file with the ending .cubin");
    fails({"sass", "warptiled", "--kernel", "x"}, "give the file instead of the stage");
    fails({"sass", write("text.cubin", {'n', 'o'})}, "not a 64-bit ELF file");
    auto cut = CubinFile{}.with(code);
    cut.resize(cut.size() / 2);
    fails({"sass", write("cut.cubin", cut)}, "not a cubin that can be read");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SassTest, Nothing)
#include "sass_test.moc"
