// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that give each lane a number: expressions, layouts, lists.
#include "kernels/own/lane_indices.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

class LaneIndicesTest : public QObject {
  Q_OBJECT

  static Indices made(std::string_view text, std::uint32_t warps = 0, std::uint32_t steps = 0) {
    const auto indices = laneIndices(text, warps, steps);
    if (!indices) QTest::qFail(indices.error().c_str(), __FILE__, __LINE__);
    return indices.value_or(Indices{{LaneIndices{}}, {}, false});
  }

 private slots:
  void expressions() {
    const LaneIndices a = made("lane -> (lane % 8) * 33 + lane / 8").accesses.at(0);
    QCOMPARE(a.mask, 0xFFFFFFFFu);
    QCOMPARE(a.values[7], 231);
    QCOMPARE(a.values[8], 1);
    QCOMPARE(made("lane ^ 1").accesses.at(0).values[4], 5);
    QCOMPARE(made("lane<16?lane:-1+1").accesses.at(0).values[20], 0);
  }
  void warpsAndSteps() {
    const auto all = made("(lane, warp, step) -> thread + 1000 * step", 2, 3).accesses;
    QCOMPARE(all.size(), std::size_t(6));
    QCOMPARE(all[1].warp, 1u);
    QCOMPARE(all[1].step, 0u);
    QCOMPARE(all[1].values[3], 35);
    QCOMPARE(all[4].step, 2u);
    QCOMPARE(all[4].values[0], 2000);
  }
  void inactiveLanes() {
    const LaneIndices a = made("lane -> lane * 4 if lane < 8").accesses.at(0);
    QCOMPARE(a.mask, 0xFFu);
    // A lane that is not active may divide by 0.
    QCOMPARE(made("32 / lane if lane").accesses.at(0).mask, 0xFFFFFFFEu);
  }
  void layoutsGoOnWithTheNextWarp() {
    const Indices all = made("Swizzle<3,3,3> o 2 o (8,8):(8,1)");
    QCOMPARE(all.accesses.size(), std::size_t(2));
    QCOMPARE(all.accesses[1].warp, 1u);
    QCOMPARE(all.accesses[1].values[1], 2 + 8 + 4);
    QCOMPARE(all.swizzle, (analysis::Swizzle{3, 3, 3}));
    QCOMPARE(made("lane -> (4,2):(1,4)").accesses.at(0).mask, 0xFFu);
  }
  void lists() {
    QVERIFY(laneIndices("0x40, 0x44 - 0x4C\n_", 0, 0)->addresses);
    const LaneIndices a = made("[0, 8;16\t- 24]").accesses.at(0);
    QCOMPARE(a.mask, 0b10111u);
    QCOMPARE(a.values[4], 24);
    QString two;
    for (int i = 0; i < 64; ++i) two += QString::number(i) + ' ';
    const auto steps = made(two.toStdString()).accesses;
    QCOMPARE(steps.size(), std::size_t(2));
    QCOMPARE(steps[1].step, 1u);
    QCOMPARE(steps[1].values[31], 63);
  }

  void errors_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* text, const char* part) {
      QTest::newRow(text) << text << part;
    };
    row("", "the expression is missing");
    row("lane ->", "the expression is missing");
    row("i -> i * 2", "\"i\" before -> is unknown: choose lane, warp, step or thread");
    row("(lane, x) -> lane", "\"x\" before -> is unknown");
    row("lane -> lane * column", "at character 8: column has no value: names are lane, step");
    row("lane -> (lane % 8", "at character 10: a closing parenthesis is missing");
    row("lane -> 8 / (lane - 3)", "it divides by 0, for lane 3");
    row("lane -> lane if ", "the condition behind \"if\" is missing");
    row("0 4 8x", "entry 3 of the list, \"8x\", is not a number");
    row("0x 4 8", "entry 1 of the list");
    row("(8,4):(33,1", "a closing parenthesis is missing");
  }
  void errors() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    const auto made = laneIndices(text.toStdString(), 0, 0);
    QVERIFY2(!made.has_value(), "it has indices");
    QVERIFY2(q(made.error()).contains(part), made.error().c_str());
  }
  void listsOfOddLengths() {
    QString text;
    for (int i = 0; i < 33; ++i) text += "4,";
    const auto made = laneIndices(text.toStdString(), 0, 0);
    QVERIFY(!made && q(made.error()).contains("the list has 33 entries"));
    QVERIFY(q(laneIndices(std::string(2001, '1'), 0, 0).error()).contains("at most 2000"));
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::LaneIndicesTest, Nothing)
#include "lane_indices_test.moc"
