// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom access` as a user calls it: the questions that people ask in public, each answered by
// one call. The values follow from rules 1 to 5, 12 and 54 of docs/hardware.md.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "tests/app/program.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class AppAccessTest : public QObject {
  Q_OBJECT

  static QJsonObject of(const QStringList& words) {
    const Said said = runTileloom(QStringList{"access", "--json"} + words);
    return said.status == 0 ? QJsonDocument::fromJson(said.out).object() : QJsonObject();
  }
  static QByteArray textOf(const QStringList& words) {
    const Said said = runTileloom(QStringList{"access"} + words);
    return said.status == 0 && said.err.isEmpty() ? said.out : said.err;
  }

 private slots:
  void questions_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("wavefronts");
    QTest::addColumn<int>("ideal");
    QTest::newRow("32 lanes of 16 bytes at a stride of 128 bytes")
        << QStringList{"lane -> lane * 128", "--element", "1", "--bytes", "16"} << 32 << 4;
    QTest::newRow("a transposed tile with 32 columns")
        << QStringList{"lane -> lane * 32", "--bytes", "4"} << 32 << 1;
    QTest::newRow("a transposed tile with 33 columns")
        << QStringList{"lane -> lane * 33", "--bytes", "4"} << 1 << 1;
    QTest::newRow("fragments by ldmatrix")
        << QStringList{"lane -> lane % 16 * 64 + lane / 16 * 8", "--ldmatrix", "x4"} << 32 << 4;
    QTest::newRow("fragments by ldmatrix with a swizzle")
        << QStringList{"lane -> lane % 16 * 64 + lane / 16 * 8", "--ldmatrix", "x4.trans",
                       "--swizzle", "Swizzle<3,3,3>"}
        << 4 << 4;
    QTest::newRow("64-bit accesses of half warps")
        << QStringList{"lane -> lane", "--bytes", "8", "--store"} << 2 << 2;
    QTest::newRow("64-bit accesses at a stride of 16 bytes")
        << QStringList{"lane -> lane * 2", "--bytes", "8"} << 4 << 2;
  }
  void questions() {
    QFETCH(QStringList, words);
    QFETCH(int, wavefronts);
    QFETCH(int, ideal);
    const QJsonObject answer = of(words);
    QCOMPARE(answer["schema"].toString(), "tileloom.access/1");
    QCOMPARE(answer["sum"].toObject()["wavefronts"].toInt(-1), wavefronts);
    QCOMPARE(answer["sum"].toObject()["ideal_wavefronts"].toInt(-1), ideal);
    const QByteArray text = textOf(words);
    QVERIFY2(text.contains(QByteArray::number(wavefronts) + " wavefront"), text.constData());
    for (const QByteArray& line : text.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
  }

  void theHintIsASentence() {
    const QByteArray text = textOf({"lane -> lane * 32"});
    QVERIFY2(text.contains("Padding of 1 element after each 32 elements removes them (--pad 32,1)"),
             text.constData());
    QVERIFY2(text.contains("Swizzle<5,0,5> on elements"), text.constData());
    const QByteArray done = textOf({"lane -> lane * 32", "--pad", "32,1"});
    QVERIFY2(done.contains("There are no conflicts."), done.constData());
  }
  void everyUnitOfASwizzle() {
    const QByteArray text =
        textOf({"lane -> lane * 64", "--ldmatrix", "x4", "--swizzle", "Swizzle<3,3,3>"});
    QVERIFY2(text.contains(
                 "Swizzle<3,3,3> on elements = Swizzle<3,2,3> on words = Swizzle<3,4,3> on bytes"),
             text.constData());
    const QJsonObject same = of({"lane -> lane * 64", "--ldmatrix", "x4", "--swizzle",
                                 "Swizzle<3,4,3>", "--swizzle-of", "bytes"});
    QCOMPARE(same["swizzle"].toObject()["elements"].toString(), "Swizzle<3,3,3>");
    QCOMPARE(same["sum"].toObject()["wavefronts"].toInt(), 4);
  }
  void lanesOfJson() {
    const QJsonObject access = of({"lane -> lane * 16"})["accesses"].toArray()[0].toObject();
    const QJsonObject lane = access["lanes"].toArray()[3].toObject();
    QCOMPARE(lane["address"].toInt(), 192);
    QCOMPARE(lane["banks"].toArray()[0].toInt(), 16);
    QCOMPARE(lane["wavefronts"].toArray()[0].toInt(), 1);
    QCOMPARE(access["bank_conflicts"].toArray().size(), 2);
  }
  void globalMemory() {
    const QJsonObject sum = of({"lane -> lane * 2", "--memory", "global"})["sum"].toObject();
    QCOMPARE(sum["sectors"].toInt(), 8);
    QCOMPARE(sum["lines"].toInt(), 2);
    QCOMPARE(sum["bytes_used"].toInt(), 128);
    const QByteArray text = textOf({"lane -> lane * 2", "--memory", "global"});
    QVERIFY2(text.contains("8 sectors in 2 lines of 128 bytes; 4 would hold the 128 bytes"),
             text.constData());
    QVERIFY2(text.contains("50 % of the bytes"), text.constData());
  }
  void steps() {
    const QByteArray text = textOf({"(lane, step) -> lane * (1 + step)", "--steps", "4"});
    QVERIFY2(text.contains("8 wavefronts for 4 accesses of a warp; 4 without conflicts"),
             text.constData());
    QVERIFY2(text.contains("step  warp  lanes  wavefronts  ideal  extra"), text.constData());
  }
  void aPastedList() {
    const QByteArray text = textOf({"0x0, 0x80, -, 0x100", "--bytes", "4"});
    QVERIFY2(text.contains("3 wavefronts"), text.constData());
    QVERIFY2(text.contains("bank 0: 3 words for lanes 0, 1, 3"), text.constData());
  }

  void mistakes_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("part");
    const auto row = [](const QStringList& words, const char* part) {
      QTest::newRow(part) << words << part;
    };
    row({"lane -> (lane % 8"}, "at character 10: a closing parenthesis is missing");
    row({"lane", "--load", "--store"}, "leave one of them");
    row({"lane", "--ldmatrix", "x3"}, "--ldmatrix \"x3\" is unknown: choose x1, x2 or x4");
    row({"lane", "--memory", "constant"}, "choose shared or global");
    row({"lane", "--bytes", "x"}, "--bytes");
    row({"lane", "--pad", "x"}, "the padding \"x\" is not ROW,PAD");
    row({"lane", "--swizzle", "Swizzle<3,3>"}, "a swizzle has three numbers");
    row({"lane", "--swizzle-of", "words"}, "give --swizzle");
    row({"lane", "--swizzle", "3,3,3", "--swizzle-of", "lanes"}, "--swizzle-of \"lanes\"");
    row({"lane", "--bytes", "16", "--element", "4"}, "lane 1 begins at byte 4");
  }
  void mistakes() {
    QFETCH(QStringList, words);
    QFETCH(QString, part);
    const Said said = runTileloom(QStringList{"access"} + words);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err) && said.out.isEmpty(), said.err.constData());
    QVERIFY2(QString::fromUtf8(said.err).contains(part), said.err.constData());
  }
};

}  // namespace tileloom::test

using tileloom::test::AppAccessTest;
TILELOOM_TEST(AppAccessTest, EventLoop)
#include "access_test.moc"
