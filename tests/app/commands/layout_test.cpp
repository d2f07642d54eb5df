// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom layout` as a user calls it.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "app/command_line.h"
#include "kernels/tile/stage.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class AppLayoutTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static QJsonObject of(const QStringList& words) {
    const Said said = runTileloom(QStringList{"layout", "--json"} + words);
    return said.status == 0 ? QJsonDocument::fromJson(said.out).object() : QJsonObject();
  }
  static QJsonObject layoutOf(const QJsonObject& all, const char* layout) {
    for (const auto& entry : all["arrays"].toArray()[0].toObject()["layouts"].toArray()) {
      if (entry.toObject()["layout"].toString() == QLatin1String(layout)) return entry.toObject();
    }
    return {};
  }
  static int wavefronts(const QJsonObject& all, const char* layout, const char* part) {
    return layoutOf(all, layout)[QLatin1String(part)].toObject()["wavefronts"].toInt(-1);
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void text() {
    const Said said =
        runTileloom({"layout", "warptiled", "--array", "As", "--to", "swizzle:2,3,6"});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    for (const char* part :
         {"warptiled, rung 8", "Calculated, without",
          "As: 16 rows of 128 words, 128 words from one row", "<- best padding", "<- best swizzle",
          "The best padding is pad:4: 1,472 wavefronts, 64 of them by bank conflicts.",
          "chunks of 8 words, their number XORed with row / 4 % 4",
          "would split the 128-bit loads of line 55", "load_run(regM + wm * TM, As"})
      QVERIFY2(said.out.contains(part), part);
    QVERIFY(!said.out.contains("Bs:"));
  }

  // Rung 9 with and without its four padding words, from either side.
  void json() {
    const QJsonObject padded = of({"padded"});
    const QJsonObject plain = of({"padded", "--tile", "PAD=0"});
    QCOMPARE(padded["schema"].toString(), QString("tileloom.layout/1"));
    QVERIFY(padded["calculated"].toBool());
    QCOMPARE(padded["arrays"].toArray().size(), 2);
    const QJsonObject as = padded["arrays"].toArray()[0].toObject();
    QCOMPARE(as["pitch_words"].toInt(), 132);
    QCOMPARE(as["best_padding"].toString(), QString("pad:4"));
    for (const char* part : {"stores", "loads", "all_arrays"}) {
      QVERIFY(wavefronts(padded, "recorded", part) > 0);
      QCOMPARE(wavefronts(plain, "pad:4", part), wavefronts(padded, "recorded", part));
      QCOMPARE(wavefronts(padded, "plain", part), wavefronts(plain, "recorded", part));
    }
    const QJsonObject odd = layoutOf(padded, "pad:1");
    QVERIFY(!odd["possible"].toBool());
    QVERIFY(odd["stores"].isNull() && odd["blocks_per_sm"].isNull());
    QVERIFY(odd["why_not"].toString().contains("would split the 128-bit loads"));
  }

  // A recorded run has the registers; without one the blocks are shown as an upper bound.
  void blocksPerSm() {
    const QJsonObject known = of({"padded"});
    QCOMPARE(known["registers"].toInt(), 167);
    QCOMPARE(layoutOf(known, "recorded")["blocks_per_sm"].toInt(), 3);
    const Said unknown = runTileloom({"layout", "padded", "--arch", "sm_120"});
    QCOMPARE(unknown.status, 0);
    QVERIFY(unknown.out.contains("<= "));
  }

  void everyRungWithSharedArrays() {
    for (const Stage& stage : stages()) {
      if (briefly() && stage.rung % 3 != 1) continue;
      const Said said = runTileloom({"layout", QString::number(stage.rung)});
      if (stage.features().sharedTiles) {
        QVERIFY2(said.status == 0, said.err.constData());
        QVERIFY(said.out.contains("\nAs: ") && said.out.contains("\nBs: "));
        QVERIFY(!said.out.contains("other layouts cannot"));
      } else {
        QCOMPARE(said.status, 2);
        QVERIFY(said.err.contains("nothing in shared memory"));
      }
    }
  }

  // Rungs of the tensor ladder: words of two elements, matrix loads, and what the kernel swizzles
  // itself beside plain rows.
  void tensorRungs() {
    const QJsonObject rows = of({"t1", "--array", "Bs"});
    QCOMPARE(rows["arrays"].toArray()[0].toObject()["elements_per_word"].toInt(), 2);
    QCOMPARE(wavefronts(rows, "recorded", "loads"), 1024);
    QCOMPARE(wavefronts(rows, "pad:4", "loads"), 128);
    QVERIFY(!layoutOf(rows, "pad:2")["possible"].toBool());
    for (const char* stage : {"t2", "t3"}) {
      const QJsonObject swizzled = of({stage, "--array", "Bs"});
      const QJsonObject array = swizzled["arrays"].toArray()[0].toObject();
      QVERIFY(!array["recorded_in_rows"].toBool(true));
      QCOMPARE(wavefronts(swizzled, "recorded", "loads"), 256);
      QCOMPARE(wavefronts(swizzled, "plain", "loads"), 2048);
      QCOMPARE(array["best_swizzle"].toString(), QStringLiteral("swizzle:3,2,4"));
    }
    const Said said = runTileloom({"layout", "t2", "--array", "Bs", "--to", "plain"});
    QVERIFY(said.out.contains("of two elements, recorded in another order than plain rows"));
    QVERIFY(said.out.contains("matrix load"));
  }

  // CuTe's numbers count elements of 16 bits: with them no conflict is left, in words 256 are.
  void swizzlesInElements() {
    const QStringList words = {"layout", "t2", "--tile", "SWIZZLE=0", "--array", "As", "--to"};
    const auto chosen = [&](const char* to) {
      const Said said = runTileloom(words + QStringList{to, "--json"});
      return QJsonDocument::fromJson(said.out)
          .object()["arrays"]
          .toArray()[0]
          .toObject()["chosen"]
          .toObject();
    };
    const QJsonObject elements = chosen("swizzle:3,3,3:elements"), plain = chosen("swizzle:3,3,3");
    QCOMPARE(elements["layout"].toString(), QString("swizzle:3,2,3"));
    QCOMPARE(elements["cute"].toString(), QString("Swizzle<3,3,3>"));
    QCOMPARE(elements["loads"].toObject()["conflicts"].toInt(), 0);
    QCOMPARE(plain["cute"].toString(), QString("Swizzle<3,4,3>"));
    QCOMPARE(plain["all_arrays"].toObject()["conflicts"].toInt() -
                 elements["all_arrays"].toObject()["conflicts"].toInt(),
             256);
    const Said warned = runTileloom(words + QStringList{"swizzle:3,3,3"});
    QVERIFY2(isOneSentence(warned.err) && warned.err.contains("counts words of 32 bits") &&
                 warned.err.contains("write swizzle:3,3,3:elements, which is swizzle:3,2,3"),
             warned.err.constData());
    const Said clear = runTileloom(words + QStringList{"swizzle:3,3,3:elements"});
    QVERIFY2(clear.err.isEmpty(), clear.err.constData());
    QVERIFY2(clear.out.contains("swizzle:3,2,3 (chunks of 4 words") &&
                 clear.out.contains("CuTe's Swizzle<3,3,3>"),
             clear.out.constData());
    // Where a word is an element there is no remark.
    QVERIFY(runTileloom({"layout", "padded", "--to", "swizzle:3,2,5"}).err.isEmpty());
  }

  void badInput_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("names");
    QTest::newRow("no stage") << QStringList{} << "layout needs a stage";
    QTest::newRow("array") << QStringList{"padded", "--array", "Xs"} << "choose one of As, Bs";
    QTest::newRow("layout") << QStringList{"padded", "--to", "wide"} << "--to: ";
    QTest::newRow("padding") << QStringList{"padded", "--to", "pad:99"} << "0 to 32";
    QTest::newRow("unit") << QStringList{"t2", "--to", "swizzle:3,3,3:bytes"}
                          << "elements or words";
    QTest::newRow("half a word") << QStringList{"t2", "--to", "swizzle:3,0,3:elements"}
                                 << "an M of at least 1";
    QTest::newRow("tile") << QStringList{"padded", "--tile", "BM=96"} << "BM = ";
    QTest::newRow("size") << QStringList{"padded", "--size", "0"} << "1 to 32768";
    QTest::newRow("architecture") << QStringList{"padded", "--arch", "sm_1"} << "\"sm_1\"";
  }
  void badInput() {
    QFETCH(QStringList, words);
    QFETCH(QString, names);
    const Said said = runTileloom(QStringList{"layout"} + words);
    QCOMPARE(said.status, 2);
    QVERIFY(said.out.isEmpty());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QCOMPARE(said.err.count('\n'), 1);
  }
};

}  // namespace tileloom::test

using tileloom::test::AppLayoutTest;
TILELOOM_TEST(AppLayoutTest, EventLoop)
#include "layout_test.moc"
