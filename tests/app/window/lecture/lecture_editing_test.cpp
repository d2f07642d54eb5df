// SPDX-License-Identifier: GPL-3.0-or-later
// Editing lectures in the window: every edit is shown as it will be presented, can be undone, and
// is read back from the file; nothing is lost without a question.
#include "app/window/lecture/lecture_editing.h"

#include <QCheckBox>
#include <QListWidget>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "app/lecture/lecture_files.h"
#include "app/window/common/actions.h"
#include "app/window/lecture/draft_words.h"
#include "app/window/lecture/lecture_menu.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/app/edited_window.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::answer;
using test::EditedWindow;
using test::jsonOf;
using test::OpenWindow;
using Json = LectureEditor::Json;

class LectureEditingTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<test::Surroundings>(); }

  void shippedOnesComeBackAsTheyWere_data() {
    QTest::addColumn<bool>("unused");
    // The shortest, and the one with most kinds of members; lecture_draft_test has all of them.
    for (const char* name : {"show-me-around", "warp-roles"}) QTest::newRow(name) << true;
  }
  void shippedOnesComeBackAsTheyWere() {
    EditedWindow w(*m_around, QTest::currentDataTag());
    QVERIFY(w.ready());
    QCOMPARE(w.wrong, QString());
    const Json before = jsonOf(w.file);
    // Each step of the draft comes back in lecture_draft_test; here with a window.
    w.editor().choose(w.editor().draft().size() - 1);
    QVERIFY(!w.editor().modified());
    QVERIFY(w.of().save());
    QCOMPARE(jsonOf(w.file).dump(), before.dump());
    // A change and its reversal are not a change.
    w.editor().duplicate();
    w.editor().stack().undo();
    QVERIFY(!w.editor().modified());
    QVERIFY(w.of().save());
    QCOMPARE(jsonOf(w.file).dump(), before.dump());
  }

  void wordsAreSeenAsTheyAreTyped() {
    EditedWindow w(*m_around);
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

  // Consecutive letters are one edit; each field has separate edits.
  void everythingIsUndone() {
    EditedWindow w(*m_around);
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
    // The keys of undo apply to the lecture while the focus is in the editor.
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
    EditedWindow w(*m_around);
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
    QTest::keyClick(&steps, Qt::Key_Up);  // choosing is not an edit
    QVERIFY(w.arrived());
    QCOMPARE(w.window.lecture().step(), w.editor().chosen());
    // The editor follows the step chosen beside the views.
    w.window.lecture().goTo(4);
    QCOMPARE(w.editor().chosen(), std::size_t{4});
    QCOMPARE(steps.currentRow(), 4);
  }

  void questionsAndTasks() {
    EditedWindow w(*m_around, "show-me-around", 1);
    QVERIFY(w.ready() && w.arrived());
    w.choose("asking", 1);
    w.block("questionAsks", "How many?");
    w.block("questionAnswer", "Two.");
    w.block("questionChoices", "one\ntwo");
    QVERIFY(!w.editor().trouble("/question").isEmpty());  // none of them is right
    w.choose("questionRight", 1);
    QCOMPARE(w.editor().trouble("/question"), QString());
    QCOMPARE(w.at("/question/right"), Json("two"));
    // A correct choice with a new text stays the correct one.
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
    EditedWindow w(*m_around, "warp-tiling");
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

  // The window becomes the scene of this step only.
  void aStepIsRetaken() {
    EditedWindow w(*m_around, "ladder", 5);
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

  // F5 presents the latest text; the presentation hides the editor.
  void presentsTheEditedState() {
    EditedWindow w(*m_around);
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
    EditedWindow w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    w.line("stepHeadline", "Not saved");
    QStringList said;
    // Ending the lecture, opening another one, quitting, closing the editor.
    answer({"Keep editing"}, &said);
    w.window.lecture().close();
    QVERIFY(w.of().active() && w.window.lecture().active());
    answer({"Keep editing"}, &said);
    QCOMPARE(w.window.lecture().openNamed("ladder"), QString());
    QVERIFY(w.window.lecture().name() == w.file);
    answer({"Keep editing"}, &said);
    QVERIFY(!w.window.close());
    answer({"Keep editing"}, &said);
    w.press("closeEditor");
    QVERIFY(w.of().active());
    QCOMPARE(said.size(), 4);
    QVERIFY(said[0].contains("mine.lecture.json"));
    answer({"Discard"});
    w.press("closeEditor");
    QVERIFY(!w.of().active() && w.window.lecture().active());
    QVERIFY(w.arrived());
    QVERIFY(w.slide().headline != "Not saved");
    // The panel has the button Edit again.
    auto* edit = w.window.findChild<QWidget*>("lectureEdit");
    QVERIFY(edit->isVisible());
    emit w.window.findChild<LecturePanel*>()->editAsked();
    QVERIFY(w.of().active() && !edit->isVisible());
    w.line("stepHeadline", "Saved now");
    answer({"Save"});
    QVERIFY(w.window.close());
    QCOMPARE(jsonOf(w.file)["steps"][0]["headline"], Json("Saved now"));
  }

  void whatCannotBeWrittenStaysTyped() {
    EditedWindow w(*m_around);
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
    EditedWindow w(*m_around);
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
    EditedWindow w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    w.line("stepHeadline", "Mine");
    QByteArray theirs = test::Surroundings::read(w.file);
    theirs.replace("\"title\"", " \"title\"");
    QVERIFY(test::Surroundings::write(w.file, theirs));
    QStringList said;
    answer({"Keep editing"}, &said);
    QVERIFY(!w.of().save());
    QVERIFY(said[0].contains("Another program"));
    QCOMPARE(test::Surroundings::read(w.file), theirs);
    answer({"Overwrite"});
    QVERIFY(w.of().save());
    QCOMPARE(jsonOf(w.file)["steps"][0]["headline"], Json("Mine"));
  }

  // A file saved by another program is reloaded, unless unsaved edits would be lost.
  void anotherProgramIsReadAgain() {
    EditedWindow w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    Json theirs = jsonOf(w.file);
    const auto write = [&](const char* headline) {
      theirs["steps"][0]["headline"] = headline;
      return test::Surroundings::write(w.file, QByteArray::fromStdString(theirs.dump()));
    };
    QVERIFY(write("Theirs"));
    QTRY_COMPARE_WITH_TIMEOUT(w.slide().headline, QString("Theirs"), test::kPatience);
    QVERIFY(!w.editor().modified());
    w.line("stepHeadline", "Mine");
    QVERIFY(write("Theirs again"));
    const auto& said = w.the<QLabel>("editorSaid");
    QTRY_VERIFY_WITH_TIMEOUT(said.text().contains("Another program"), test::kPatience);
    QCOMPARE(w.at("/headline"), Json("Mine"));
    answer({"Discard"});
    w.of().close();
  }

  // A window that regains the focus keeps its scroll position.
  void focusThatComesBackScrollsNothing() {
    EditedWindow w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    auto* scroll = w.of().panel().findChild<QScrollArea*>();
    auto* bar = scroll->verticalScrollBar();
    auto& low = w.the<QLineEdit>("lectureTitle");
    low.setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(bar->value() > 0);
    bar->setValue(0);
    for (const Qt::FocusReason why : {Qt::ActiveWindowFocusReason, Qt::MouseFocusReason}) {
      QFocusEvent back(QEvent::FocusIn, why);
      QCoreApplication::sendEvent(&low, &back);
      QCOMPARE(bar->value(), 0);
    }
  }

  // Errors use the labels of the fields.
  void troubleNamesTheFields() {
    EditedWindow w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    QStringList labels;
    for (const QLabel* label : w.of().panel().findChildren<QLabel*>()) labels += label->text();
    for (const FieldName& field : fieldNames()) {
      const QString name = fieldName(field);
      QVERIFY2(
          std::ranges::any_of(labels, [&](const QString& label) { return label.startsWith(name); }),
          qPrintable(name));
    }
    w.editor().set("/question", Json({{"asks", ""}, {"answer", "An answer."}}), "x");
    QCOMPARE(w.editor().trouble("/question/asks"), QString("\"Question\" is empty"));
    w.editor().set("/question",
                   Json({{"asks", "Which?"}, {"answer", "A."}, {"choices", {"a", "b"}}}), "x");
    QCOMPARE(w.editor().trouble("/question"),
             QString("\"Choices\" and \"The correct choice\" belong together: give both, or none"));
  }

  // A separate window covers the lecture panel, not the picture.
  void thePictureStaysFree() {
    EditedWindow w(*m_around, "bank-conflicts", 0, {1280, 720});
    QVERIFY(w.ready() && w.arrived());
    if (!w.of().dock().isFloating()) QSKIP("it is beside the views");
    const QRect over = w.of().dock().frameGeometry();
    const auto* loom = w.window.view<LoomView>();
    const QRect picture(loom->mapToGlobal(QPoint()), loom->size());
    const QRect hidden = over & picture;
    QVERIFY2(hidden.width() < picture.width() / 10, qPrintable(QString::number(hidden.width())));
  }

  // A lecture needs a step: the last one cannot be deleted.
  void theLastStepStays() {
    EditedWindow w(*m_around);
    QVERIFY(w.ready() && w.arrived());
    while (w.editor().draft().size() > 1) w.editor().erase();
    QVERIFY(!w.the<QPushButton>("eraseStep").isEnabled());
    const Json left = w.at("/headline");
    w.editor().erase();
    QCOMPARE(w.editor().draft().size(), std::size_t{1});
    QCOMPARE(w.at("/headline"), left);
    QTRY_COMPARE(w.slide().count, 1);
  }

  // An error is shown at its field, and again before saving.
  void whatCannotBePlayedIsTold() {
    EditedWindow w(*m_around, "show-me-around");
    QVERIFY(w.ready() && w.arrived());
    w.editor().set("/headline", "", "x");
    auto& label = w.the<QLabel>("stepHeadlineTrouble");
    QVERIFY(label.isVisibleTo(&w.of().dock()) && label.text().contains("empty"));
    QStringList said;
    answer({"Keep editing"}, &said);
    QVERIFY(!w.of().save());
    QVERIFY2(said[0].contains("Step 1") && said[0].contains("empty"), qPrintable(said[0]));
    w.editor().set("/headline", "Good", "x");
    QVERIFY(!label.isVisibleTo(&w.of().dock()));
    // The same for an error that only the check finds: a mark at a missing warp.
    w.editor().set("/marks", Json::array({{{"ring", {{"warp", 31}}}}}), "x");
    QTRY_VERIFY(w.the<QLabel>("marksTrouble").text().contains("warp 31"));
    answer({"Save anyway"}, &said);
    QVERIFY(w.of().save());
    QVERIFY(said[1].contains("warp 31"));
    // A file that cannot be presented can be repaired.
    w.editor().set("/headline", "", "x");
    answer({"Save anyway"});
    QVERIFY(w.of().save());
    w.of().close();
    QVERIFY(!w.of().active());
    QCOMPARE(w.of().edit(w.file, 0), QString());
    QCOMPARE(w.at("/headline"), Json(""));
  }

  // Each field has its own error: an empty text hides no other one.
  void everyFieldHasItsTrouble() {
    EditedWindow w(*m_around, "show-me-around");
    QVERIFY(w.ready() && w.arrived());
    w.choose("asking", 2);
    w.block("taskUntil", "foo > 3");
    const auto said = [&w](const char* label) { return w.the<QLabel>(label).text(); };
    QVERIFY2(said("taskUntilTrouble").contains("foo"), qPrintable(said("taskUntilTrouble")));
    QVERIFY(!said("taskAsksTrouble").isEmpty() && !said("taskAnswerTrouble").isEmpty());
    w.choose("asking", 1);
    w.block("questionChoices", "one");
    QVERIFY(!said("questionAnswerTrouble").isEmpty());
  }

  // A new step says so until its texts are written.
  void unwrittenTextsAreTold() {
    EditedWindow w(*m_around, "show-me-around");
    QVERIFY(w.ready() && w.arrived());
    w.press("addShown");
    auto& text = w.the<QLabel>("stepTextTrouble");
    QVERIFY2(text.text().contains("new step"), qPrintable(text.text()));
    QVERIFY(w.the<QLabel>("stepHeadlineTrouble").text().contains("new step"));
    QVERIFY(!w.editor().troubleOfStep(w.editor().chosen()).isEmpty());
    w.block("stepText", "Words.");
    w.line("stepHeadline", "Mine");
    QCOMPARE(text.text(), QString());
    QCOMPARE(w.editor().troubleOfStep(w.editor().chosen()), QString());
  }

  // Why the window is not taken as the solution; without one, no other sentence judges it.
  void whatSolvesNothingIsTold() {
    EditedWindow w(*m_around, "show-me-around");
    QVERIFY(w.ready() && w.arrived());
    w.editor().set(
        "/task",
        {{"asks", "Do."}, {"answer", "So."}, {"until", {"BK = 8"}}, {"solution", Json::object()}},
        "x");
    w.editor().set("/question", nullptr, "x");
    w.editor().whyNotPlayed();  // checks it now
    QVERIFY(!w.editor().trouble("/task/solution").isEmpty() ||
            !w.editor().trouble("/task/until").isEmpty());
    QCOMPARE(w.the<QLabel>("solutionTrouble").text(), QString());
    w.press("takeSolution");
    const auto& said = w.the<QLabel>("editorSaid");
    QVERIFY2(said.text().contains("kernel of the step"), qPrintable(said.text()));
    w.explorer().setTile(w.explorer().tile().with(Parameter::BM, 48));
    QVERIFY(!isLegal(w.explorer().stage(), w.explorer().tile()));
    w.press("takeSolution");
    QVERIFY2(said.text().contains("illegal"), qPrintable(said.text()));
    QCOMPARE(w.at("/task/solution"), Json::object());
  }

  // "End" in the lecture's panel ends the editing, too.
  void endEndsTheEditing() {
    EditedWindow w(*m_around, "show-me-around");
    QVERIFY(w.ready() && w.arrived());
    w.window.lecture().last();
    QVERIFY(w.arrived());
    w.window.findChild<QPushButton*>("lectureNext")->click();
    QVERIFY(!w.of().active() && !w.window.lecture().active());
  }

  void whatIsNoLectureIsNotEdited() {
    OpenWindow w;
    QVERIFY(w.ready());
    LectureEditing& editing = w.window.lectureMenu().editing();
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
    w.window.lectureMenu().edit();
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
    EditedWindow w(*m_around, "bank-conflicts", 3, {1280, 720});
    QVERIFY(w.ready() && w.arrived());
    w.window.sight().setTextSize(text);
    QTRY_VERIFY(w.of().panel().width() >= w.of().panel().minimumSizeHint().width());
    w.of().dock().resize(w.of().panel().minimumSizeHint().expandedTo({400, 640}));
    const auto& scroll = *w.of().panel().findChild<QScrollArea*>();
    QTRY_VERIFY(scroll.widget()->width() <= scroll.viewport()->width());
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
    // The wheel scrolls, and does not change fields.
    for (QComboBox* combo : w.of().panel().findChildren<QComboBox*>())
      if (combo->isVisible()) test::wheelAt(*combo, combo->rect().center(), -3);
    QVERIFY(!w.editor().modified());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LectureEditingTest, Window)
#include "lecture_editing_test.moc"
