// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/parse.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"

#include "kernels/tile/constraints.h"

namespace tileloom::app {
namespace {

QString q(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

const Stage& stage(const char* id) {
  return **stageNamed(id);
}

TileShape warpTile() {
  return stage("warptiled").standardTile();
}

}  // namespace

class ParseTest : public QObject {
  Q_OBJECT

 private slots:
  void tileKeepsDefaultsOfUnnamedParameters() {
    const auto tile = parseTile(stage("warptiled"), "BK=8");
    QVERIFY(tile.has_value());
    QVERIFY(*tile == warpTile().with(Parameter::BK, 8));
  }

  void tileForms_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << "BM=64,BN=32";
    QTest::newRow("lower case") << "bm=64,bn=32";
    QTest::newRow("other order") << "BN=32,BM=64";
    QTest::newRow("spaces") << " BM = 64 ,\tbN= 32 ";
    QTest::newRow("leading zeros") << "BM=0064,BN=032";
  }
  void tileForms() {
    QFETCH(QString, text);
    const auto tile = parseTile(stage("warptiled"), text.toStdString());
    QVERIFY2(tile.has_value(), tile.has_value() ? "" : tile.error().c_str());
    QVERIFY(*tile == warpTile().with(Parameter::BM, 64).with(Parameter::BN, 32));
  }

  void tileAcceptsOtherNamesOfTheBlockEdge() {
    for (const char* text : {"BLOCKSIZE=16", "edge=16", "Block=16"}) {
      const auto tile = parseTile(stage("naive"), text);
      QVERIFY(tile.has_value());
      QCOMPARE((*tile)[Parameter::BLOCKSIZE], 16);
    }
  }

  void tileMayBeIllegal() {
    const auto tile = parseTile(stage("warptiled"), "BM=96");
    QVERIFY(tile.has_value());
    QVERIFY(!isLegal(stage("warptiled"), *tile));
  }

  void tileReadsBackWhatTileTextWrites() {
    for (const Stage& s : stages()) {
      TileShape tile = s.standardTile();
      for (const ParameterSpec& spec : s.parameters) {
        for (const int value : {spec.min, spec.standard, spec.max}) {
          const TileShape moved = tile.with(spec.parameter, value);
          const auto back = parseTile(s, tileText(s, moved));
          QVERIFY(back.has_value());
          QVERIFY(*back == moved);
        }
      }
    }
    QCOMPARE(q(tileText(stage("blocktile2d"), stage("blocktile2d").standardTile())),
             "BM=128,BN=128,BK=8,TM=8,TN=8");
  }

  void badTile_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("names");
    const auto row = [](const char* label, const char* text, const QStringList& names) {
      QTest::newRow(label) << QString(text) << names;
    };
    row("empty", "", {"empty", "BM=128"});
    row("blank", " \t ", {"empty", "BM=128"});
    row("one comma", ",", {"\",\"", "between commas"});
    row("comma at the end", "BM=64,", {"BM=64,", "between commas"});
    row("two commas", "BM=64,,BN=64", {"BM=64,,BN=64"});
    row("no equals", "BM", {"\"BM\"", "\"=\"", "BM=128,BN=128"});
    row("colon", "BM:64", {"\"BM:64\""});
    row("no name", "=64", {"no tile parameter \"\"", "WNITER"});
    row("no value", "BM=", {"BM of warptiled", "8 to 256"});
    row("unknown tile parameter", "BQ=4", {"\"BQ\"", "BM, BN, BK, WM, WN, WNITER, TM, TN"});
    row("tile parameter of another stage", "BLOCKSIZE=4", {"\"BLOCKSIZE\"", "warptiled"});
    row("tile parameter twice", "BM=64,bm=64", {"BM twice"});
    row("word", "BM=big", {"BM of warptiled", "\"big\"", "8 to 256"});
    row("fraction", "BM=64.5", {"\"64.5\""});
    row("unit", "BM=64k", {"\"64k\""});
    row("hexadecimal", "BM=0x40", {"\"0x40\""});
    row("plus", "BM=+64", {"\"+64\""});
    row("two values", "BM=64=64", {"\"64=64\""});
    row("zero", "BM=0", {"BM of warptiled: 0", "8 to 256"});
    row("negative", "BM=-64", {"-64", "8 to 256"});
    row("too small", "BM=7", {"8 to 256"});
    row("too large", "BM=257", {"8 to 256"});
    row("beyond int", "BM=4294967424", {"4294967424", "8 to 256"});
    row("beyond long long", "BM=99999999999999999999999999", {"out of range", "8 to 256"});
    row("far below", "BM=-99999999999999999999999999", {"out of range", "8 to 256"});
  }
  void badTile() {
    QFETCH(QString, text);
    QFETCH(QStringList, names);
    const auto tile = parseTile(stage("warptiled"), text.toStdString());
    QVERIFY(!tile.has_value());
    const QString error = q(tile.error());
    for (const QString& part : names) {
      QVERIFY2(error.contains(part), qPrintable(error + " lacks " + part));
    }
    QVERIFY(!error.contains('\n') && !error.endsWith('.'));
  }

  void errorsStayShortAndOnOneLine() {
    std::string monster = "BM=";
    monster.append(100000, '9');
    const auto tile = parseTile(stage("warptiled"), monster);
    QVERIFY(!tile.has_value());
    QVERIFY(tile.error().size() < 200);
    const auto broken = parseTile(stage("warptiled"), "B\nM=64");
    QVERIFY(!broken.has_value());
    QVERIFY(!q(broken.error()).contains('\n'));
  }

  void size_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    QTest::newRow("three") << "1024x512x256" << 1024 << 512 << 256;
    QTest::newRow("capital X") << "3X5X7" << 3 << 5 << 7;
    QTest::newRow("spaces") << " 3 x 5 x 7 " << 3 << 5 << 7;
    QTest::newRow("cube") << "96" << 96 << 96 << 96;
    QTest::newRow("least") << "1x1x1" << 1 << 1 << 1;
    QTest::newRow("most") << "32768" << 32768 << 32768 << 32768;
  }
  void size() {
    QFETCH(QString, text);
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    const auto parsed = parseSize(text.toStdString());
    QVERIFY(parsed.has_value());
    QVERIFY((*parsed == Problem{m, n, k}));
  }

  void badSize_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("empty") << ""
                           << "MxNxK";
    QTest::newRow("two") << "64x64"
                         << "\"64x64\"";
    QTest::newRow("four") << "1x2x3x4"
                          << "\"1x2x3x4\"";
    QTest::newRow("hole") << "64xx64"
                          << "N: \"\"";
    QTest::newRow("x at the end") << "64x64x"
                                  << "K: \"\"";
    QTest::newRow("commas") << "64,64,64"
                            << "\"64,64,64\"";
    QTest::newRow("words") << "axbxc"
                           << "M: \"a\"";
    QTest::newRow("zero") << "64x0x64"
                          << "N: 0";
    QTest::newRow("negative") << "64x64x-1"
                              << "K: -1";
    QTest::newRow("too large") << "32769"
                               << "1 to 32768";
    QTest::newRow("huge") << "99999999999999999999x1x1"
                          << "M: 99999999999999999999";
    QTest::newRow("fraction") << "1.5"
                              << "\"1.5\"";
  }
  void badSize() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const auto parsed = parseSize(text.toStdString());
    QVERIFY(!parsed.has_value());
    QVERIFY2(q(parsed.error()).contains(names), parsed.error().c_str());
  }

  void block() {
    const auto parsed = parseBlock(" 3 , 0 ");
    QVERIFY(parsed.has_value());
    QVERIFY((*parsed == Extent{3, 0}));
  }

  void badBlock_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("empty") << ""
                           << "X,Y";
    QTest::newRow("one") << "3"
                         << "\"3\"";
    QTest::newRow("three") << "1,2,3"
                           << "\"1,2,3\"";
    QTest::newRow("x between") << "1x2"
                               << "\"1x2\"";
    QTest::newRow("hole") << ",1"
                          << "X: \"\"";
    QTest::newRow("word") << "1,a"
                          << "Y: \"a\"";
    QTest::newRow("negative") << "-1,0"
                              << "X: -1";
    QTest::newRow("huge") << "0,99999999999999999999"
                          << "Y: 99999999999999999999";
  }
  void badBlock() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const auto parsed = parseBlock(text.toStdString());
    QVERIFY(!parsed.has_value());
    QVERIFY2(q(parsed.error()).contains(names), parsed.error().c_str());
  }

  void stagesByNameRungAndLiterature() {
    QCOMPARE((*parseStage("warptiled"))->rung, 8);
    QCOMPARE((*parseStage("8"))->rung, 8);
    QCOMPARE((*parseStage("k10"))->rung, 8);
    QCOMPARE((*parseStage("k9"))->rung, 7);
    QCOMPARE((*parseStage("10"))->rung, 10);  // a bare number is a rung, never the literature's
    QCOMPARE((*parseStage("9"))->rung, 9);
    const std::string beyond = std::to_string(stages().size() + 1);
    for (const std::string& text :
         {std::string(), std::string("warp"), std::string("0"), std::string("-1"), beyond,
          std::string("k7"), std::string("k11"), std::string("99999999999999999999")}) {
      QVERIFY2(!parseStage(text).has_value(), text.c_str());
    }
    QVERIFY(parseStage(std::string(100000, 'w')).error().size() < 400);
  }

  void groupedNumbers() {
    QCOMPARE(q(grouped(0)), "0");
    QCOMPARE(q(grouped(999)), "999");
    QCOMPARE(q(grouped(1000)), "1,000");
    QCOMPARE(q(grouped(1074790400)), "1,074,790,400");
    QCOMPARE(q(grouped(18446744073709551615u)), "18,446,744,073,709,551,615");
  }
};

}  // namespace tileloom::app

TILELOOM_TEST(tileloom::app::ParseTest, Nothing)
#include "parse_test.moc"
