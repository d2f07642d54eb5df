// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/condition.h"

#include <QtTest>

#include "app/lecture/figures.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::lecture {

using test::q;

class ConditionTest : public QObject {
  Q_OBJECT

  static const Stage& warptiled() { return *stageWithId("warptiled"); }
  static TileFacts facts(const TileShape& tile) {
    return factsOf({&warptiled(), tile, Format::Fp32}, {4096, 4096, 4096});
  }
  static TileFacts standard() { return facts(warptiled().standardTile()); }

 private slots:
  void conditionsHold_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("holds");
    const auto row = [](const char* text, bool holds) {
      QTest::newRow(text) << QString(text) << holds;
    };
    // The standard tile: 128 x 128, 4 warps of 64 x 64, WNITER 4.
    row("legal", true);
    row("threads = 128", true);
    row("threads=128", true);
    row("warps != 4", false);
    row("BM >= 128", true);
    row("BM > 128", false);
    row("BM <= BN", true);
    row("stamps = 4", true);
    row("stamps < WNITER", false);
    row("threads = before", true);
    row("blocks per SM = before - 1", false);
    row("occupancy < 20", true);
    // A condition on an unknown quantity is false: nothing is traced here, and this rung has no
    // such tile parameter.
    row("store conflicts = 0", false);
    row("store conflicts != 0", false);
    row("PAD = 0", false);
  }
  void conditionsHold() {
    QFETCH(QString, text);
    QFETCH(bool, holds);
    const auto condition = Condition::parse(text.toStdString());
    QVERIFY2(condition, condition ? "" : condition.error().c_str());
    QCOMPARE(condition->holds(standard(), standard()), holds);
  }

  void beforeIsTheStepsBeginning() {
    const auto fewer = Condition::parse("threads = before * 2");
    QVERIFY(!fewer);
    const auto twice = Condition::parse("threads = before + 128");
    QVERIFY(twice);
    const TileFacts now =
        facts(warptiled().standardTile().with(Parameter::WM, 32).with(Parameter::WNITER, 2));
    QVERIFY2(now.legal, "the tile of this test");
    QVERIFY(twice->holds(now, standard()));
    QVERIFY(!twice->holds(standard(), standard()));
  }

  void stateSaysWhatIsTheCase() {
    const auto condition = Condition::parse("subtiles = 2");
    QCOMPARE(q(condition->state(standard(), standard())), "subtiles is 4 and must be 2");
    const TileFacts broken = facts(warptiled().standardTile().with(Parameter::BM, 96));
    QVERIFY(!broken.legal);
    QVERIFY(!Condition::parse("legal")->holds(broken, standard()));
    QCOMPARE(q(Condition::parse("legal")->state(broken, standard())),
             "this tile breaks a rule, which the tile panel names");
    QCOMPARE(q(Condition::parse("legal = 0")->state(standard(), standard())),
             "this tile breaks no rule");
    // The value of the file is printed without rounding it to a count.
    QCOMPARE(q(Condition::parse("subtiles = -1")->state(standard(), standard())),
             "subtiles is 4 and must be -1");
    QCOMPARE(q(Condition::parse("subtiles < 2.5")->state(standard(), standard())),
             "subtiles is 4 and must be less than 2.5");
  }

  void whatIsNoConditionIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"", "stamps", "stamps 2", "stamps = two", "thread = 2", "= 2", "stamps = before + x",
          "stamps = before 1", "stamps = 1e300", "stamps = nan", "stamps = before - inf"})
      QTest::newRow(text) << QString(text);
  }
  void whatIsNoConditionIsRefused() {
    QFETCH(QString, text);
    const auto condition = Condition::parse(text.toStdString());
    QVERIFY(!condition);
    QVERIFY(condition.error().size() > 20 && condition.error().back() != '.');
  }

  void textsNameFigures() {
    QCOMPARE(q(filled("{threads} threads, {{{BM} x {BN}}}", standard())),
             "128 threads, {128 x 128}");
    QVERIFY(filled("{percent of naive at 4096}", standard()).find('%') != std::string::npos);
    QCOMPARE(q(filled("{speed of naive at 100}", standard())), q(kNotKnown));
    QCOMPARE(q(whyNotFilled("{threads} and {percent of tuned at 8192}")), "");
    for (const char* wrong : {"{thread}", "{threads", "threads}", "{percent of nobody}",
                              "{percent of naive at x}", "{store conflicts of naive}", "{}"})
      QVERIFY2(!whyNotFilled(wrong).empty(), wrong);
  }

  void everyQuantityIsNamedOnceAndSaysWhatItIs() {
    std::set<std::string_view> names;
    for (const Quantity& quantity : quantities()) {
      QVERIFY(names.insert(quantity.name).second);
      QVERIFY(!quantity.what.empty() && quantity.what.back() != '.');
      QVERIFY(Named::find(quantity.name));
      // A text would read it as a rung or a size.
      QVERIFY(quantity.name.find(" of ") == quantity.name.npos);
      QVERIFY(quantity.name.find(" at ") == quantity.name.npos);
    }
  }
};

}  // namespace tileloom::lecture

TILELOOM_TEST(tileloom::lecture::ConditionTest, EventLoop)
#include "condition_test.moc"
