// SPDX-License-Identifier: GPL-3.0-or-later
// Knobs: what the panel says about a tile is what the constraint table says, and whatever a person
// types can be taken back.
#include "viz/panels/knob_panel.h"

#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtTest>

#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"
#include "tests/support/pointer.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/panels/knob_slider.h"

namespace tileloom {

using test::q;

class KnobPanelTest : public QObject {
  Q_OBJECT

  // The offers that a person sees once the event loop has run.
  static QList<QPushButton*> offers(const KnobPanel& panel) {
    QCoreApplication::processEvents();
    QList<QPushButton*> shown;
    for (auto* button : panel.findChildren<QPushButton*>("offer")) {
      if (button->isVisible()) shown += button;
    }
    return shown;
  }

  // As a person does it: replace the text, press Return.
  static void type(QSpinBox& box, int value) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QString::number(value));
    QTest::keyClick(&box, Qt::Key_Return);
  }

  static void showsItsTile(const KnobPanel& panel, const Stage& stage) {
    for (const KnobSpec& spec : stage.knobs) {
      QCOMPARE(panel.spinBox(spec.knob)->value(), panel.tile()[spec.knob]);
      QCOMPARE(panel.slider(spec.knob)->value(), panel.tile()[spec.knob]);
    }
  }

 private slots:
  void startsLegal_data() { test::addStageRows(); }
  void startsLegal() {
    const Stage& stage = test::stageOfRow();
    KnobPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    QVERIFY(panel.tile() == stage.standardTile());
    QCOMPARE(panel.verdict(), QString());
    QVERIFY(offers(panel).empty());
    showsItsTile(panel, stage);
    for (const Knob knob : kAllKnobs) {
      QCOMPARE(panel.slider(knob) != nullptr, stage.spec(knob) != nullptr);
      QCOMPARE(panel.spinBox(knob) != nullptr, stage.spec(knob) != nullptr);
    }
  }

  void marksAreTheTables_data() { test::addStageRows(); }
  void marksAreTheTables() {
    const Stage& stage = test::stageOfRow();
    KnobPanel panel;
    panel.setStage(stage);
    for (const KnobSpec& spec : stage.knobs) {
      std::vector<int> legal;
      for (const auto& mark : panel.slider(spec.knob)->marks()) {
        QCOMPARE(isLegal(stage, panel.tile().with(spec.knob, mark.value)), mark.legal);
        if (mark.legal) legal.push_back(mark.value);
      }
      QCOMPARE(legal, legalValues(stage, panel.tile(), spec.knob));
    }
  }

  void spinBoxTakesAnythingAndExplains() {
    const Stage& stage = test::stage("warptiled");
    KnobPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    QSignalSpy edited(&panel, &KnobPanel::edited);
    type(*panel.spinBox(Knob::BM), 96);
    QCOMPARE(edited.size(), 1);
    const TileShape wanted = stage.standardTile().with(Knob::BM, 96);
    QVERIFY(panel.tile() == wanted);
    QVERIFY(!isLegal(stage, wanted));
    QCOMPARE(panel.verdict(),
             "BM = 96 is not a whole number of WM = 64, so warp tiles cannot cover the block tile; "
             "BM = 64 or 128 would do");
    QVERIFY(!offers(panel).empty());
    showsItsTile(panel, stage);
    // Taking it back takes the verdict back.
    type(*panel.spinBox(Knob::BM), 128);
    QCOMPARE(panel.verdict(), QString());
    QVERIFY(offers(panel).empty());
    QVERIFY(panel.tile() == stage.standardTile());
  }

  void sliderMovesTheTile() {
    const Stage& stage = test::stage("warptiled");
    KnobPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    TileShape last;
    connect(&panel, &KnobPanel::edited, &panel,
            [&last](const TileShape& tile, Knob) { last = tile; });
    KnobSlider* slider = panel.slider(Knob::BK);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Left);
    QVERIFY(panel.tile()[Knob::BK] < 16);
    QVERIFY(isLegal(stage, panel.tile()));
    QVERIFY(last == panel.tile());
    showsItsTile(panel, stage);
  }

  // Each offer is legal, says what it changes, and one click makes it so.
  void offersMakeTheTileLegal() {
    const std::pair<const char*, TileShape> illegal[] = {
        {"warptiled", test::stage("warptiled").standardTile().with(Knob::BM, 96)},
        {"warptiled", test::stage("warptiled").standardTile().with(Knob::TN, 5)},
        {"warptiled", test::stage("warptiled").standardTile().with(Knob::WNITER, 16)},
        {"vectorized", test::stage("vectorized").standardTile().with(Knob::BK, 9)},
        {"blocktile1d", test::stage("blocktile1d").standardTile().with(Knob::TM, 7)},
        {"naive", TileShape{{Knob::BLOCKSIZE, 99}}}};
    for (const auto& [id, tile] : illegal) {
      const Stage& stage = test::stage(id);
      QVERIFY(!isLegal(stage, tile));
      KnobPanel panel;
      panel.setStage(stage);
      QVERIFY(test::shown(panel, {360, 400}));
      panel.setTile(tile);
      const auto count = offers(panel).size();
      QVERIFY(count > 0);
      for (qsizetype i = 0; i < count; ++i) {
        panel.setTile(tile);
        QCOMPARE(offers(panel).size(), count);
        QPushButton* button = offers(panel)[i];
        const QString label = button->text();
        QSignalSpy edited(&panel, &KnobPanel::edited);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(edited.size(), 1);
        QVERIFY2(isLegal(stage, panel.tile()), qPrintable(label));
        QCOMPARE(panel.verdict(), QString());
        QVERIFY(offers(panel).empty());
        showsItsTile(panel, stage);
        for (const KnobSpec& spec : stage.knobs) {
          const QString change =
              QString("%1 = %2").arg(q(name(spec.knob))).arg(panel.tile()[spec.knob]);
          QCOMPARE(label.contains(change), panel.tile()[spec.knob] != tile[spec.knob]);
        }
      }
    }
  }

  void nearestValuesOfTheMovedKnobComeFirst() {
    const Stage& stage = test::stage("warptiled");
    KnobPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    type(*panel.spinBox(Knob::BM), 96);
    const Nearest near = nearestValues(stage, panel.tile(), Knob::BM);
    QVERIFY(near.below && near.above);
    QVERIFY(offers(panel).size() >= 2);
    QCOMPARE(offers(panel)[0]->text(), QString("Use BM = %1").arg(*near.below));
    QCOMPARE(offers(panel)[1]->text(), QString("Use BM = %1").arg(*near.above));
  }

  // What is told of a tile does not depend on who has set it: the broken rule's knobs are marked,
  // and what the sentence names is offered, then the nearest legal tile.
  void aTileThatIsSetIsToldAsOneThatIsDialled() {
    const Stage& stage = test::stage("warptiled");
    for (const auto& [knob, value] :
         {std::pair(Knob::BM, 96), {Knob::TN, 5}, {Knob::WNITER, 16}, {Knob::WM, 48}}) {
      const TileShape tile = stage.standardTile().with(knob, value);
      const auto told = [&](const KnobPanel& panel) {
        QStringList all{panel.verdict()};
        for (const QPushButton* button : offers(panel)) all += button->text();
        for (const KnobSpec& spec : stage.knobs) {
          if (panel.slider(spec.knob)->blamed()) all += q(name(spec.knob));
        }
        return all;
      };
      KnobPanel dialled, undone, set;
      for (KnobPanel* panel : {&dialled, &undone, &set}) {
        panel->setStage(stage);
        QVERIFY(test::shown(*panel, {360, 400}));
      }
      type(*dialled.spinBox(knob), value);
      undone.setTile(tile, knob);
      set.setTile(tile);
      QCOMPARE(told(undone), told(dialled));
      for (const Knob blamed : firstViolation(stage, tile)->row->knobs) {
        if (stage.spec(blamed) == nullptr) continue;
        QVERIFY(dialled.slider(blamed)->blamed() && set.slider(blamed)->blamed());
      }
      const auto mends = mendingKnob(stage, tile);
      QVERIFY(mends.has_value());
      QVERIFY2(set.verdict().contains(QString("; %1 = ").arg(q(name(*mends)))),
               qPrintable(set.verdict()));
      const Nearest near = nearestValues(stage, tile, *mends);
      QCOMPARE(
          offers(set)[0]->text(),
          QString("Use %1 = %2").arg(q(name(*mends))).arg(near.below ? *near.below : *near.above));
    }
  }

  // The silliest numbers, in one knob and in all of them, leave the other knobs alone.
  void extremes_data() { test::addStageRows(); }
  void extremes() {
    const Stage& stage = test::stageOfRow();
    KnobPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    int turn = stage.rung;
    for (const int value : {-99999, 0, 99999}) {
      if (test::briefly() && turn++ % 3 != 0) continue;  // each rung with one of them
      for (const KnobSpec& spec : stage.knobs) {
        panel.setTile(stage.standardTile());
        type(*panel.spinBox(spec.knob), value);
        QVERIFY(panel.tile() == stage.standardTile().with(spec.knob, value));
        QCOMPARE(panel.verdict().isEmpty(), isLegal(stage, panel.tile()));  // PAD may be 0
        QVERIFY(!panel.grab().isNull());
        showsItsTile(panel, stage);
      }
      TileShape all = stage.standardTile();
      panel.setTile(all);
      for (const KnobSpec& spec : stage.knobs) {
        type(*panel.spinBox(spec.knob), value);
        all[spec.knob] = value;
      }
      QVERIFY(panel.tile() == all);
      QVERIFY(!panel.verdict().isEmpty());
      // The way back is still offered.
      QVERIFY(!offers(panel).empty());
      QTest::mouseClick(offers(panel).front(), Qt::LeftButton);
      QVERIFY(isLegal(stage, panel.tile()));
    }
  }

  void changingTheStageInTheMiddle() {
    KnobPanel panel;
    panel.setStage(test::stage("warptiled"));
    QVERIFY(test::shown(panel, {360, 400}));
    connect(&panel, &KnobPanel::edited, &panel, [&panel] { panel.setStage(test::stage("naive")); });
    type(*panel.spinBox(Knob::BM), 96);  // its own widgets go while they send
    QVERIFY(panel.tile() == test::stage("naive").standardTile());
    QCOMPARE(panel.verdict(), QString());
    QVERIFY(panel.spinBox(Knob::BM) == nullptr);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    showsItsTile(panel, test::stage("naive"));
  }

  // A box hands over what is typed in it when it is hidden, and its row goes with the rung: nothing
  // of it may reach the knobs of the next one.
  void typedTextGoesWithItsRung_data() { test::addStageRows(); }
  void typedTextGoesWithItsRung() {
    const Stage& stage = test::stageOfRow();
    for (const KnobSpec& spec : stage.knobs) {
      for (const char* other : {"naive", "warptiled", "tma"}) {
        const Stage& next = test::stage(other);
        if (&next == &stage) continue;
        KnobPanel panel;
        panel.setStage(stage);
        QVERIFY(test::shown(panel, {360, 400}));
        QSpinBox& box = *panel.spinBox(spec.knob);
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, "77");
        QVERIFY(panel.tile() == stage.standardTile());  // not entered yet
        QSignalSpy edited(&panel, &KnobPanel::edited);
        panel.setStage(next);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(edited.size(), 0);
        QVERIFY(panel.tile() == next.standardTile());
        QCOMPARE(panel.verdict(), QString());
        showsItsTile(panel, next);
      }
    }
  }

  // A drag goes on until the button is let go, whatever becomes of the slider.
  void aDragEndsWithItsRung() {
    KnobPanel panel;
    panel.setStage(test::stage("warptiled"));
    QVERIFY(test::shown(panel, {360, 400}));
    QPointer<KnobSlider> slider = panel.slider(Knob::BM);
    const QPoint middle = slider->rect().center();
    QTest::mousePress(slider, Qt::LeftButton, Qt::NoModifier, middle);
    QSignalSpy edited(&panel, &KnobPanel::edited);
    panel.setStage(test::stage("naive"));
    QVERIFY(slider != nullptr);  // it goes when Qt comes round to it
    for (const int x : {0, slider->width()}) {
      QMouseEvent move(QEvent::MouseMove, QPointF(x, middle.y()),
                       slider->mapToGlobal(QPoint(x, middle.y())), Qt::NoButton, Qt::LeftButton,
                       Qt::NoModifier);
      QApplication::sendEvent(slider, &move);
    }
    QCOMPARE(edited.size(), 0);
    QVERIFY(panel.tile() == test::stage("naive").standardTile());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::KnobPanelTest, Widgets)
#include "knob_panel_test.moc"
