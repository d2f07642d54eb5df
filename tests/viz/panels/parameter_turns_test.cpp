// SPDX-License-Identifier: GPL-3.0-or-later
// The table of one step of each tile parameter: places, clicks, and no reaction while stale.
#include "viz/panels/parameter_turns.h"

#include <QSignalSpy>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"

namespace tileloom {

class ParameterTurnsTest : public QObject {
  Q_OBJECT

  static std::vector<ParameterTurnRow> two() {
    return {
        {Parameter::BM, 128, ParameterTurn{64, 1.02, true, false, "BM from 128 to 64"},
         ParameterTurn{256, 0.91, false, true, "BM from 128 to 256"}},
        {Parameter::TN, 4, std::nullopt, ParameterTurn{8, 1.0, false, false, "TN from 4 to 8"}}};
  }

 private slots:
  void aClickTakesTheTurn() {
    ParameterTurns turns;
    QCOMPARE(turns.sizeHint().height(), 0);
    turns.setRows(two());
    QVERIFY(test::shown(turns, {340, 80}));
    std::vector<std::pair<Parameter, int>> picked;
    connect(&turns, &ParameterTurns::picked, this,
            [&](Parameter parameter, int value) { picked.emplace_back(parameter, value); });
    test::clickAt(turns, turns.turnRect(0, false).center());
    test::clickAt(turns, turns.turnRect(0, true).center());
    test::clickAt(turns, turns.turnRect(1, false).center());  // there is no value below
    test::clickAt(turns, turns.turnRect(1, true).center());
    test::clickAt(turns, {4, turns.turnRect(0, true).center().y()});  // the name
    const std::vector<std::pair<Parameter, int>> wanted = {
        {Parameter::BM, 64}, {Parameter::BM, 256}, {Parameter::TN, 8}};
    QVERIFY(picked == wanted);
    turns.setStale(true);
    test::clickAt(turns, turns.turnRect(0, false).center());
    QCOMPARE(picked.size(), wanted.size());
  }

  // Measured, predicted and estimated values look different.
  void looksTellWhereASpeedIsFrom() {
    const auto picture = [](bool measured, bool guessed) {
      ParameterTurns turns;
      turns.setRows(
          {{Parameter::BM, 128, ParameterTurn{64, 1.02, measured, guessed, {}}, std::nullopt}});
      turns.resize(340, 40);
      return turns.grab().toImage();
    };
    QVERIFY(picture(true, false) != picture(false, false));
    QVERIFY(picture(false, false) != picture(false, true));
    QVERIFY(picture(true, false) == picture(true, false));
  }

  void placesDoNotOverlap() {
    ParameterTurns turns;
    turns.setRows(two());
    QVERIFY(test::shown(turns, {260, 80}));
    std::vector<QRectF> places;
    for (const int row : {0, 1}) {
      for (const bool above : {false, true}) places.push_back(turns.turnRect(row, above));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      QVERIFY(QRectF(turns.rect()).contains(places[i]));
      for (std::size_t j = 0; j < i; ++j) QVERIFY(!places[i].intersects(places[j]));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ParameterTurnsTest, Widgets)
#include "parameter_turns_test.moc"
