// SPDX-License-Identifier: GPL-3.0-or-later
// The table of what one turn of each knob would do: places, clicks, and that what is stale does
// not answer.
#include "viz/panels/knob_turns.h"

#include <QSignalSpy>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"

namespace tileloom {

class KnobTurnsTest : public QObject {
  Q_OBJECT

  static std::vector<KnobTurnRow> two() {
    return {{Knob::BM, 128, KnobTurn{64, 1.02, true, false, "BM from 128 to 64"},
             KnobTurn{256, 0.91, false, true, "BM from 128 to 256"}},
            {Knob::TN, 4, std::nullopt, KnobTurn{8, 1.0, false, false, "TN from 4 to 8"}}};
  }

 private slots:
  void aClickTakesTheTurn() {
    KnobTurns turns;
    QCOMPARE(turns.sizeHint().height(), 0);
    turns.setRows(two());
    QVERIFY(test::shown(turns, {340, 80}));
    std::vector<std::pair<Knob, int>> picked;
    connect(&turns, &KnobTurns::picked, this,
            [&](Knob knob, int value) { picked.emplace_back(knob, value); });
    test::clickAt(turns, turns.turnRect(0, false).center());
    test::clickAt(turns, turns.turnRect(0, true).center());
    test::clickAt(turns, turns.turnRect(1, false).center());  // there is no value below
    test::clickAt(turns, turns.turnRect(1, true).center());
    test::clickAt(turns, {4, turns.turnRect(0, true).center().y()});  // the name
    const std::vector<std::pair<Knob, int>> wanted = {
        {Knob::BM, 64}, {Knob::BM, 256}, {Knob::TN, 8}};
    QVERIFY(picked == wanted);
    turns.setStale(true);
    test::clickAt(turns, turns.turnRect(0, false).center());
    QCOMPARE(picked.size(), wanted.size());
  }

  // What was measured, what is predicted, and what is predicted from a guess look different.
  void looksTellWhereASpeedIsFrom() {
    const auto picture = [](bool measured, bool guessed) {
      KnobTurns turns;
      turns.setRows({{Knob::BM, 128, KnobTurn{64, 1.02, measured, guessed, {}}, std::nullopt}});
      turns.resize(340, 40);
      return turns.grab().toImage();
    };
    QVERIFY(picture(true, false) != picture(false, false));
    QVERIFY(picture(false, false) != picture(false, true));
    QVERIFY(picture(true, false) == picture(true, false));
  }

  void placesDoNotOverlap() {
    KnobTurns turns;
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

TILELOOM_TEST(tileloom::KnobTurnsTest, Widgets)
#include "knob_turns_test.moc"
