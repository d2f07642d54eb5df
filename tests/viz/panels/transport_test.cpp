// SPDX-License-Identifier: GPL-3.0-or-later
// The transport bar with its scrub bar: every control emits its request.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/panels/scrub_bar.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {

using emulator::Instruction;
using test::recorded;

class TransportTest : public QObject {
  Q_OBJECT

  test::RecordingPointer recording_ = recorded({.stage = "warptiled"});

  static void type(QSpinBox& box, int value) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QString::number(value));
    QTest::keyClick(&box, Qt::Key_Return);
  }
  static QSpinBox& box(const TransportBar& bar, const char* name) {
    return *bar.findChild<QSpinBox*>(name);
  }

 private slots:
  void showsTheScene() {
    TransportBar bar;
    const auto index = test::indexOf(
        *recording_, 2, [](const Instruction& i) { return i.kTile == 1 && i.dot == 5; });
    bar.setScene(makeScene(recording_, 2, index));
    QCOMPARE(box(bar, "warp").value(), 2);
    QCOMPARE(box(bar, "warp").maximum(), 3);
    QCOMPARE(box(bar, "ktile").value(), 2);
    QCOMPARE(box(bar, "ktile").text(), QString("K tile 2"));
    QCOMPARE(box(bar, "dot").value(), 5);
    QCOMPARE(box(bar, "dot").maximum(), 15);
    QCOMPARE(box(bar, "instruction").value(), static_cast<int>(index));
    QCOMPARE(box(bar, "instruction").maximum(), static_cast<int>(recording_->trace.length(2)) - 1);
    QCOMPARE(bar.scrubBar()->position(), static_cast<int>(index));
    QCOMPARE(bar.scrubBar()->length(), static_cast<int>(recording_->trace.length(2)));
  }

  // The epilogue has no K tile, and the box says so.
  void theEpilogueIsNoKTile() {
    TransportBar bar;
    const auto last = recording_->trace.length(0) - 1;
    bar.setScene(makeScene(recording_, 0, last));
    QCOMPARE(box(bar, "ktile").text(), QString("K tile –"));
    QCOMPARE(box(bar, "dot").text(), QString("k –"));
    QVERIFY(test::shown(bar, {1200, 80}));
    QSignalSpy place(&bar, &TransportBar::placeAsked);
    box(bar, "ktile").setFocus();
    QTest::keyClick(&box(bar, "ktile"), Qt::Key_Down);
    QCOMPARE(place, (QList<QVariantList>{{1, -1}}));  // the last one
    bar.setScene(makeScene(recording_, 0, 0));
    QCOMPARE(box(bar, "ktile").text(), QString("K tile 1"));
    type(box(bar, "ktile"), 3);  // after the last one
    QCOMPARE(place.back().front().toInt(), 2);
  }

  // The prologue has no K tile either, as the loom says.
  void thePrologueIsBeforeThem() {
    TransportBar bar;
    const auto r = recorded({.stage = "async"});
    bar.setScene(makeScene(r, 0, 0));
    QCOMPARE(box(bar, "ktile").text(), QString("before K tile 1"));
    bar.setScene(makeScene(r, 0, *r->find(0, 1, emulator::kNoDot)));
    QCOMPARE(box(bar, "ktile").text(), QString("K tile 2"));
  }

  // Rungs without K tiles show their part of K, in complete numbers.
  void partsOfKAreCalledByK() {
    TransportBar bar;
    const auto r = recorded({.stage = "naive"});
    bar.setScene(makeScene(r, 0, *r->find(0, 1, emulator::kNoDot)));
    QVERIFY(test::shown(bar, {1200, 80}));
    auto& part = box(bar, "ktile");
    QCOMPARE(part.text(), QString("k = 32–63"));
    auto* edit = part.findChild<QLineEdit*>();
    QVERIFY(edit->fontMetrics().horizontalAdvance(edit->text()) < edit->width());
    QSignalSpy place(&bar, &TransportBar::placeAsked);
    type(part, 5);  // a k of the first part
    QCOMPARE(place.back().front().toInt(), 0);
  }

  // Showing a scene emits no request.
  void showingAsksForNothing() {
    TransportBar bar;
    QSignalSpy index(&bar, &TransportBar::indexAsked), warp(&bar, &TransportBar::warpAsked),
        place(&bar, &TransportBar::placeAsked);
    bar.setScene(makeScene(recording_, 3, 700));
    bar.setScene(makeScene(recording_, 0, 0));
    bar.setScene(makeScene(recorded({.stage = "naive"}), 31, 50));
    QVERIFY(index.empty() && warp.empty() && place.empty());
  }

  void spinBoxesAsk() {
    TransportBar bar;
    bar.setScene(makeScene(recording_, 0, 0));
    QVERIFY(test::shown(bar, {1200, 80}));
    QSignalSpy index(&bar, &TransportBar::indexAsked), warp(&bar, &TransportBar::warpAsked),
        place(&bar, &TransportBar::placeAsked);
    type(box(bar, "warp"), 3);
    QCOMPARE(warp, (QList<QVariantList>{{3}}));
    type(box(bar, "instruction"), 100);
    QCOMPARE(index, (QList<QVariantList>{{100}}));  // as --step and session files count
    type(box(bar, "ktile"), 2);
    QCOMPARE(place, (QList<QVariantList>{{1, -1}}));
    type(box(bar, "dot"), 7);
    QCOMPARE(place.back(), (QVariantList{1, 7}));
    QTest::keyClick(&box(bar, "dot"), Qt::Key_Up);
    QCOMPARE(place.back(), (QVariantList{1, 8}));
  }

  // The user clicks on a number and types another.
  void aClickSelectsTheNumber() {
    TransportBar bar;
    bar.setScene(makeScene(recording_, 0, 0));
    QVERIFY(test::shown(bar, {1200, 80}));
    QSignalSpy warp(&bar, &TransportBar::warpAsked);
    auto* field = box(bar, "warp").findChild<QLineEdit*>();
    for (const int x : {4, field->width() / 2, field->width() - 4}) {
      box(bar, "warp").clearFocus();
      test::clickAt(*field, QPointF(x, field->height() / 2));
      QTest::keyClicks(field, "3");
      QTest::keyClick(field, Qt::Key_Return);
      QCOMPARE(box(bar, "warp").value(), 3);
      box(bar, "warp").setValue(0);
    }
    QTest::mouseDClick(field, Qt::LeftButton, Qt::NoModifier, QPoint(4, field->height() / 2));
    QTest::keyClicks(field, "2");
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(box(bar, "warp").value(), 2);
    // A second click places the caret, for editing.
    test::clickAt(*field, QPointF(field->width() - 4, field->height() / 2));
    QVERIFY(!warp.empty());
  }

  void buttonsAsk() {
    TransportBar bar;
    bar.setScene(makeScene(recording_, 0, 40));
    QVERIFY(test::shown(bar, {1200, 80}));
    QSignalSpy index(&bar, &TransportBar::indexAsked), step(&bar, &TransportBar::stepped),
        play(&bar, &TransportBar::playToggled);
    const auto press = [&bar](const char* name) {
      QTest::mouseClick(bar.findChild<QToolButton*>(name), Qt::LeftButton);
    };
    press("forth");
    press("back");
    press("first");
    press("play");
    QCOMPARE(step, (QList<QVariantList>{{1}, {-1}}));
    QCOMPARE(index, (QList<QVariantList>{{0}}));
    QCOMPARE(play.size(), 1);
    const QString paused = bar.findChild<QToolButton*>("play")->text();
    bar.setPlaying(true);
    QVERIFY(bar.findChild<QToolButton*>("play")->text() != paused);
    bar.setPlaying(false);
    QCOMPARE(bar.findChild<QToolButton*>("play")->text(), paused);
  }

  void paces() {
    TransportBar bar;
    QVERIFY(test::shown(bar, {1200, 80}));
    QSignalSpy pace(&bar, &TransportBar::paceChanged);
    auto* combo = bar.findChild<QComboBox*>("pace");
    QCOMPARE(combo->count(), static_cast<int>(kPaceNames.size()));
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_End);
    QVERIFY(bar.pace() == Pace::Tile1);
    QVERIFY(pace.back().front().value<Pace>() == Pace::Tile1);
    QTest::keyClick(combo, Qt::Key_Home);
    QVERIFY(bar.pace() == Pace::Instructions2);
  }

  void scrubbing() {
    ScrubBar bar;
    bar.setScene(makeScene(recording_, 0, 0));
    QVERIFY(test::shown(bar, {900, 50}));
    QSignalSpy scrubbed(&bar, &ScrubBar::scrubbed);
    const int last = bar.length() - 1;
    const auto click = [&](int x) {
      test::clickAt(bar, {static_cast<double>(x), 12.0});
      return scrubbed.back().front().toInt();
    };
    QCOMPARE(click(1), 0);
    QCOMPARE(click(bar.width() - 1), last);
    QVERIFY(std::abs(click(bar.width() / 2) - last / 2) <= last / 400 + 2);
    QCOMPARE(scrubbed.size(), 3);
    // A drag emits requests along its path, and stays within the stream.
    scrubbed.clear();
    QTest::mousePress(&bar, Qt::LeftButton, {}, {100, 12});
    for (int x = 100; x <= 1000; x += 30) QTest::mouseMove(&bar, {x, 12});
    QTest::mouseRelease(&bar, Qt::LeftButton, {}, {1000, 12});
    QVERIFY(scrubbed.size() > 20);
    int before = 0;
    for (const auto& signal : scrubbed) {
      QVERIFY(signal.front().toInt() >= before && signal.front().toInt() <= last);
      before = signal.front().toInt();
    }
    QCOMPARE(before, last);
  }

  void nothingToScrubYet() {
    ScrubBar bar;
    QVERIFY(test::shown(bar, {900, 50}));
    QSignalSpy scrubbed(&bar, &ScrubBar::scrubbed);
    test::clickAt(bar, {400, 12});
    bar.setScene(Scene());
    test::clickAt(bar, {400, 12});
    QVERIFY(scrubbed.empty());
    QVERIFY(!bar.grab().isNull());
  }

  // On tensor cores k advances in steps of 16: the box counts steps, from 1.
  void stepsAlongK() {
    TransportBar bar;
    const auto r = test::recorded({.stage = "mma"});  // BK 32: two steps
    const auto index =
        test::indexOf(*r, 0, [](const Instruction& i) { return i.kTile == 1 && i.dot == 16; });
    bar.setScene(makeScene(r, 0, index));
    QCOMPARE(box(bar, "dot").text(), QString("k step 2"));
    QCOMPARE(box(bar, "dot").maximum(), 2);
    QSignalSpy asked(&bar, &TransportBar::placeAsked);
    box(bar, "dot").setValue(1);
    QCOMPARE(asked.last().at(0).toInt(), 1);
    QCOMPARE(asked.last().at(1).toInt(), 0);
    box(bar, "dot").setValue(0);
    QCOMPARE(asked.last().at(1).toInt(), -1);
    QCOMPARE(box(bar, "dot").text(), QString("k step –"));
    bar.setScene(makeScene(recording_, 0, 0));
    QVERIFY(box(bar, "dot").text().startsWith("k ") &&
            !box(bar, "dot").text().startsWith("k step"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TransportTest, Widgets)
#include "transport_test.moc"
