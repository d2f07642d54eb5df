// SPDX-License-Identifier: GPL-3.0-or-later
// Tile parameters: the panel's verdict on a tile is that of the constraint table, and any input can
// be undone.
#include "viz/panels/parameter_panel.h"

#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtTest>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/pointer.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/panels/parameter_slider.h"

namespace tileloom {

using test::q;

class ParameterPanelTest : public QObject {
  Q_OBJECT

  // The offers that the user sees after the event loop has run.
  static QList<QPushButton*> offers(const ParameterPanel& panel) {
    QCoreApplication::processEvents();
    QList<QPushButton*> shown;
    for (auto* button : panel.findChildren<QPushButton*>("offer")) {
      if (button->isVisible()) shown += button;
    }
    return shown;
  }

  // As a user does it: replace the text, press Return.
  static void type(QSpinBox& box, int value) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QString::number(value));
    QTest::keyClick(&box, Qt::Key_Return);
  }

  static void showsItsTile(const ParameterPanel& panel, const Stage& stage) {
    for (const ParameterSpec& spec : stage.parameters) {
      QCOMPARE(panel.spinBox(spec.parameter)->value(), panel.tile()[spec.parameter]);
      QCOMPARE(panel.slider(spec.parameter)->value(), panel.tile()[spec.parameter]);
    }
  }

 private slots:
  void startsLegal_data() { test::addStageRows(); }
  void startsLegal() {
    const Stage& stage = test::stageOfRow();
    ParameterPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    QVERIFY(panel.tile() == stage.standardTile());
    QCOMPARE(panel.verdict(), QString());
    QVERIFY(offers(panel).empty());
    showsItsTile(panel, stage);
    for (const Parameter parameter : kAllParameters) {
      QCOMPARE(panel.slider(parameter) != nullptr, stage.spec(parameter) != nullptr);
      QCOMPARE(panel.spinBox(parameter) != nullptr, stage.spec(parameter) != nullptr);
    }
  }

  void marksAreTheTables_data() { test::addStageRows(); }
  void marksAreTheTables() {
    const Stage& stage = test::stageOfRow();
    ParameterPanel panel;
    panel.setStage(stage);
    for (const ParameterSpec& spec : stage.parameters) {
      std::vector<int> legal;
      for (const auto& mark : panel.slider(spec.parameter)->marks()) {
        QCOMPARE(isLegal(stage, panel.tile().with(spec.parameter, mark.value)), mark.legal);
        if (mark.legal) legal.push_back(mark.value);
      }
      QCOMPARE(legal, legalValues(stage, panel.tile(), spec.parameter));
    }
  }

  void spinBoxTakesAnythingAndExplains() {
    const Stage& stage = test::stage("warptiled");
    ParameterPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    QSignalSpy edited(&panel, &ParameterPanel::edited);
    type(*panel.spinBox(Parameter::BM), 96);
    QCOMPARE(edited.size(), 1);
    const TileShape wanted = stage.standardTile().with(Parameter::BM, 96);
    QVERIFY(panel.tile() == wanted);
    QVERIFY(!isLegal(stage, wanted));
    QCOMPARE(panel.verdict(),
             "BM = 96 is not a multiple of WM = 64, so warp tiles cannot cover the block tile; "
             "choose BM = 64 or 128");
    QVERIFY(!offers(panel).empty());
    showsItsTile(panel, stage);
    // Taking it back takes the verdict back.
    type(*panel.spinBox(Parameter::BM), 128);
    QCOMPARE(panel.verdict(), QString());
    QVERIFY(offers(panel).empty());
    QVERIFY(panel.tile() == stage.standardTile());
  }

  void sliderMovesTheTile() {
    const Stage& stage = test::stage("warptiled");
    ParameterPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    TileShape last;
    connect(&panel, &ParameterPanel::edited, &panel,
            [&last](const TileShape& tile, Parameter) { last = tile; });
    ParameterSlider* slider = panel.slider(Parameter::BK);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Left);
    QVERIFY(panel.tile()[Parameter::BK] < 16);
    QVERIFY(isLegal(stage, panel.tile()));
    QVERIFY(last == panel.tile());
    showsItsTile(panel, stage);
  }

  // Each offer is legal, says what it changes, and one click makes it so.
  void offersMakeTheTileLegal() {
    const std::pair<const char*, TileShape> illegal[] = {
        {"warptiled", test::stage("warptiled").standardTile().with(Parameter::BM, 96)},
        {"warptiled", test::stage("warptiled").standardTile().with(Parameter::TN, 5)},
        {"warptiled", test::stage("warptiled").standardTile().with(Parameter::WNITER, 16)},
        {"vectorized", test::stage("vectorized").standardTile().with(Parameter::BK, 9)},
        {"blocktile1d", test::stage("blocktile1d").standardTile().with(Parameter::TM, 7)},
        {"naive", TileShape{{Parameter::BLOCKSIZE, 99}}}};
    for (const auto& [id, tile] : illegal) {
      const Stage& stage = test::stage(id);
      QVERIFY(!isLegal(stage, tile));
      ParameterPanel panel;
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
        QSignalSpy edited(&panel, &ParameterPanel::edited);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(edited.size(), 1);
        QVERIFY2(isLegal(stage, panel.tile()), qPrintable(label));
        QCOMPARE(panel.verdict(), QString());
        QVERIFY(offers(panel).empty());
        showsItsTile(panel, stage);
        for (const ParameterSpec& spec : stage.parameters) {
          const QString change =
              QString("%1 = %2").arg(q(name(spec.parameter))).arg(panel.tile()[spec.parameter]);
          QCOMPARE(label.contains(change), panel.tile()[spec.parameter] != tile[spec.parameter]);
        }
      }
    }
  }

  void nearestValuesOfTheMovedParameterComeFirst() {
    const Stage& stage = test::stage("warptiled");
    ParameterPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    type(*panel.spinBox(Parameter::BM), 96);
    const Nearest near = nearestValues(stage, panel.tile(), Parameter::BM);
    QVERIFY(near.below && near.above);
    QVERIFY(offers(panel).size() >= 2);
    QCOMPARE(offers(panel)[0]->text(), QString("Use BM = %1").arg(*near.below));
    QCOMPARE(offers(panel)[1]->text(), QString("Use BM = %1").arg(*near.above));
  }

  // The verdict on a tile does not depend on what has set it: the parameters of the broken rule are
  // marked, and the values of the sentence are offered, then the nearest legal tile.
  void aTileThatIsSetIsToldAsOneThatIsDialled() {
    const Stage& stage = test::stage("warptiled");
    for (const auto& [parameter, value] : {std::pair(Parameter::BM, 96),
                                           {Parameter::TN, 5},
                                           {Parameter::WNITER, 16},
                                           {Parameter::WM, 48}}) {
      const TileShape tile = stage.standardTile().with(parameter, value);
      const auto told = [&](const ParameterPanel& panel) {
        QStringList all{panel.verdict()};
        for (const QPushButton* button : offers(panel)) all += button->text();
        for (const ParameterSpec& spec : stage.parameters) {
          if (panel.slider(spec.parameter)->blamed()) all += q(name(spec.parameter));
        }
        return all;
      };
      ParameterPanel dialled, undone, set;
      for (ParameterPanel* panel : {&dialled, &undone, &set}) {
        panel->setStage(stage);
        QVERIFY(test::shown(*panel, {360, 400}));
      }
      type(*dialled.spinBox(parameter), value);
      undone.setTile(tile, parameter);
      set.setTile(tile);
      QCOMPARE(told(undone), told(dialled));
      for (const Parameter blamed : firstViolation(stage, tile)->row->parameters) {
        if (stage.spec(blamed) == nullptr) continue;
        QVERIFY(dialled.slider(blamed)->blamed() && set.slider(blamed)->blamed());
      }
      const auto mends = mendingParameter(stage, tile);
      QVERIFY(mends.has_value());
      QVERIFY2(set.verdict().contains(QString("; choose %1 = ").arg(q(name(*mends)))),
               qPrintable(set.verdict()));
      const Nearest near = nearestValues(stage, tile, *mends);
      QCOMPARE(
          offers(set)[0]->text(),
          QString("Use %1 = %2").arg(q(name(*mends))).arg(near.below ? *near.below : *near.above));
    }
  }

  // Absurd numbers, in one parameter or in all of them, do not change other parameters.
  void extremes_data() { test::addStageRows(); }
  void extremes() {
    const Stage& stage = test::stageOfRow();
    ParameterPanel panel;
    panel.setStage(stage);
    QVERIFY(test::shown(panel, {360, 400}));
    int turn = stage.rung;
    for (const int value : {-99999, 0, 99999}) {
      if (test::briefly() && turn++ % 3 != 0) continue;  // each rung with one of them
      for (const ParameterSpec& spec : stage.parameters) {
        panel.setTile(stage.standardTile());
        type(*panel.spinBox(spec.parameter), value);
        QVERIFY(panel.tile() == stage.standardTile().with(spec.parameter, value));
        QCOMPARE(panel.verdict().isEmpty(), isLegal(stage, panel.tile()));  // PAD may be 0
        QVERIFY(!panel.grab().isNull());
        showsItsTile(panel, stage);
      }
      TileShape all = stage.standardTile();
      panel.setTile(all);
      for (const ParameterSpec& spec : stage.parameters) {
        type(*panel.spinBox(spec.parameter), value);
        all[spec.parameter] = value;
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
    ParameterPanel panel;
    panel.setStage(test::stage("warptiled"));
    QVERIFY(test::shown(panel, {360, 400}));
    connect(&panel, &ParameterPanel::edited, &panel,
            [&panel] { panel.setStage(test::stage("naive")); });
    type(*panel.spinBox(Parameter::BM), 96);  // its own widgets go while they send
    QVERIFY(panel.tile() == test::stage("naive").standardTile());
    QCOMPARE(panel.verdict(), QString());
    QVERIFY(panel.spinBox(Parameter::BM) == nullptr);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    showsItsTile(panel, test::stage("naive"));
  }

  // A box hands over what is typed in it when it is hidden, and its row goes with the rung: nothing
  // of it may reach the tile parameters of the next one.
  void typedTextGoesWithItsRung_data() { test::addStageRows(); }
  void typedTextGoesWithItsRung() {
    const Stage& stage = test::stageOfRow();
    for (const ParameterSpec& spec : stage.parameters) {
      for (const char* other : {"naive", "warptiled", "tma"}) {
        const Stage& next = test::stage(other);
        if (&next == &stage) continue;
        ParameterPanel panel;
        panel.setStage(stage);
        QVERIFY(test::shown(panel, {360, 400}));
        QSpinBox& box = *panel.spinBox(spec.parameter);
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, "77");
        QVERIFY(panel.tile() == stage.standardTile());  // not entered yet
        QSignalSpy edited(&panel, &ParameterPanel::edited);
        panel.setStage(next);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(edited.size(), 0);
        QVERIFY(panel.tile() == next.standardTile());
        QCOMPARE(panel.verdict(), QString());
        showsItsTile(panel, next);
      }
    }
  }

  // A drag continues until the button is released, even if the slider is replaced.
  void aDragEndsWithItsRung() {
    ParameterPanel panel;
    panel.setStage(test::stage("warptiled"));
    QVERIFY(test::shown(panel, {360, 400}));
    QPointer<ParameterSlider> slider = panel.slider(Parameter::BM);
    const QPoint middle = slider->rect().center();
    QTest::mousePress(slider, Qt::LeftButton, Qt::NoModifier, middle);
    QSignalSpy edited(&panel, &ParameterPanel::edited);
    panel.setStage(test::stage("naive"));
    QVERIFY(slider != nullptr);  // Qt deletes it later
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

TILELOOM_TEST(tileloom::ParameterPanelTest, Widgets)
#include "parameter_panel_test.moc"
