// SPDX-License-Identifier: GPL-3.0-or-later
// Lectures that are edited in the window: every edit is seen as it will be presented, can be
// undone, and comes back from the file; nothing is lost without a question.
#include "app/window/lecture_editing.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

#include "app/lecture/lecture_check.h"
#include "app/lecture/lecture_files.h"
#include "app/window/actions.h"
#include "app/window/lecture_editor_panel.h"
#include "app/window/lecture_menu.h"
#include "app/window/mark_places.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_class.h"
#include "viz/lecture/lecture_panel.h"
#include "viz/lecture/mark_picker.h"
#include "viz/lecture/mark_words.h"

namespace tileloom {

using test::OpenWindow;
using Json = LectureEditor::Json;

class LectureEditingTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

  // A window in which a copy of a lecture that ships is edited.
  struct Editing : OpenWindow {
    explicit Editing(const test::Surroundings& around, const char* name = "bank-conflicts",
                     std::size_t step = 0, const QSize& size = {1600, 1000})
        : OpenWindow(size), file(around.path("mine.lecture.json")) {
      window.sight().setReducedMotion(true);
      wrong = of().editCopy(name, file, step);
    }
    LectureEditing& of() { return window.lecture().menu().editing(); }
    LectureEditor& editor() { return of().editor(); }
    template <class T>
    T& the(const char* name) {
      T* found = of().dock().findChild<T*>(QLatin1String(name));
      if (found == nullptr) qFatal("there is no %s", name);
      return *found;
    }
    void press(const char* name) { the<QPushButton>(name).click(); }
    void line(const char* name, const QString& text) {
      auto& field = the<QLineEdit>(name);
      field.setFocus();
      field.selectAll();
      QTest::keyClicks(&field, text);
    }
    void block(const char* name, const QString& text) {
      the<QPlainTextEdit>(name).setPlainText(text);
    }
    void choose(const char* name, int index) {
      auto& combo = the<QComboBox>(name);
      combo.setCurrentIndex(index);
      emit combo.activated(index);
    }
    Json at(const std::string& pointer) {
      const Json* value = editor().draft().find(editor().chosen(), pointer);
      return value == nullptr ? Json() : *value;
    }
    bool arrived() {
      return QTest::qWaitFor([this] { return window.lecture().settled(); }, test::kPatience);
    }
    const LectureSlide& slide() { return window.findChild<LecturePanel*>()->slide(); }
    QString file, wrong;
  };

  // Presses these buttons of the boxes to come, one after the other.
  static void answer(QStringList buttons, QStringList* said = nullptr) {
    QTimer::singleShot(0, qApp, [buttons, said]() mutable {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) qFatal("there is no box");
      if (said != nullptr) *said += box->text();
      const QString wanted = buttons.takeFirst();
      if (!buttons.isEmpty()) answer(buttons, said);
      for (QAbstractButton* button : box->buttons())
        if (button->text().remove(u'&') == wanted) return button->click();
      qFatal("there is no button %s", qPrintable(wanted));
    });
  }

  static Json read(const QString& file) {
    return Json::parse(test::Surroundings::read(file).toStdString());
  }

 private slots:
  void init() { m_around = std::make_unique<test::Surroundings>(); }

  void shippedOnesComeBackAsTheyWere_data() {
    QTest::addColumn<bool>("unused");
    for (const EmbeddedFile& file : lecture::lectureFiles())
      QTest::newRow(std::filesystem::path(file.name).stem().c_str()) << true;
  }
  void shippedOnesComeBackAsTheyWere() {
    Editing w(*m_around, QTest::currentDataTag());
    QVERIFY(w.ready());
    QCOMPARE(w.wrong, QString());
    const Json before = read(w.file);
    for (std::size_t i = 0; i < w.editor().draft().size(); ++i) w.editor().choose(i);
    QVERIFY(!w.editor().modified());
    QVERIFY(w.of().save());
    QCOMPARE(read(w.file).dump(), before.dump());
    // There and back is no change either.
    w.editor().duplicate();
    w.editor().stack().undo();
    QVERIFY(!w.editor().modified());
    QVERIFY(w.of().save());
    QCOMPARE(read(w.file).dump(), before.dump());
  }

  void wordsAreSeenAsTheyAreTyped() {
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    w.line("stepHeadline", "My own words");
    QTRY_COMPARE(w.slide().headline, QString("My own words"));
    w.block("stepText", "A text\nof {threads} threads.");
    QCOMPARE(w.at("/text"), Json("A text of {threads} threads."));
    QTRY_VERIFY(w.slide().text.contains("256 threads") || w.slide().text.contains("threads."));
    QVERIFY(!w.slide().text.contains(u'{'));
    w.block("stepNotes", "one\ntwo");
    QCOMPARE(w.at("/notes"), Json({"one", "two"}));
    w.block("stepNotes", "");
    QVERIFY(w.at("/notes").is_null());
    w.line("minutes", "2.5");
    QCOMPARE(w.at("/minutes"), Json(2.5));
    w.the<QCheckBox>("stepPlays").click();
    QCOMPARE(w.at("/plays"), Json(true));
    w.line("lectureTitle", "Mine");
    QTRY_COMPARE(w.slide().lecture, QString("Mine"));
    QVERIFY(w.editor().modified() && w.of().dock().isWindowModified());
    QVERIFY(w.of().save());
    QVERIFY(!w.editor().modified());
    QCOMPARE(lecture::lectureNamed(w.file.toStdString())->title, std::string("Mine"));
  }

  // Letters that are typed one after the other are one edit; each field is one of its own.
  void everythingIsUndone() {
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    const std::string before = w.editor().draft().text();
    w.line("stepHeadline", "abc");
    QCOMPARE(w.editor().stack().count(), 1);
    w.block("stepText", "Text.");
    QCOMPARE(w.editor().stack().count(), 2);
    w.press("duplicateStep");
    w.press("moveStepDown");
    w.press("eraseStep");
    w.press("addShown");
    w.press("retakeStep");
    w.choose("asking", 1);
    w.choose("asking", 2);
    w.choose("asking", 0);
    const std::string after = w.editor().draft().text();
    QVERIFY(after != before);
    // The keys of undo mean the lecture while the focus is in the editor.
    auto& steps = w.the<QListWidget>("steps");
    steps.setFocus();
    while (w.editor().stack().canUndo()) QTest::keyClick(&steps, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.editor().draft().text() == before);
    QCOMPARE(w.editor().chosen(), std::size_t{0});
    QVERIFY(!w.editor().modified());
    while (w.editor().stack().canRedo()) w.press("redoEdit");
    QVERIFY(w.editor().draft().text() == after);
    QVERIFY(w.window.undoStack().index() == w.window.undoStack().count());
  }

  void stepsHaveKeys() {
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    auto& steps = w.the<QListWidget>("steps");
    const int count = steps.count();
    const std::string first = w.editor().draft().text(0, "/headline");
    steps.setFocus();
    QTest::keyClick(&steps, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(w.editor().draft().text(1, "/headline"), first);
    QCOMPARE(steps.currentRow(), 1);
    QTest::keyClick(&steps, Qt::Key_Up, Qt::AltModifier);
    QTest::keyClick(&steps, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(w.editor().draft().text(1, "/headline"), first);
    QCOMPARE(steps.count(), count + 1);
    QTest::keyClick(&steps, Qt::Key_Delete);
    QCOMPARE(steps.count(), count);
    QTest::keyClick(&steps, Qt::Key_Insert);
    QCOMPARE(steps.count(), count + 1);
    QTest::keyClick(&steps, Qt::Key_Up);  // choosing is no edit
    QVERIFY(w.arrived());
    QCOMPARE(w.window.lecture().step(), w.editor().chosen());
    // Whoever turns pages beside the views takes the editor along.
    w.window.lecture().goTo(4);
    QCOMPARE(w.editor().chosen(), std::size_t{4});
    QCOMPARE(steps.currentRow(), 4);
  }

  void questionsAndTasks() {
    Editing w(*m_around, "show-me-around", 1);
    QVERIFY(w.ready() && w.arrived());
    w.choose("asking", 1);
    w.block("questionAsks", "How many?");
    w.block("questionAnswer", "Two.");
    w.block("questionChoices", "one\ntwo");
    QVERIFY(!w.editor().trouble("/question").isEmpty());  // none of them is right
    w.choose("questionRight", 1);
    QCOMPARE(w.editor().trouble("/question"), QString());
    QCOMPARE(w.at("/question/right"), Json("two"));
    // Wording a choice anew leaves it the right one.
    w.block("questionChoices", "one\ntwo of them");
    QCOMPARE(w.at("/question/right"), Json("two of them"));
    QTRY_COMPARE(w.slide().choices, QStringList({"one", "two of them"}));
    w.block("questionChoices", "");
    QVERIFY(w.at("/question/right").is_null() && w.at("/question/choices").is_null());
    w.line("number", "2");
    QCOMPARE(w.at("/question/number"), Json(2));
    w.line("number", "two");
    QVERIFY(w.editor().trouble("/question/number").contains("number"));
    w.block("questionHint", "Less than three.");

    w.choose("asking", 2);
    QCOMPARE(w.at("/task/asks"), Json("How many?"));
    QCOMPARE(w.at("/task/hint"), Json("Less than three."));
    QVERIFY(w.at("/question").is_null());
    w.block("taskUntil", "BK = 16\nnonsense = 3");
    QVERIFY(w.editor().trouble("/task/until").contains("nonsense"));
    w.block("taskUntil", "PAD = 99");
    QTRY_VERIFY(w.editor().trouble("/task/solution").contains("PAD"));
  }

  void theWindowIsTheSolution() {
    Editing w(*m_around, "warp-tiling");
    QVERIFY(w.ready() && w.arrived());
    std::size_t step = 0;
    while (!w.editor().draft().step(step).contains("task")) ++step;
    w.editor().choose(step);
    QVERIFY(w.arrived());
    w.editor().set("/task/solution", Json::object(), "x");
    QVERIFY(!w.editor().whyNotPlayed().isEmpty());
    w.editor().stack().undo();
    const ViewState wanted = w.editor().attempt().lecture.steps[step].task->solution.state;
    w.explorer().setStage(*wanted.stage);
    w.explorer().setTile(wanted.tile);
    w.explorer().setProblem(wanted.problem);
    w.editor().set("/task/solution", Json::object(), "x");
    w.press("takeSolution");
    QCOMPARE(w.editor().whyNotPlayed(), QString());
    QVERIFY(w.editor().attempt().lecture.steps[step].task->solution.state.tile == wanted.tile);
  }

  // What is in the window becomes the step's scene, and no other one's.
  void aStepIsRetaken() {
    Editing w(*m_around, "ladder", 5);
    QVERIFY(w.ready() && w.arrived());
    const lecture::Lecture before = w.editor().attempt().lecture;
    w.explorer().setStage(*everyStage().front());
    QVERIFY(w.settled());
    w.window.showPage("source");
    w.press("retakeStep");
    const lecture::Lecture& after = w.editor().attempt().lecture;
    QCOMPARE(after.steps[5].session.tab, std::string("source"));
    QVERIFY(after.steps[5].session.state.stage == everyStage().front());
    QCOMPARE(after.steps[5].headline, before.steps[5].headline);
    QVERIFY(after.steps[6].session.state.stage == before.steps[6].session.state.stage);
    QVERIFY(w.arrived());
    w.press("undoEdit");
    QVERIFY(w.arrived());
    QVERIFY(&w.explorer().stage() == before.steps[5].session.state.stage);
  }

  // Each kind of thing is found again where it stands.
  void marksArePicked_data() {
    QTest::addColumn<int>("step");
    QTest::addColumn<QString>("target");
    const auto row = [](const char* name, int step, const char* target) {
      QTest::newRow(name) << step << QString(target);
    };
    row("element of C", 0, R"({"element": "C[800,1300]"})");
    row("element of A", 0, R"({"element": "A[800,100]"})");
    row("element of B", 0, R"({"element": "B[100,1300]"})");
    row("lane", 2, R"({"lane": 5})");
    row("warp", 2, R"({"warp": 0})");
    row("block", 1, R"({"block": true})");
    row("bank", 5, R"({"bank": 0})");
    row("lane in the banks", 5, R"({"lane": 0, "in": "banks"})");
    row("tile parameter", 6, R"({"knob": "BN"})");
    row("rung", 4, R"({"rung": "naive"})");
    row("ladder", 4, R"({"area": "ladder"})");
    row("loom", 4, R"({"area": "loom"})");
    row("page", 4, R"({"area": "pages"})");
    row("tile panel", 4, R"({"area": "tile"})");
    row("line", -1, "");  // whichever is there
  }
  void marksArePicked() {
    QFETCH(int, step);
    QFETCH(QString, target);
    Editing w(*m_around, "show-me-around", static_cast<std::size_t>(std::max(step, 0)));
    QVERIFY(w.ready() && w.arrived());
    MarkTarget known;
    std::optional<QRectF> place;
    if (step >= 0) {
      // Where the window says that it stands, a click finds it.
      w.editor().set("/marks", Json::array({{{"ring", Json::parse(target.toStdString())}}}), "x");
      w.editor().showNow();
      QCOMPARE(w.editor().trouble("/marks"), QString());
      known = w.editor().attempt().lecture.steps[w.editor().chosen()].marks.front().target;
      place = w.window.placeOf(known);
    } else {
      w.window.showPage("source");
      w.window.setLower(50);
      w.press("retakeStep");
      QVERIFY(w.arrived());
      QCoreApplication::processEvents();
      // The first line that is to be seen and that can be named.
      const QWidget& page = *w.window.page("source")->widget();
      for (int y = 20; y < page.height() && !place; y += 5) {
        for (const MarkTarget& found : w.window.page("source")->targetsAt(QPointF(60, y))) {
          known = found;
          place = w.window.placeOf(found);
        }
      }
    }
    QVERIFY(place);
    w.editor().set("/marks", nullptr, "x");
    w.press("addMark");
    MarkPicker& picker = w.of().picker();
    QVERIFY(picker.picking());
    const QPointF at = picker.mapFrom(&w.window, place->center());
    QTest::mouseClick(&picker, Qt::LeftButton, Qt::NoModifier, at.toPoint());
    if (picker.picking()) {
      auto* menu = picker.findChild<QMenu*>("markTargets");
      QVERIFY(menu != nullptr);
      QAction* entry = nullptr;
      for (QAction* action : menu->actions())
        if (action->text() == targetName(known)) entry = action;
      if (known.thing == MarkTarget::Thing::Element && entry == nullptr) {
        // An element may be smaller than a pixel: its neighbour is as good.
        entry = menu->actions().front();
      }
      QVERIFY2(entry != nullptr, qPrintable(targetName(known)));
      entry->trigger();
      menu->close();
    }
    QVERIFY(!picker.picking());
    QCOMPARE(w.editor().marks().size(), std::size_t{1});
    QCOMPARE(w.editor().trouble("/marks"), QString());
    w.editor().showNow();
    const auto& marks = w.editor().attempt().lecture.steps[w.editor().chosen()].marks;
    QCOMPARE(marks.size(), std::size_t{1});
    if (known.thing != MarkTarget::Thing::Element) QVERIFY(marks.front().target == known);
    // Its words are typed at once, and it is drawn.
    QVERIFY(QApplication::focusWidget() == &w.the<QLineEdit>("markText"));
    QTest::keyClicks(QApplication::focusWidget(), "here");
    QCOMPARE(w.at("/marks/0/text"), Json("here"));
    auto& glass = w.window.lecture().marks();
    QTRY_COMPARE(glass.marks().size(), std::size_t{1});
    QTRY_COMPARE(glass.marks().front().text, std::string("here"));
    QVERIFY(glass.places().front().has_value());
    w.press("eraseMark");
    QVERIFY(w.at("/marks").is_null());
  }

  void marksAreChangedByFields() {
    Editing w(*m_around, "show-me-around", 4);
    QVERIFY(w.ready() && w.arrived());
    w.the<QListWidget>("marks").setCurrentRow(1);
    w.choose("markForm", 1);
    QVERIFY(w.at("/marks/1").contains("arrow") && !w.at("/marks/1").contains("ring"));
    QCOMPARE(w.at("/marks/1/text"), Json("loom"));
    w.choose("markKind", 2);  // of a warp
    QCOMPARE(w.at("/marks/1/arrow"), Json({{"warp", 0}}));
    w.the<QComboBox>("markValue").setEditText("99");
    emit w.the<QComboBox>("markValue").lineEdit()->textEdited("99");
    QCOMPARE(w.at("/marks/1/arrow"), Json({{"warp", 99}}));
    QVERIFY(w.editor().trouble("/marks").contains("31"));
    QVERIFY(w.editor().troubleOfStep(4).contains("31"));
    QVERIFY(w.the<QListWidget>("steps").item(4)->text().startsWith(u'✗'));
    w.line("markText", "a warp");
    QCOMPARE(w.at("/marks/1/text"), Json("a warp"));
  }

  void pickingEnds() {
    Editing w(*m_around, "show-me-around", 4);
    QVERIFY(w.ready() && w.arrived());
    w.press("addMark");
    MarkPicker& picker = w.of().picker();
    QVERIFY(picker.picking());
    QTest::keyClick(&picker, Qt::Key_Escape);
    QVERIFY(!picker.picking() && !w.editor().modified());
    // Nothing is there to be marked: that is said, and it goes on.
    w.press("addMark");
    QString refused;
    connect(&picker, &MarkPicker::refused, this,
            [&](const QString& sentence) { refused = sentence; });
    const QWidget& words = *w.window.findChild<LecturePanel*>();
    picker.pickAt(picker.mapFrom(&w.window, words.mapTo(&w.window, QPointF(20, 20))));
    QVERIFY(refused.contains("can be marked") && picker.picking());
    // Keys alone do, too.
    QTest::keyClick(&picker, Qt::Key_Right, Qt::ShiftModifier);
    picker.cancel();
    w.press("addMark");
    const auto place = w.window.placeOf([] {
      MarkTarget t;
      t.thing = MarkTarget::Thing::Rung;
      t.text = "naive";
      return t;
    }());
    QVERIFY(place);
    test::hoverAt(picker, picker.mapFrom(&w.window, place->center()));
    QCoreApplication::processEvents();
    QTest::keyClick(&picker, Qt::Key_Return);
    if (auto* menu = picker.findChild<QMenu*>("markTargets")) QTest::keyClick(menu, Qt::Key_Return);
    QTRY_VERIFY(!picker.picking());
    QVERIFY(w.editor().modified());
  }

  // F5 presents what was typed a moment ago; an audience sees no editor.
  void presentsTheEditedState() {
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    w.line("stepHeadline", "Just typed");
    for (const NamedAction& action : actionsOf(*w.window.menuBar()))
      if (action.name.startsWith("Lecture › Present")) action.action->trigger();
    QVERIFY(w.window.lecture().presenting());
    QVERIFY(w.arrived());
    QCOMPARE(w.slide().headline, QString("Just typed"));
    QVERIFY(!w.of().dock().isVisible());
    w.window.lecture().next();
    QVERIFY(w.arrived());
    QCOMPARE(w.editor().chosen(), std::size_t{1});
    w.window.lecture().leave();
    QVERIFY(w.of().dock().isVisible() && w.of().active());
    QVERIFY(w.editor().modified());
  }

  void nothingIsLostWithoutAQuestion() {
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    w.line("stepHeadline", "Not saved");
    QStringList said;
    // Ending the lecture, opening another one, quitting, closing the editor.
    answer({"Go on editing"}, &said);
    w.window.lecture().close();
    QVERIFY(w.of().active() && w.window.lecture().active());
    answer({"Go on editing"}, &said);
    QCOMPARE(w.window.lecture().openNamed("ladder"), QString());
    QVERIFY(w.window.lecture().name() == w.file);
    answer({"Go on editing"}, &said);
    QVERIFY(!w.window.close());
    answer({"Go on editing"}, &said);
    w.press("closeEditor");
    QVERIFY(w.of().active());
    QCOMPARE(said.size(), 4);
    QVERIFY(said[0].contains("mine.lecture.json"));
    answer({"Give them up"});
    w.press("closeEditor");
    QVERIFY(!w.of().active() && w.window.lecture().active());
    QVERIFY(w.arrived());
    QVERIFY(w.slide().headline != "Not saved");
    // The panel offers to edit it again.
    auto* edit = w.window.findChild<QWidget*>("lectureEdit");
    QVERIFY(edit->isVisible());
    emit w.window.findChild<LecturePanel*>()->editAsked();
    QVERIFY(w.of().active() && !edit->isVisible());
    w.line("stepHeadline", "Saved now");
    answer({"Save"});
    QVERIFY(w.window.close());
    QCOMPARE(read(w.file)["steps"][0]["headline"], Json("Saved now"));
  }

  void whatCannotBeWrittenStaysTyped() {
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    const QString folder = m_around->path("away");
    QVERIFY(QDir().mkpath(folder));
    QCOMPARE(w.editor().saveAs(folder + "/mine.lecture.json"), QString());
    w.line("stepHeadline", "Typed");
    QVERIFY(QDir(folder).removeRecursively());
    QVERIFY(QFile(folder).open(QIODevice::WriteOnly));  // where the folder was
    QStringList said;
    answer({"OK"}, &said);
    QVERIFY(!w.of().save());
    QCOMPARE(said.size(), 1);
    QVERIFY(said[0].contains("mine.lecture.json") && !said[0].contains(u'\n'));
    QVERIFY(w.editor().modified());
    QCOMPARE(w.at("/headline"), Json("Typed"));
    QVERIFY(!w.editor().saveAs("/no/such/folder/x.json").isEmpty());
    QCOMPARE(w.editor().file(), folder + "/mine.lecture.json");
  }

  void aFullDiskLosesNothing() {
    test::SmallDisk disk;
    if (!disk.ok()) QSKIP(test::SmallDisk::kSkipped);
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    QCOMPARE(w.editor().saveAs(disk.path("mine.json")), QString());
    const QByteArray before = test::Surroundings::read(disk.path("mine.json"));
    disk.fill();
    w.line("stepHeadline", "Typed");
    QVERIFY(!w.editor().save().isEmpty());
    QCOMPARE(test::Surroundings::read(disk.path("mine.json")), before);
    QVERIFY(w.editor().modified());
    QCOMPARE(w.at("/headline"), Json("Typed"));
  }

  void anotherProgramIsNoticed() {
    Editing w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    w.line("stepHeadline", "Mine");
    QByteArray theirs = test::Surroundings::read(w.file);
    theirs.replace("\"title\"", " \"title\"");
    QVERIFY(test::Surroundings::write(w.file, theirs));
    QStringList said;
    answer({"Go on editing"}, &said);
    QVERIFY(!w.of().save());
    QVERIFY(said[0].contains("Another program"));
    QCOMPARE(test::Surroundings::read(w.file), theirs);
    answer({"Write over it"});
    QVERIFY(w.of().save());
    QCOMPARE(read(w.file)["steps"][0]["headline"], Json("Mine"));
  }

  // What cannot be presented is told at its field, and again before it is saved.
  void whatCannotBePlayedIsTold() {
    Editing w(*m_around, "show-me-around");
    QVERIFY(w.ready() && w.arrived());
    w.editor().set("/headline", "", "x");
    auto& label = w.the<QLabel>("stepHeadlineTrouble");
    QVERIFY(label.isVisibleTo(&w.of().dock()) && label.text().contains("empty"));
    QStringList said;
    answer({"Go on editing"}, &said);
    QVERIFY(!w.of().save());
    QVERIFY2(said[0].contains("Step 1") && said[0].contains("empty"), qPrintable(said[0]));
    w.editor().set("/headline", "Good", "x");
    QVERIFY(!label.isVisibleTo(&w.of().dock()));
    // So it is where only trying tells: a mark at a warp that is not there.
    w.editor().set("/marks", Json::array({{{"ring", {{"warp", 31}}}}}), "x");
    QTRY_VERIFY(w.the<QLabel>("marksTrouble").text().contains("warp 31"));
    answer({"Save all the same"}, &said);
    QVERIFY(w.of().save());
    QVERIFY(said[1].contains("warp 31"));
    // A file that cannot be presented can be mended.
    w.editor().set("/headline", "", "x");
    answer({"Save all the same"});
    QVERIFY(w.of().save());
    w.of().close();
    QVERIFY(!w.of().active());
    QCOMPARE(w.of().edit(w.file, 0), QString());
    QCOMPARE(w.at("/headline"), Json(""));
  }

  void whatIsNoLectureIsNotEdited() {
    OpenWindow w;
    QVERIFY(w.ready());
    LectureEditing& editing = w.window.lecture().menu().editing();
    QVERIFY(!editing.edit(m_around->path("none.json"), 0).isEmpty());
    QVERIFY(test::Surroundings::write(m_around->path("bad.json"), "[1, 2"));
    QVERIFY(editing.edit(m_around->path("bad.json"), 0).contains("bad.json"));
    QVERIFY(!editing.editCopy("no-such", m_around->path("x.json"), 0).isEmpty());
    QVERIFY(!editing.editNew("/no/such/folder/x.json").isEmpty());
    QVERIFY(!editing.active());
    QCOMPARE(editing.editNew(m_around->path("new.lecture.json")), QString());
    QVERIFY(editing.active());
    QCOMPARE(editing.editor().draft().size(), std::size_t{1});
    QCOMPARE(editing.editor().whyNotPlayed(), QString());
  }

  void theMenuAsksWhich() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.lecture().menu().edit();
    auto* menu = w.window.findChild<QMenu*>("editWhichMenu");
    QVERIFY(menu != nullptr);
    QStringList entries;
    for (const QAction* action : menu->actions()) entries += action->text();
    QVERIFY(entries.join('|').contains("A copy of \"Bank conflicts"));
    menu->close();
  }

  // No field is cut in a small window with large text: everything can be scrolled to.
  void nothingIsCut_data() {
    QTest::addColumn<int>("text");
    QTest::newRow("usual text") << 100;
    QTest::newRow("large text") << 200;
  }
  void nothingIsCut() {
    QFETCH(int, text);
    Editing w(*m_around, "bank-conflicts", 3, {1280, 720});
    QVERIFY(w.ready() && w.arrived());
    w.window.sight().setTextSize(text);
    w.of().dock().resize(w.of().panel().minimumSizeHint().expandedTo({400, 640}));
    QCoreApplication::processEvents();
    for (QWidget* widget : w.of().panel().findChildren<QWidget*>()) {
      const bool input = qobject_cast<QPushButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                         qobject_cast<QComboBox*>(widget) || qobject_cast<QPlainTextEdit*>(widget);
      if (!input || !widget->isVisible()) continue;
      const QRect there(widget->mapTo(&w.of().panel(), QPoint()), widget->size());
      QVERIFY2(there.left() >= 0 && there.right() <= w.of().panel().width(),
               qPrintable(widget->objectName()));
      if (qobject_cast<QPushButton*>(widget))
        QVERIFY2(widget->width() >= widget->minimumSizeHint().width(),
                 qPrintable(widget->objectName()));
    }
    QVERIFY(w.of().dock().height() <= 720);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LectureEditingTest, Window)
#include "lecture_editing_test.moc"
