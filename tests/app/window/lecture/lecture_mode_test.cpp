// SPDX-License-Identifier: GPL-3.0-or-later
// Lectures in the window: every shipped one is played to its end, with the actions that a user may
// take.
#include "app/window/lecture/lecture_mode.h"

#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QUndoStack>
#include <algorithm>

#include "app/lecture/lecture_check.h"
#include "app/lecture/lecture_files.h"
#include "app/window/common/actions.h"
#include "app/window/common/settings.h"
#include "app/window/lecture/lecture_clock.h"
#include "app/window/lecture/lecture_export_dialog.h"
#include "app/window/lecture/lecture_menu.h"
#include "app/window/lecture/mark_places.h"
#include "app/window/lecture/speaker_window.h"
#include "app/window/tile_panel.h"
#include "kernels/tile/placement.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "viz/lecture/lecture_panel.h"
#include "viz/lecture/step_fade.h"

namespace tileloom {

using lecture::Entry;
using lecture::Lecture;
using test::OpenWindow;

class LectureModeTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

  static Lecture shipped(std::string_view id) {
    for (Entry& entry : lecture::allLectures()) {
      if (entry.id == id && entry.lecture) return std::move(*entry.lecture);
    }
    qFatal("there is no lecture of this name");
  }
  static bool arrived(OpenWindow& w) {
    return QTest::qWaitFor([&] { return w.window.lecture().settled(); }, test::kPatience);
  }
  static LecturePanel& panel(OpenWindow& w) { return *w.window.findChild<LecturePanel*>(); }
  static void press(OpenWindow& w, const char* button) {
    auto* found = w.window.findChild<QPushButton*>(QLatin1String(button));
    QVERIFY2(found != nullptr && found->isVisible(), button);
    found->click();
  }

 private slots:
  // A new step: the status bar names its file.
  void aStepThatIsAddedIsConfirmed() {
    OpenWindow w;
    QVERIFY(w.ready());
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.json");
    for (const char* step : {"step 1", "step 2"}) {
      QCOMPARE(w.window.lectureMenu().addStepTo(file, "A headline", "A text."), QString());
      const QString said = w.window.statusBar()->currentMessage();
      QVERIFY2(said.contains(step) && said.contains("mine.json"), qPrintable(said));
    }
    QVERIFY(!w.window.lectureMenu()
                 .addStepTo("/no/such/folder/mine.json", "A headline", "A text.")
                 .isEmpty());
  }

  // The shown lecture is proposed, also one from a file.
  void whatIsShownCanBeExported() {
    OpenWindow w;
    QVERIFY(w.ready());
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.json");
    QCOMPARE(w.window.lectureMenu().addStepTo(file, "A headline", "A text."), QString());
    QCOMPARE(w.window.lecture().openNamed(file), QString());
    for (const char* entry : {"Lecture › Export", "File › Export › A lecture"}) {
      bool found = false;
      for (const NamedAction& a : actionsOf(*w.window.menuBar())) {
        if (a.name != QString::fromUtf8(entry)) continue;
        found = true;
        a.action->trigger();
      }
      QVERIFY2(found, entry);
      auto* dialog = w.window.findChild<LectureExportDialog*>();
      QVERIFY(dialog != nullptr);
      QCOMPARE(dialog->arguments()[2], file);
      QCOMPARE(dialog->message(), QString("1 step"));
      dialog->close();
      QVERIFY(QTest::qWaitFor([&] { return w.window.findChild<LectureExportDialog*>() == nullptr; },
                              test::kPatience));
    }
  }

  void init() { m_around = std::make_unique<test::Surroundings>(); }

  void shippedOnesAreGood_data() {
    QTest::addColumn<bool>("unused");
    for (const Entry& entry : lecture::allLectures()) QTest::newRow(entry.id.c_str()) << true;
  }
  void shippedOnesAreGood() {
    for (const Entry& entry : lecture::allLectures()) {
      if (entry.id != QTest::currentDataTag()) continue;
      QVERIFY2(entry.lecture, entry.lecture ? "" : entry.lecture.error().c_str());
      for (const lecture::Complaint& complaint : lecture::check(*entry.lecture))
        QFAIL(lecture::sentenceOf(complaint, entry.id).c_str());
    }
  }

  void shippedOnesArePlayedToTheEnd_data() { shippedOnesAreGood_data(); }
  void shippedOnesArePlayedToTheEnd() {
    const Lecture all = shipped(QTest::currentDataTag());
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    w.window.lecture().open(all, 0);
    // Under sanitizers only every twelfth step is tested.
    const std::size_t stride = test::briefly() ? 12 : 1;
    for (std::size_t i = 0; i < all.steps.size(); i += stride) {
      if (i > 0) w.window.lecture().goTo(i);
      QVERIFY2(arrived(w), all.steps[i].headline.c_str());
      const lecture::Step& step = all.steps[i];
      const LectureSlide& slide = panel(w).slide();
      QCOMPARE(slide.number, static_cast<int>(i) + 1);
      QVERIFY(!slide.headline.isEmpty() && !slide.text.contains(u'{'));
      QCOMPARE(w.window.currentPage(), std::string_view(step.session.tab));
      QVERIFY(w.explorer().stage().id == step.session.state.stage->id);
      // A comparison lasts until the lecture ends it.
      QVERIFY2(step.session.state.pinned || !w.explorer().baseline().ready(),
               step.headline.c_str());
      QCoreApplication::processEvents();
      const auto& marks = *w.window.findChild<MarksLayer*>();
      QCOMPARE(marks.marks().size(), step.marks.size());
      if (!step.task) continue;
      QVERIFY2(!slide.done, step.headline.c_str());
      press(w, "lectureAskSolution");
      QVERIFY2(QTest::qWaitFor([&] { return panel(w).slide().done; }, test::kPatience),
               qPrintable(panel(w).slide().reply + " at " + slide.headline));
    }
    w.window.lecture().goTo(all.steps.size() - 1);
    QVERIFY(arrived(w));
    w.window.lecture().next();
    QVERIFY(w.window.lecture().active());  // a key ends nothing
    press(w, "lectureNext");
    QVERIFY(!w.window.lecture().active());
    QVERIFY(!panel(w).isVisible());
  }

  // Ladder, tile panel and loom have the figures of the window again, and those of the next
  // lecture's first step.
  void aLectureLeavesNoFigures() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    const Lab& lab = w.window.lab();
    const auto ladder = [&lab] {
      std::vector<double> speeds;
      for (const LadderBar& bar : lab.ladder()) speeds.push_back(bar.gflops.median);
      return speeds;
    };
    const std::vector<double> before = ladder();
    const std::optional<Residency> waves = w.scene().residency;
    const Problem size = w.explorer().problem();
    QVERIFY(lab.kernel().has_value() && waves.has_value());
    const int registers = lab.kernel()->registers;
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"), 0);
    QVERIFY(arrived(w));
    QVERIFY(!(w.explorer().problem() == size));
    const std::vector<double> large = ladder();
    QVERIFY(large != before);
    mode.close();
    QVERIFY(w.settled());
    QVERIFY(lab.place() == presentPlace(w.explorer()) && lab.problem() == size);
    QCOMPARE(lab.kernel()->registers, registers);
    QVERIFY(ladder() == before);
    QVERIFY(w.scene().residency == waves);
    mode.open(shipped("warp-tiling"), 0);
    QVERIFY(arrived(w));
    QVERIFY(lab.problem() == w.explorer().problem());
    QVERIFY(ladder() == large);
    mode.close();
  }

  // The marks of a picture belong to the kernel of the step.
  void anotherKernelHidesTheMarks() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"));
    mode.last();
    QVERIFY(arrived(w));
    QCoreApplication::processEvents();
    const auto& marks = *w.window.findChild<MarksLayer*>();
    QVERIFY(!marks.marks().empty());
    press(w, "lectureAskSolution");
    QVERIFY(w.settled());
    QTRY_VERIFY(marks.marks().empty());
    mode.resume();
    QVERIFY(arrived(w));
    QTRY_VERIFY(!marks.marks().empty());
    mode.close();
  }

  // The window is restored.
  void closingLosesNothing() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setTile(w.explorer().tile().with(Parameter::WNITER, 2));
    QVERIFY(w.settled());
    w.window.showPage("roofline");
    const Session before = w.window.session();
    w.window.lecture().open(shipped("bank-conflicts"), 0);
    QVERIFY(arrived(w));
    QVERIFY(panel(w).isVisible());
    w.window.lecture().next();
    QVERIFY(arrived(w));
    w.window.lecture().close();
    const Session after = w.window.session();
    QVERIFY(after.state.stage == before.state.stage && after.state.tile == before.state.tile);
    QCOMPARE(QString::fromStdString(after.tab), QString::fromStdString(before.tab));
    QVERIFY(after.ladderPanel && after.tilePanel);
  }

  void keysOfAClicker() {
    OpenWindow w;
    QVERIFY(w.ready());
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"), 0, LectureMode::Manner::Presenting);
    QVERIFY(arrived(w));
    QVERIFY(!w.window.menuBar()->isVisible() && !w.window.view<TransportBar>()->isVisible());
    w.key(Qt::Key_PageDown);
    QCOMPARE(mode.step(), std::size_t{1});
    QVERIFY(arrived(w));
    w.key(Qt::Key_PageUp);
    QCOMPARE(mode.step(), std::size_t{0});
    QVERIFY(arrived(w));
    // Blank, and back with any key, which does nothing else.
    w.key(Qt::Key_B);
    QVERIFY(mode.blank());
    w.key(Qt::Key_PageDown);
    QVERIFY(!mode.blank());
    QCOMPARE(mode.step(), std::size_t{0});
    auto& marks = *w.window.findChild<MarksLayer*>();
    w.key(Qt::Key_L);
    QCOMPARE(marks.tool(), MarksLayer::Tool::Pointer);
    w.key(Qt::Key_L);
    QCOMPARE(marks.tool(), MarksLayer::Tool::None);
    // Left, and resumed at the same step by one key.
    w.key(Qt::Key_PageDown);
    QVERIFY(arrived(w));
    w.key(Qt::Key_Escape);
    QVERIFY(!mode.presenting() && mode.active());
    QVERIFY(w.window.menuBar()->isVisible());
    // Nothing was changed yet, and no text says so.
    const auto* changed = w.window.findChild<QLabel*>(QStringLiteral("lectureLeft"));
    QVERIFY(!mode.left() && !changed->isVisible());
    w.explorer().setStage(stages()[2]);
    QVERIFY(w.settled());
    QVERIFY(mode.left() && changed->isVisible());
    w.key(Qt::Key_F5);
    QVERIFY(mode.presenting() && !mode.left());
    QVERIFY(arrived(w));
    QCOMPARE(mode.step(), std::size_t{1});
    QVERIFY(w.explorer().stage().id == mode.lecture()->steps[1].session.state.stage->id);
    w.key(Qt::Key_End);
    QCOMPARE(mode.step(), mode.lecture()->steps.size() - 1);
    QVERIFY(arrived(w));
    w.key(Qt::Key_Home);
    QCOMPARE(mode.step(), std::size_t{0});
    QVERIFY(arrived(w));
    mode.close();
    QVERIFY(w.window.menuBar()->isVisible());
  }

  // Escape shows the bars. Areas that the step hides stay hidden, and its share of the height
  // stays.
  void leavingKeepsTheAreasOfTheStep() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    LectureMode& mode = w.window.lecture();
    const Lecture tour = shipped(lecture::kShowMeAround);
    for (const std::size_t step : {std::size_t{0}, std::size_t{6}, std::size_t{7}}) {
      mode.open(tour, step);
      QVERIFY(arrived(w));
      const Session& wanted = tour.steps[step].session;
      const QSize loom = w.window.view<LoomView>()->size();
      mode.present();
      QVERIFY(arrived(w));
      w.key(Qt::Key_Escape);
      QVERIFY(!mode.presenting());
      QCOMPARE(w.window.layouts().panelShown(SidePanel::Ladder), wanted.ladderPanel);
      QCOMPARE(w.window.layouts().panelShown(SidePanel::Tile), wanted.tilePanel);
      QCOMPARE(w.window.middle().folded(), wanted.lower == 0);
      QTRY_VERIFY(std::abs(w.window.view<LoomView>()->width() - loom.width()) <= 8);
      mode.close();
    }
  }

  // Answers of self-study are back after a presentation, which asks again.
  void answersComeBack() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    LectureMode& mode = w.window.lecture();
    mode.open(shipped(lecture::kShowMeAround), 6);
    QVERIFY(arrived(w));
    w.explorer().setTile(w.explorer().tile().with(Parameter::WNITER, 2));
    QVERIFY(QTest::qWaitFor([&] { return panel(w).slide().done; }, test::kPatience));
    mode.present();
    QVERIFY(arrived(w));
    QVERIFY(!panel(w).slide().done);
    w.key(Qt::Key_Escape);
    QVERIFY(panel(w).slide().done);
  }

  // A keyboard focus has a frame; a presentation begins without it.
  void aPresentationHasNoFocusFrame() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"), 0);
    QVERIFY(arrived(w));
    auto* loom = w.window.view<LoomView>();
    const auto frame = [&] {
      const QImage picture = loom->grab().toImage();
      return picture.pixel(0, picture.height() / 2);
    };
    loom->clearFocus();
    loom->setFocus(Qt::OtherFocusReason);
    const QRgb without = frame();
    loom->clearFocus();
    loom->setFocus(Qt::TabFocusReason);
    QVERIFY(frame() != without);
    mode.present();
    QVERIFY(arrived(w));
    QVERIFY(loom->hasFocus());
    QCOMPARE(frame(), without);
  }

  // The tour ends with a button for the lecture that it names.
  void theTourLeadsOn() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    LectureMode& mode = w.window.lecture();
    const Lecture tour = shipped(lecture::kShowMeAround);
    mode.open(tour, tour.steps.size() - 2);
    QVERIFY(arrived(w));
    const auto* onward = w.window.findChild<QPushButton*>(QStringLiteral("lectureOnward"));
    QVERIFY(!onward->isVisible());
    mode.next();
    QVERIFY(arrived(w));
    const Lecture next = shipped("ladder");
    QVERIFY(onward->isVisible());
    QVERIFY(onward->text().contains(QString::fromStdString(next.title)));
    QVERIFY(QString::fromStdString(tour.steps.back().text)
                .contains(QString::fromStdString(next.title)));
    press(w, "lectureOnward");
    QVERIFY(mode.lecture()->id == next.id && mode.step() == 0);
  }

  // With large text the words leave the views more than half of the window.
  void largeTextLeavesRoom() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.window.sight().setTextSize(200);
    w.window.lecture().open(shipped(lecture::kShowMeAround), 0);
    QVERIFY(arrived(w));
    QTRY_VERIFY2(panel(w).width() <= w.window.width() * 4 / 10,
                 qPrintable(QString::number(panel(w).width())));
    // All that a mark points at is wholly visible, after the text size has changed as well.
    w.window.lecture().goTo(7);
    QVERIFY(arrived(w));
    auto* ladder = w.window.view<LadderList>();
    const auto whole = [&] {
      const int marked = test::stage("rewritten").rung - 1;
      return ladder->viewport()->rect().contains(ladder->visualItemRect(ladder->item(marked)));
    };
    QTRY_VERIFY(whole());
    w.window.sight().setTextSize(120);
    QTRY_VERIFY(whole());
  }

  // The ring of a tile parameter is around its whole row: the name is inside.
  void aParameterIsItsRow() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    const auto* panel = w.window.view<ParameterPanel>();
    MarkTarget target;
    target.thing = MarkTarget::Thing::Parameter;
    target.text = "BM";
    const auto place = placeOf(w.window, target);
    QVERIFY(place);
    for (const QWidget* part : {static_cast<const QWidget*>(panel->slider(Parameter::BM)),
                                static_cast<const QWidget*>(panel->spinBox(Parameter::BM))})
      QVERIFY(place->contains(QRectF(part->mapTo(&w.window, QPoint()), part->size())));
    for (const auto* name : panel->findChildren<QLabel*>()) {
      if (name->text() != "BM") continue;
      QVERIFY(place->contains(QRectF(name->mapTo(&w.window, QPoint()), name->size())));
    }
  }

  // A mark is at its visible target, and hidden when that is scrolled out of sight.
  void marksPointAtWhatIsSeen() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"), 0, LectureMode::Manner::Presenting);
    QVERIFY(arrived(w));
    w.key(Qt::Key_Escape);
    // The panels leave the banks less than they need.
    for (const SidePanel panel : {SidePanel::Ladder, SidePanel::Tile})
      w.window.layouts().showPanel(panel, true);
    QCoreApplication::processEvents();
    auto* view = w.window.page("banks")->widget();
    auto* scroll = view->findChild<QScrollArea*>();
    if (scroll == nullptr) scroll = qobject_cast<QScrollArea*>(view);
    QVERIFY(scroll != nullptr);
    const QRectF seen(scroll->viewport()->mapTo(&w.window, QPoint()), scroll->viewport()->size());
    int hidden = 0;
    for (const int part : {0, 1}) {
      auto* bar = scroll->horizontalScrollBar();
      bar->setValue(part * bar->maximum());
      for (std::uint32_t bank = 0; bank < 32; ++bank) {
        MarkTarget target;
        target.thing = MarkTarget::Thing::Bank;
        target.number = bank;
        target.page = "banks";
        const auto place = placeOf(w.window, target);
        if (!place) ++hidden;
        QVERIFY2(!place || seen.contains(*place), qPrintable(QString::number(bank)));
      }
    }
    QVERIFY(hidden > 0);
    mode.close();
  }

  // Ink on the loom is clipped to the loom.
  void inkStaysOnItsView() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    w.window.lecture().open(shipped("bank-conflicts"), 0, LectureMode::Manner::Presenting);
    QVERIFY(arrived(w));
    auto& marks = *w.window.findChild<MarksLayer*>();
    auto* loom = w.window.view<LoomView>();
    marks.setMarks({});
    w.key(Qt::Key_I);
    const QPoint at = marks.mapFromGlobal(loom->mapToGlobal(loom->rect().center()));
    QTest::mousePress(&marks, Qt::LeftButton, {}, at);
    QTest::mouseMove(&marks, at + QPoint(0, loom->height() / 3));
    QTest::mouseRelease(&marks, Qt::LeftButton, {}, at + QPoint(0, loom->height() / 3));
    const auto drawnBelow = [&] {
      QImage glass(marks.size(), QImage::Format_ARGB32_Premultiplied);
      glass.fill(Qt::transparent);
      marks.render(&glass, QPoint(), QRegion(), QWidget::RenderFlags());
      const int below = marks.mapFromGlobal(loom->mapToGlobal(QPoint(0, loom->height()))).y();
      int drawn = 0;
      for (int y = below + 1; y < glass.height(); ++y)
        for (int x = 0; x < glass.width(); ++x) drawn += qAlpha(glass.pixel(x, y)) > 0 ? 1 : 0;
      return drawn;
    };
    QCOMPARE(drawnBelow(), 0);
    loom->zoomTo(LoomLevel::Warp, false);
    QCoreApplication::processEvents();
    marks.follow();
    QCOMPARE(drawnBelow(), 0);
    w.window.lecture().close();
  }

  // The line of keys lists the keys of this step.
  void theKeysOfTheStep() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    Lecture all = shipped("bank-conflicts");
    all.steps.resize(2);
    for (lecture::Step& step : all.steps) step.question.reset(), step.task.reset();
    all.steps[1].question = lecture::Question{"How many?", "Two.", "", {}, {}, {}};
    LectureMode& mode = w.window.lecture();
    mode.open(all, 0, LectureMode::Manner::Presenting);
    QVERIFY(arrived(w));
    QVERIFY2(!panel(w).slide().keys.contains("answer"), qPrintable(panel(w).slide().keys));
    mode.next();
    QVERIFY(arrived(w));
    QVERIFY2(panel(w).slide().keys.contains("A answer"), qPrintable(panel(w).slide().keys));
    w.key(Qt::Key_A);
    QVERIFY(!panel(w).slide().keys.contains("A answer"));
    QVERIFY(!panel(w).slide().keys.contains("E erase"));
    auto& marks = *w.window.findChild<MarksLayer*>();
    w.key(Qt::Key_I);
    QTest::mouseClick(&marks, Qt::LeftButton, {}, marks.rect().center());
    QVERIFY2(panel(w).slide().keys.contains("E erase"), qPrintable(panel(w).slide().keys));
    w.key(Qt::Key_E);
    QVERIFY(!panel(w).slide().keys.contains("E erase"));
    mode.close();
  }

  // After the presentation the window and its text size are restored.
  void learningEndsThePresentation() {
    OpenWindow w;
    QVERIFY(w.ready());
    const int text = w.window.sight().textSize();
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"), 0, LectureMode::Manner::Presenting);
    QVERIFY(arrived(w));
    mode.open(shipped("bank-conflicts"), 0, LectureMode::Manner::Learning);
    QVERIFY(arrived(w));
    QVERIFY(!mode.presenting() && w.window.menuBar()->isVisible() && !w.window.isFullScreen());
    QCOMPARE(w.window.sight().textSize(), text);
    QCOMPARE(panel(w).manner(), LecturePanel::Manner::Learning);
    mode.close();
  }

  // Digits typed during a presentation do not reach a formerly focused field.
  void presentingLeavesTheFields() {
    OpenWindow w;
    QVERIFY(w.ready());
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("show-me-around"), 6);
    QVERIFY(arrived(w));
    auto* box = w.window.view<ParameterPanel>()->findChild<QSpinBox*>();
    QVERIFY(box != nullptr && box->isVisible());
    box->setFocus();
    mode.present();
    QVERIFY(arrived(w));
    const TileShape tile = w.explorer().tile();
    w.key(Qt::Key_6);
    w.key(Qt::Key_4);
    w.key(Qt::Key_Return);
    QVERIFY(w.explorer().tile() == tile);
    mode.close();
  }

  // Undo stops at the beginning of a step. Changes by the lecture are not moves of the user.
  void aLectureIsNoMove() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    w.explorer().setTile(w.explorer().tile().with(Parameter::WNITER, 2), Parameter::WNITER);
    QVERIFY(w.settled());
    const auto before = w.window.lab().history().size();
    const auto now = w.window.lab().current();
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("show-me-around"), 6);
    QVERIFY(arrived(w));
    QVERIFY(!w.window.undoStack().canUndo());
    QCOMPARE(w.window.lab().history().size(), std::size_t{1});
    const TileShape ofStep = w.explorer().tile();
    w.explorer().setTile(ofStep.with(Parameter::WNITER, 2), Parameter::WNITER);
    QVERIFY(w.settled());
    w.window.undoStack().undo();
    QVERIFY(w.explorer().tile() == ofStep);
    QVERIFY(!w.window.undoStack().canUndo());
    mode.next();
    QVERIFY(arrived(w));
    QCOMPARE(w.window.lab().history().size(), std::size_t{1});
    mode.close();
    QVERIFY(w.settled());
    QCOMPARE(w.window.lab().history().size(), before);
    QCOMPARE(w.window.lab().current(), now);
    QCOMPARE(w.window.view<ParameterPanel>()->note(), QString());
    QVERIFY(!w.window.undoStack().canUndo());
  }

  // An illegal tile has a separate sentence.
  void noNoteBesideABrokenRule() {
    OpenWindow w;
    QVERIFY(w.ready());
    const Stage& stage = *std::ranges::find(stages(), "warptiled", &Stage::id);
    w.explorer().setStage(stage);
    const auto& parameters = *w.window.view<ParameterPanel>();
    const TileShape standard = stage.standardTile();
    w.explorer().setTile(standard.with(Parameter::WNITER, 2), Parameter::WNITER);
    QVERIFY(!parameters.note().isEmpty());
    w.explorer().setTile(standard.with(Parameter::WNITER, 7), Parameter::WNITER);
    QCOMPARE(parameters.note(), QString());
  }

  // The solution of a task can still be shown after its answer.
  void anAnswerIsNoSolution() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    w.window.lecture().open(shipped("show-me-around"), 6);
    QVERIFY(arrived(w));
    press(w, "lectureAskAnswer");
    QVERIFY(!w.window.findChild<QPushButton*>(QStringLiteral("lectureAskAnswer"))->isVisible());
    press(w, "lectureAskSolution");
    QTRY_VERIFY(panel(w).slide().done);
    w.window.lecture().close();
  }

  // Ink keeps its place in the loom during a zoom.
  void inkFollowsTheLoom() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    w.window.lecture().open(shipped("bank-conflicts"), 0, LectureMode::Manner::Presenting);
    QVERIFY(arrived(w));
    auto& marks = *w.window.findChild<MarksLayer*>();
    auto* loom = w.window.view<LoomView>();
    w.key(Qt::Key_I);
    const QPoint at = marks.mapFromGlobal(loom->mapToGlobal(loom->rect().center()));
    QTest::mousePress(&marks, Qt::LeftButton, {}, at);
    QTest::mouseMove(&marks, at + QPoint(40, 20));
    QTest::mouseRelease(&marks, Qt::LeftButton, {}, at + QPoint(40, 20));
    QCOMPARE(marks.strokes(), std::size_t{1});
    const QPointF world = loom->geometry().toWorld(loom->rect().center());
    const QImage before = marks.grab().toImage();
    loom->zoomTo(LoomLevel::Grid, false);
    QCoreApplication::processEvents();
    marks.follow();
    QVERIFY(before != marks.grab().toImage());
    QVERIFY(QLineF(loom->geometry().toPixel(world), loom->rect().center()).length() > 1);
    w.key(Qt::Key_E);
    QCOMPARE(marks.strokes(), std::size_t{0});
  }

  // The speaker reads the choices, too.
  void theSpeakerHasTheChoices() {
    OpenWindow w;
    QVERIFY(w.ready());
    Lecture all = shipped("bank-conflicts");
    all.steps[0].task.reset();
    all.steps[0].question = lecture::Question{"How many?", "Two.", "", {"one", "two"}, 1, {}};
    w.window.lecture().open(all, 0);
    QVERIFY(arrived(w));
    w.window.lecture().showSpeaker(true);
    const auto* asks =
        w.window.lecture().speaker()->findChild<QLabel*>(QStringLiteral("speakerQuestion"));
    for (const char* words : {"How many?", "• one", "• two", "Answer: Two."})
      QVERIFY2(asks->text().contains(QString::fromUtf8(words)), words);
    // No hint, and none is offered.
    press(w, "lectureChoice0");
    QCOMPARE(panel(w).slide().reply, QString("No. Try again."));
    w.window.lecture().close();
  }

  void questionsAreChecked() {
    OpenWindow w;
    QVERIFY(w.ready());
    Lecture all = shipped("bank-conflicts");
    lecture::Question question{"How many?", "Two.", "More than one.", {"one", "two"}, 1, {}};
    all.steps[0].question = question;
    all.steps[0].task.reset();
    question.choices.clear();
    question.right.reset();
    question.number = 1024;
    all.steps[1].question = question;
    all.steps[1].task.reset();
    w.window.lecture().open(all, 0);
    QVERIFY(arrived(w));
    press(w, "lectureAskHint");
    QVERIFY(panel(w).slide().hinted);
    press(w, "lectureChoice0");
    QVERIFY(!panel(w).slide().done);
    press(w, "lectureChoice1");
    QVERIFY(panel(w).slide().done);
    press(w, "lectureNext");
    QVERIFY(arrived(w));
    const auto type = [&](const QString& number) {
      auto* field = w.window.findChild<QLineEdit*>(QStringLiteral("lectureNumber"));
      field->setText(number);
      QTest::keyClick(field, Qt::Key_Return);
    };
    type("many");
    QVERIFY(panel(w).slide().reply.contains("many"));
    type("1000");
    QVERIFY(!panel(w).slide().done);
    type("1,024");
    QVERIFY(panel(w).slide().done);
    // Back: an answered question stays answered.
    press(w, "lecturePrevious");
    QVERIFY(arrived(w));
    QVERIFY(panel(w).slide().done);
  }

  // The keys of a clicker change the step while a field has the focus.
  void pageDownAfterAnAnswer() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.lecture().open(shipped("bank-conflicts"), 0);
    QVERIFY(arrived(w));
    auto* field = w.window.findChild<QLineEdit*>(QStringLiteral("lectureNumber"));
    QVERIFY(field->isVisible());
    field->setFocus();
    QTest::keyClick(field, Qt::Key_5);
    QTest::keyClick(field, Qt::Key_Return);
    const std::uint32_t shown = w.scene().moment.index;
    const std::size_t marks = w.window.findChild<MarksLayer*>()->marks().size();
    QTest::keyClick(field, Qt::Key_PageDown);
    QCOMPARE(w.window.lecture().step(), std::size_t{1});
    QVERIFY(arrived(w));
    QTest::keyClick(field, Qt::Key_PageUp);
    QCOMPARE(w.window.lecture().step(), std::size_t{0});
    QVERIFY(arrived(w));
    QCOMPARE(w.scene().moment.index, shown);
    QCOMPARE(w.window.findChild<MarksLayer*>()->marks().size(), marks);
  }

  // A question solved alone is presented unanswered, and keeps its tick.
  void presentingAsksAgain() {
    OpenWindow w;
    QVERIFY(w.ready());
    LectureMode& mode = w.window.lecture();
    Lecture all = shipped("bank-conflicts");
    all.steps[0].question =
        lecture::Question{"How many?", "Two.", "More than one.", {"one", "two"}, 1, {}};
    all.steps[0].task.reset();
    mode.open(all, 0);
    QVERIFY(arrived(w));
    press(w, "lectureChoice1");
    QVERIFY(panel(w).slide().done);
    const auto* words = w.window.findChild<QLabel*>(QStringLiteral("lectureAnswer"));
    QVERIFY(words->isVisible());
    mode.present();
    QVERIFY(arrived(w));
    QVERIFY(!panel(w).slide().done && !words->isVisible());
    w.key(Qt::Key_A);
    QVERIFY(words->isVisible());
    mode.openContents();
    const auto* menu = w.window.findChild<QMenu*>(QStringLiteral("lectureContentsMenu"));
    QVERIFY(menu->actions()[0]->isChecked());
    // Presented again, it is asked again.
    w.window.findChild<QMenu*>(QStringLiteral("lectureContentsMenu"))->close();
    w.key(Qt::Key_Escape);
    w.key(Qt::Key_F5);
    QVERIFY(arrived(w));
    QVERIFY(!words->isVisible());
    mode.close();
  }

  // Escape closes the contents first; the step can be changed from there.
  void theMenuHasEscape() {
    OpenWindow w;
    QVERIFY(w.ready());
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"), 0, LectureMode::Manner::Presenting);
    QVERIFY(arrived(w));
    const auto popup = [] { return QApplication::activePopupWidget(); };
    w.key(Qt::Key_C);
    QVERIFY(popup() != nullptr);
    QTest::keyClick(popup(), Qt::Key_Escape);
    QVERIFY(popup() == nullptr && mode.presenting());
    w.key(Qt::Key_C);
    QTest::keyClick(popup(), Qt::Key_PageDown);
    QVERIFY(popup() == nullptr);
    QCOMPARE(mode.step(), std::size_t{1});
    QVERIFY(arrived(w));
    w.key(Qt::Key_Escape);
    QVERIFY(!mode.presenting());
    mode.close();
  }

  // Without a lecture F5 asks for one.
  void presentingAsksWhich() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_F5);
    QWidget* menu = QApplication::activePopupWidget();
    QVERIFY(menu != nullptr && !w.window.lecture().active());
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QVERIFY(w.window.lecture().presenting());
    QVERIFY(arrived(w));
    w.window.lecture().close();
  }

  // The target of a mark is scrolled into view, also in the panels beside the loom.
  void marksAreInView() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.resize(1280, 720);
    LectureMode& mode = w.window.lecture();
    for (const char* id : {"bank-conflicts", "show-me-around"}) {
      mode.open(shipped(id), 0);
      for (std::size_t step = 0; step < mode.lecture()->steps.size(); ++step) {
        mode.goTo(step);
        QVERIFY(arrived(w));
        auto& tile = *w.window.findChild<TilePanel*>();
        tile.verticalScrollBar()->setValue(tile.verticalScrollBar()->maximum());
        mode.resume();
        QVERIFY(arrived(w));
        for (const Mark& mark : mode.lecture()->steps[step].marks) {
          const bool panel = mark.target.thing == MarkTarget::Thing::Parameter ||
                             &mark == mode.lecture()->steps[step].marks.data();
          if (!panel || mark.target.thing == MarkTarget::Thing::Bank) continue;
          const auto place = placeOf(w.window, mark.target);
          QVERIFY2(place && !place->isEmpty(),
                   qPrintable(QStringLiteral("%1 %2").arg(id).arg(step)));
        }
      }
    }
    mode.close();
  }

  // The picture of the previous step fades into the next one, but not with reduced motion.
  void stepsDoNotJump() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(false);
    w.window.lecture().open(shipped("bank-conflicts"), 0);
    QVERIFY(arrived(w));
    w.window.lecture().next();
    const auto* fade = w.window.findChild<StepFade*>();
    QVERIFY(fade != nullptr && fade->running());
    QVERIFY(arrived(w));
    QTRY_VERIFY(!fade->running());
    w.window.sight().setReducedMotion(true);
    w.window.lecture().next();
    QVERIFY(!fade->running());
    QVERIFY(arrived(w));
  }

  // The tile parameters mark changes of the user, not those of a step.
  void aStepTurnsNoParameters() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    Lecture all = shipped("bank-conflicts");
    all.steps.resize(2);
    for (lecture::Step& step : all.steps) {
      step.session.state.stage = &stages()[7];
      step.session.state.tile = stages()[7].standardTile();
      step.session.tilePanel = true;
      step.at.reset();
      step.marks.clear();
      step.task.reset();
    }
    lecture::Step& second = all.steps[1];
    second.session.state.tile = second.session.state.tile.with(Parameter::WNITER, 2);
    w.window.lecture().open(all, 0);
    QVERIFY(arrived(w));
    w.window.lecture().next();
    QVERIFY(arrived(w));
    const auto& parameters = *w.window.view<ParameterPanel>();
    QVERIFY(parameters.tile() == second.session.state.tile);
    QCOMPARE(parameters.note(), QString());
    w.explorer().setTile(stages()[7].standardTile(), Parameter::WNITER);
    QVERIFY2(parameters.note().contains("WNITER 2 → "), qPrintable(parameters.note()));
  }

  // A recording requested just before the step may arrive after the step's own, of the same tile:
  // the step's instant and its marks stay.
  void theRecordingMayComeTwice() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    const Lecture all = shipped("bank-conflicts");
    w.window.lecture().open(all, 1);
    QVERIFY(arrived(w));
    const auto& marks = *w.window.findChild<MarksLayer*>();
    QCOMPARE(marks.marks().size(), all.steps[1].marks.size());
    const auto index = w.scene().moment.index;
    const auto* before = w.scene().recording.get();
    w.explorer().setBlockAt(0, 0);
    QTRY_VERIFY(w.scene().recording.get() != before);
    QCoreApplication::processEvents();
    QCOMPARE(w.scene().moment.index, index);
    QCOMPARE(marks.marks().size(), all.steps[1].marks.size());
    // Stepping on leaves the access of the marks.
    w.explorer().setIndex(static_cast<int>(index) + 1);
    QVERIFY(marks.marks().size() < all.steps[1].marks.size());
  }

  // The table of contents ticks finished steps, and marks the present one.
  void contentsTickWhatIsDone() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    Lecture all = shipped("bank-conflicts");
    all.id = "own";  // nothing is kept of it yet
    for (lecture::Step& step : all.steps) step.question.reset(), step.task.reset();
    all.steps[1].question = lecture::Question{"How many?", "Two.", "", {"one", "two"}, 1, {}};
    w.window.lecture().open(all, 0);
    QVERIFY(arrived(w));
    w.window.lecture().next();
    QVERIFY(arrived(w));
    w.window.lecture().next();
    QVERIFY(arrived(w));
    w.window.lecture().openContents();
    const auto* menu = w.window.findChild<QMenu*>(QStringLiteral("lectureContentsMenu"));
    QVERIFY(menu != nullptr);
    const auto actions = menu->actions();
    QVERIFY(actions[0]->isChecked() && !actions[1]->isChecked() && !actions[2]->isChecked());
    QVERIFY(actions[2]->font().bold() && !actions[0]->font().bold());
  }

  // One that was seen to its end begins again.
  void progressIsKept() {
    OpenWindow w;
    QVERIFY(w.ready());
    LectureMode& mode = w.window.lecture();
    mode.open(shipped("bank-conflicts"), 3);
    QVERIFY(arrived(w));
    mode.close();
    mode.open(shipped("bank-conflicts"));
    QCOMPARE(mode.step(), std::size_t{3});
    const QString said = w.window.statusBar()->currentMessage();
    QVERIFY2(said.contains("step 4 of 14"), qPrintable(said));
    mode.last();
    QVERIFY(arrived(w));
    mode.close();
    mode.open(shipped("bank-conflicts"));
    QCOMPARE(mode.step(), std::size_t{0});
    mode.close();
  }

  // A digit picks a choice, alone and in a presentation; other digits keep their meaning.
  void digitsPickAChoice() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    Lecture all = shipped("bank-conflicts");
    all.steps[0].question = lecture::Question{"How many?", "Two.", "", {"one", "two"}, 1, {}};
    all.steps[0].task.reset();
    LectureMode& mode = w.window.lecture();
    auto* loom = w.window.view<LoomView>();
    for (const auto manner : {LectureMode::Manner::Learning, LectureMode::Manner::Presenting}) {
      mode.open(all, 0, manner);
      QVERIFY(arrived(w));
      loom->setFocus();
      const LoomLevel zoom = loom->level();
      w.key(Qt::Key_1);
      QCOMPARE(panel(w).slide().chosen, 0);
      QVERIFY(!panel(w).slide().done);
      w.key(Qt::Key_2);
      QVERIFY(panel(w).slide().done);
      QVERIFY(loom->level() == zoom);
    }
    QVERIFY(!panel(w).slide().keys.contains("choose"));
    mode.close();
  }

  void theSpeakerSeesNotesAndTime() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.lecture().open(shipped("bank-conflicts"), 0);
    QVERIFY(arrived(w));
    w.window.lecture().showSpeaker(true);
    SpeakerWindow* speaker = w.window.lecture().speaker();
    QVERIFY(speaker != nullptr && speaker->isVisible());
    // The clock is that of the presentation.
    const LectureClock& clock = w.window.lecture().clock();
    QVERIFY(!clock.runs() && clock.elapsedMs() == 0);
    QVERIFY2(speaker->timeText().contains(QLatin1String("starts with the presentation")),
             qPrintable(speaker->timeText()));
    w.window.lecture().present();
    QVERIFY(clock.runs());
    QVERIFY(speaker->timeText().contains(QLatin1String("This step")));
    QTest::qWait(20);
    w.window.lecture().next();
    const qint64 first = clock.elapsedMs(0);
    QVERIFY(first >= 20 && clock.elapsedMs() >= first);
    w.window.lecture().leave();  // playing is part of it
    QVERIFY(clock.runs());
    QCOMPARE(clock.elapsedMs(0), first);
    w.window.lecture().close();
    QVERIFY(w.window.lecture().speaker() == nullptr);
  }

  // A file saved by another program is read again; after an error the former state stays.
  void aFileIsReadAgain() {
    const QTemporaryDir folder;
    const QString name = folder.filePath("mine.json");
    const auto write = [&](const QByteArray& headline) {
      QFile file(name);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(
          "{\"schema\": \"tileloom.lecture/1\", \"title\": \"T\", \"about\": \"A.\", "
          "\"steps\": [{" +
          headline + "\"text\": \"Text.\", \"session\": {\"stage\": \"naive\"}}]}");
    };
    write("\"headline\": \"First\", ");
    OpenWindow w;
    QVERIFY(w.ready());
    QCOMPARE(w.window.lecture().openNamed(name), QString());
    QVERIFY(arrived(w));
    QCOMPARE(panel(w).slide().headline, "First");
    write("\"headline\": \"Second\", ");
    QTRY_COMPARE_WITH_TIMEOUT(panel(w).slide().headline, QString("Second"), test::kPatience);
    write("");
    QTRY_VERIFY_WITH_TIMEOUT(panel(w).slide().trouble.contains("line 1"), test::kPatience);
    QCOMPARE(panel(w).slide().headline, "Second");
    QVERIFY(!w.window.lecture().openNamed("no such lecture").isEmpty());
    QVERIFY(w.window.lecture().active());
  }

  // The first start offers a tour, once.
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LectureModeTest, Window)
#include "lecture_mode_test.moc"
