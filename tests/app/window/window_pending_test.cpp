// SPDX-License-Identifier: GPL-3.0-or-later
// A typed text that is not entered when the window changes: in every field of every page and panel,
// with every action that changes the rung. The text must not affect the next state, and all parts
// of the window must show the same rung.
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QUndoStack>
#include <algorithm>
#include <functional>
#include <map>

#include "app/services/measuring/tuner.h"
#include "app/window/common/actions.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/lecture/speaker_window.h"
#include "app/window/menus/command_palette.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "viz/charts/race/race_view.h"

namespace tileloom {

using test::OpenWindow;

class WindowPendingTest : public QObject {
  Q_OBJECT

  std::unique_ptr<OpenWindow> w_;
  QString link_;
  QStringList seen_;                          // fields; those beside the pages are on each of them
  std::map<std::string, ViewState> without_;  // the result of each action without a typed text
  int turns_ = 0;

  MainWindow& window() { return w_->window; }
  Explorer& explorer() { return w_->explorer(); }

  static void turn() {
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

  static Session sessionOf(const char* id, bool panel) {
    Session session;
    session.state.stage = &test::stage(id);
    session.state.tile = session.state.stage->standardTile();
    session.state.problem = {256, 256, 64};
    session.tilePanel = panel;
    return session;
  }

  struct Way {
    const char* name;
    std::function<void()> go;
    bool enters = false;  // an action of the user, which enters a number first
    bool hides = false;   // a part of the window, with the fields in it
  };

  std::vector<Way> ways() {
    return {
        {"ladder",
         [this] {
           LadderList& list = *window().view<LadderList>();
           test::clickAt(*list.viewport(), list.visualItemRect(list.item(1)).center());
         },
         true},
        {"explorer", [this] { explorer().setStage(test::stage("coalesced")); }},
        {"palette",
         [this] {
           CommandPalette palette(window().commands(), &window());
           palette.setAttribute(Qt::WA_DeleteOnClose, false);
           palette.show();
           palette.field()->setText(QStringLiteral("1 beside 2"));
           QTest::keyClick(palette.field(), Qt::Key_Return);
           turn();
         }},
        {"link", [this] { QVERIFY(window().sessions().open(link_).isEmpty()); }},
        {"session", [this] { window().restore(sessionOf("coalesced", true)); }},
        {"session that hides the panel",
         [this] { window().restore(sessionOf("coalesced", false)); }, false, true},
        {"lecture", [this] { QVERIFY(window().lecture().openNamed("ladder").isEmpty()); }},
        {"lecture on the screen",
         [this] {
           QVERIFY(
               window().lecture().openNamed("ladder", LectureMode::Manner::Presenting).isEmpty());
         },
         false, true},
        {"undo", [this] { window().undoStack().undo(); }},
        {"race", [this] { emit window().view<RaceView>()->picked(1); }},
        {"worker",
         [this] {
           emit window().lab().kernelChanged();
           emit window().lab().cliffsChanged();
           emit window().lab().historyChanged();
           emit window().services().tuner.ended({});
           explorer().setStage(test::stage("coalesced"));
         }},
        {"alone", [this] { window().layouts().setAlone(true); }, false, true},
        {"folded", [this] { window().middle().setFolded(true); }, false, true},
        {"another page", [this] { window().showPage("path"); }, false, true},
    };
  }

  // The start of every case: one choice that can be undone, and all parts visible.
  void begin(std::string_view page) {
    window().view<LoomView>()->setFocus();  // what the case before has left is entered now
    window().lecture().close();
    window().layouts().setAlone(false);
    Session session = sessionOf("shared", true);
    session.tab = page;
    session.layout.layout.form = analysis::LayoutForm::Padded;
    window().restore(session);
    explorer().setTiles({});
    explorer().setStage(test::stage("blocktile1d"));
    turn();
  }

  static bool isField(const QWidget& widget) {
    const bool box = qobject_cast<const QSpinBox*>(&widget) != nullptr;
    const bool line = qobject_cast<const QLineEdit*>(&widget) != nullptr &&
                      qobject_cast<const QAbstractSpinBox*>(widget.parentWidget()) == nullptr;
    return (box || line) && widget.isVisible() && widget.isEnabled();
  }

  // The fields for text, by name.
  QStringList fields() {
    QStringList names;
    for (const QWidget* each : window().findChildren<QWidget*>()) {
      if (isField(*each)) names += each->objectName();
    }
    return names;
  }

  // nullptr: it is not visible now.
  QWidget* fieldNamed(const QString& name) {
    for (QWidget* each : window().findChildren<QWidget*>(name)) {
      if (isField(*each)) return each;
    }
    return nullptr;
  }

  void typeInto(const QString& name) {
    // Some are there once the rung is recorded.
    QVERIFY2(QTest::qWaitFor([&] { return fieldNamed(name) != nullptr; }, test::kPatience),
             qPrintable(name));
    QWidget* field = fieldNamed(name);
    window().activateWindow();  // a palette or a lecture on the screen had it
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    field->setFocus();
    QCOMPARE(QApplication::focusWidget(), field);
    if (auto* box = qobject_cast<QSpinBox*>(field)) box->selectAll();
    if (auto* line = qobject_cast<QLineEdit*>(field)) line->selectAll();
    QTest::keyClicks(field, "7");
  }

  void isWhole() {
    const Stage& stage = explorer().stage();
    const ParameterPanel& panel = *window().view<ParameterPanel>();
    QVERIFY(panel.tile() == explorer().tile());
    for (const Parameter parameter : kAllParameters) {
      QCOMPARE(panel.spinBox(parameter) != nullptr, stage.spec(parameter) != nullptr);
      if (stage.spec(parameter) == nullptr) {
        QCOMPARE(explorer().tile()[parameter], stage.standardTile()[parameter]);
      } else {
        QCOMPARE(panel.spinBox(parameter)->value(), explorer().tile()[parameter]);
        QCOMPARE(panel.slider(parameter)->value(), explorer().tile()[parameter]);
      }
    }
    const LadderList& list = *window().view<LadderList>();
    QCOMPARE(list.currentRow(), [&] {
      const auto all = everyStage();
      return static_cast<int>(std::ranges::find(all, &stage) - all.begin());
    }());
  }

 private slots:
  void initTestCase() {
    w_ = std::make_unique<OpenWindow>();
    QVERIFY(w_->ready());
    window().restore(sessionOf("coalesced", true));
    link_ = window().link();
    for (const Way& way : ways()) {
      begin("banks");
      way.go();
      turn();
      without_.insert_or_assign(way.name, explorer().state());
    }
  }
  void cleanupTestCase() { w_.reset(); }

  void everyFieldByEveryWay_data() {
    QTest::addColumn<QString>("page");
    for (const std::string_view id : kTabIds) {
      const QString page = QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
      QTest::newRow(qPrintable(page)) << page;
    }
  }
  void everyFieldByEveryWay() {
    QFETCH(QString, page);
    begin(page.toStdString());
    QVERIFY(w_->settled());
    turn();
    for (const QString& field : fields()) {
      if (seen_.contains(field)) continue;
      QVERIFY2(!field.isEmpty(), "a field without a name");
      seen_ += field;
      // Every tile parameter of every rung has its test in viz_parameter_panel_test: one is
      // enough here.
      const bool parameter = field.startsWith("box-");
      if (parameter && field != "box-BM") continue;
      for (const Way& way : ways()) {
        if (!parameter && field != "size" && !way.hides) continue;
        if (test::briefly() && turns_++ % 3 != 0) continue;  // each way for some of the fields
        begin(page.toStdString());
        const ViewState before = explorer().state();
        typeInto(field);
        way.go();
        turn();
        const QByteArray where = field.toUtf8() + ", " + way.name;
        isWhole();
        if (QTest::currentTestFailed()) QFAIL(where);
        const ViewState now = explorer().state();
        const ViewState& expected = without_.at(way.name);
        // A size is entered when the palette takes the focus.
        const bool entered = field == "size" && QByteArray(way.name) == "palette";
        QVERIFY2(now.stage == expected.stage && now.tile == expected.tile &&
                     (entered || now.problem == expected.problem),
                 where);
        if (way.enters && parameter)
          QVERIFY2(explorer().tiles().at(before.stage) == before.tile.with(Parameter::BM, 7),
                   where);
      }
    }
  }
  // No field was skipped because it was not found.
  void thereAreFields() {
    for (const char* field : {"box-BM", "size", "warp", "ktile", "dot", "instruction", "layoutPad",
                              "tunerKnobs", "instructionFilter"})
      QVERIFY2(seen_.contains(field), field);
  }

  // A click on the ladder, which does not take the focus, enters the number; it and the rung are
  // two steps to be undone.
  void aNumberAndTheNextRungAreTwoSteps() {
    begin("banks");
    const int steps = window().undoStack().count();
    typeInto("box-BM");
    ways().front().go();
    QCOMPARE(explorer().stage().id, std::string_view("coalesced"));
    QCOMPARE(window().undoStack().count(), steps + 2);
    window().undoStack().undo();
    QCOMPARE(explorer().stage().id, std::string_view("blocktile1d"));
    QCOMPARE(explorer().tile()[Parameter::BM], 7);
    window().undoStack().undo();
    QVERIFY(explorer().tile() == test::stage("blocktile1d").standardTile());
  }

  // An answer belongs to one question only.
  void anAnswerGoesWithItsStep() {
    begin("banks");
    QVERIFY(window().lecture().openNamed("ladder").isEmpty());
    auto* number = window().findChild<QLineEdit*>("lectureNumber");
    const std::size_t all = window().lecture().lecture()->steps.size();
    int asked = 0;
    for (std::size_t step = 0; step + 1 < all; ++step) {
      if (test::briefly() && asked == 2) break;
      window().lecture().goTo(step);
      turn();
      if (!number->isVisible()) continue;
      ++asked;
      number->setFocus();
      QTest::keyClicks(number, "7");
      window().lecture().goTo(step + 1);
      turn();
      QVERIFY(number->text().isEmpty());
    }
    QVERIFY(asked > 0);
  }

  // "Next" in the speaker's window ends a lecture at its last step, and with it that window.
  void theSpeakersOwnButtonEndsTheLecture() {
    begin("banks");
    LectureMode& lecture = window().lecture();
    QVERIFY(lecture.openNamed("ladder").isEmpty());
    lecture.goTo(lecture.lecture()->steps.size() - 1);
    lecture.showSpeaker(true);
    const QPointer<SpeakerWindow> speaker = lecture.speaker();
    QVERIFY(speaker != nullptr);
    const QPointer<QPushButton> next = speaker->findChildren<QPushButton*>().back();
    bool lives = false;  // when the lecture has ended, until the click of the button is over
    connect(next, &QPushButton::clicked, this, [&] { lives = next != nullptr; });
    QTest::mouseClick(next, Qt::LeftButton);
    QVERIFY(lives);
    QVERIFY(!lecture.active());
    QVERIFY(lecture.speaker() == nullptr);
    turn();
    QVERIFY(speaker == nullptr);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowPendingTest, Window)
#include "window_pending_test.moc"
