// SPDX-License-Identifier: GPL-3.0-or-later
// The page Race in the window: its lanes, and its text without speeds.
#include <QComboBox>
#include <QLabel>
#include <QtTest>
#include <algorithm>

#include "tests/app/open_window.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/base/text/describe.h"
#include "viz/charts/race/race_view.h"

namespace tileloom {

using test::OpenWindow;

class WindowRaceTest : public QObject {
  Q_OBJECT

 private slots:
  // Without a GPU the two devices are those whose runs ship.
  void oneRungOnTwoDevices() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.showPage("race");
    auto* who = w.window.findChild<QComboBox*>(QStringLiteral("racers"));
    auto* note = w.window.findChild<QLabel*>(QStringLiteral("raceNote"));
    auto* race = w.window.findChild<RaceView*>();
    QVERIFY(who != nullptr && note != nullptr && race != nullptr);
    who->setCurrentIndex(2);
    QVERIFY2(note->text().startsWith("only one device"), qPrintable(note->text()));
    QVERIFY(w.window.explorer().setProblem({4096, 4096, 4096}).isEmpty());
    QTRY_COMPARE(race->data().racers.size(), std::size_t{4});  // each with its cuBLAS
    QVERIFY(note->text().isEmpty());
    int kernels = 0;
    QSet<QString> names;
    for (const Racer& r : race->data().racers) {
      names += r.name;
      QVERIFY(r.gflops > 0);
      if (r.rung() == nullptr) continue;
      ++kernels;
      QCOMPARE(r.rung(), &w.window.explorer().stage());
      QVERIFY(r.tile == w.window.explorer().tile());
    }
    QCOMPARE(kernels, 2);
    QCOMPARE(names.size(), 4);
    // Another rung takes their places.
    w.window.explorer().setStage(test::stage("tuned"));
    QTRY_VERIFY(race->data().racers.front().rung() == &test::stage("tuned"));
  }

  // Runs differ in clock: the order is that of the shares of cuBLAS in the same run, as on the
  // ladder.
  void theOrderIsThatOfTheLadder() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.explorer().setStage(test::stage("hopper"));
    QVERIFY(w.window.explorer().setProblem({4096, 4096, 4096}).isEmpty());
    w.window.showPage("race");
    auto* race = w.window.findChild<RaceView*>();
    auto* note = w.window.findChild<QLabel*>(QStringLiteral("raceNote"));
    QTRY_COMPARE(race->data().racers.size(), std::size_t{14});
    QVERIFY2(note->text().contains("share of cuBLAS in the same run"), qPrintable(note->text()));
    const auto bars = w.window.lab().ladder();
    const auto ratioOf = [&](const Stage* stage) {
      const auto bar = std::ranges::find(bars, stage, &LadderBar::rung);
      return stage == nullptr ? 1.0 : bar->ratio.median;
    };
    for (int a = 0; a < 14; ++a) {
      const Racer& first = race->data().at(a);
      for (int b = 0; b < 14; ++b) {
        const Racer& second = race->data().at(b);
        QCOMPARE(race->data().placing(a) < race->data().placing(b),
                 ratioOf(first.rung()) > ratioOf(second.rung()));
      }
      if (first.rung() == nullptr) continue;
      const auto bar = std::ranges::find(bars, first.rung(), &LadderBar::rung);
      QCOMPARE(first.ratio, bar->ratio.median);
      QCOMPARE(first.gflops, bar->gflops.median);  // the measured speed is shown
    }
  }

  // A click moves the loom to the access with the most predicted cycles, and says so.
  void aClickGoesByCycles() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.showPage("race");
    auto* race = w.window.findChild<RaceView*>();
    QTRY_VERIFY(race->data().racers.size() > 14);
    race->setRunning(false);
    for (const int racer : {0, 5}) {
      test::clickAt(*race, race->box(racer).center());
      const Stage& stage = *race->data().at(racer).rung();
      QTRY_VERIFY(w.recording().trace.rung() == &stage &&
                  race->data().why.contains("predicted time"));
      QTRY_VERIFY(race->data().why.endsWith(describeMoment(w.scene().moment) + u')'));
      QVERIFY(w.scene().access.has_value());
    }
    // Rung 1 spends its time on the sectors of A.
    test::clickAt(*race, race->box(0).center());
    QTRY_VERIFY2(race->data().why.contains("sectors"), qPrintable(race->data().why));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowRaceTest, Window)
#include "window_race_test.moc"
