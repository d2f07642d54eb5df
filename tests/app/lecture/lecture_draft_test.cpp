// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a lecture: each edit changes only its member, every file is written back unchanged, and
// errors are reported one by one.
#include "app/lecture/lecture_draft.h"

#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "app/lecture/lecture_files.h"
#include "app/lecture/lecture_writer.h"
#include "app/lecture/mark_writer.h"
#include "app/lecture/step_session.h"
#include "app/session/session_text.h"
#include "kernels/base/text_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::lecture {

class LectureDraftTest : public QObject {
  Q_OBJECT

  static std::string shippedText(std::string_view id) {
    for (const EmbeddedFile& file : lectureFiles()) {
      if (std::filesystem::path(file.name).stem() == id) return std::string(file.text);
    }
    qFatal("there is no lecture of this name");
  }
  static LectureDraft shipped(std::string_view id) { return *LectureDraft::of(shippedText(id)); }
  // Two choices cannot express "not chosen": they may be inherited.
  static Session said(Session session) {
    session.tuning.axes = {};
    session.timeline.span = {};
    return session;
  }
  static std::vector<Session> scenes(const LectureDraft& draft) {
    std::vector<Session> all;
    for (const Step& step : draft.attempt("x").lecture.steps) all.push_back(said(step.session));
    return all;
  }
  static void everyLecture() {
    QTest::addColumn<bool>("unused");
    for (const EmbeddedFile& file : lectureFiles())
      QTest::newRow(std::filesystem::path(file.name).stem().c_str()) << true;
  }

 private slots:
  void opensAndSavesWithoutAChange_data() { everyLecture(); }
  void opensAndSavesWithoutAChange() {
    const std::string text = shippedText(QTest::currentDataTag());
    const auto draft = LectureDraft::of(text);
    QVERIFY(draft);
    const std::string saved = draft->text();
    QVERIFY(nlohmann::json::parse(saved) == nlohmann::json::parse(text));
    QVERIFY(nlohmann::ordered_json::parse(saved).dump() ==
            nlohmann::ordered_json::parse(text).dump());  // in the same order, too
    const Attempt attempt = draft->attempt("x");
    QVERIFY(attempt.complaints.empty());
    const auto parsed = parseLecture(text, "x");
    QCOMPARE(attempt.lecture.steps.size(), parsed->steps.size());
    for (std::size_t i = 0; i < parsed->steps.size(); ++i) {
      QVERIFY(attempt.lecture.steps[i].session == parsed->steps[i].session);
      QVERIFY(attempt.lecture.steps[i].marks == parsed->steps[i].marks);
    }
  }

  // Each step inherits from the previous one; an edit of one does not change the picture of
  // another.
  void otherStepsKeepTheirScenes_data() { everyLecture(); }
  void otherStepsKeepTheirScenes() {
    const LectureDraft whole = shipped(QTest::currentDataTag());
    const std::vector<Session> before = scenes(whole);
    const auto same = [](const std::vector<Session>& a, const std::vector<Session>& b) {
      return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), sameScene);
    };
    for (std::size_t i = 0; i < whole.size(); ++i) {
      LectureDraft erased = whole;
      erased.erase(i);
      std::vector<Session> wanted = before;
      wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(i));
      if (whole.size() > 1) QVERIFY2(same(scenes(erased), wanted), qPrintable(QString::number(i)));

      LectureDraft moved = whole;
      moved.move(i, whole.size() - 1 - i);
      wanted = before;
      const Session one = wanted[i];
      wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(i));
      wanted.insert(wanted.end() - static_cast<std::ptrdiff_t>(i), one);
      for (const Complaint& complaint : moved.attempt("x").complaints)
        QFAIL((complaint.pointer + ": " + complaint.sentence).c_str());
      QVERIFY2(same(scenes(moved), wanted), qPrintable(QString::number(i)));
      QCOMPARE(moved.text(whole.size() - 1 - i, "/headline"), whole.text(i, "/headline"));
      QVERIFY(moved.attempt("x").complaints.empty());

      LectureDraft twice = whole;
      twice.duplicate(i);
      wanted = before;
      wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(i), one);
      QVERIFY2(same(scenes(twice), wanted), qPrintable(QString::number(i)));
    }
  }

  // The window can become the scene of any step, independent of the previous step.
  void aStepIsRetaken() {
    const LectureDraft whole = shipped("ladder");
    const std::vector<Session> before = scenes(whole);
    for (const std::size_t at : {std::size_t{0}, std::size_t{3}, whole.size() - 1}) {
      Session shown = before[whole.size() - 1 - at];
      shown.ladderPanel = shown.tilePanel = true;
      shown.state.index = 7;
      LectureDraft draft = whole;
      draft.retake(at, shown);
      const Attempt attempt = draft.attempt("x");
      QVERIFY(sameScene(said(attempt.lecture.steps[at].session), shown));
      QVERIFY(attempt.lecture.steps[at].instruction && !attempt.lecture.steps[at].at);
      for (std::size_t i = 0; i < whole.size(); ++i)
        if (i != at) QVERIFY(sameScene(said(attempt.lecture.steps[i].session), before[i]));
    }
  }

  // "Add the window": visible panels are visible in the step, too.
  void anAddedStepIsAsTheWindow() {
    const QTemporaryDir folder;
    const auto file = std::filesystem::path(folder.filePath("a.json").toStdString());
    Session shown;
    shown.state.stage = &test::stage("naive");
    shown.state.tile = shown.state.stage->standardTile();
    for (const bool panels : {true, false, true}) {
      shown.ladderPanel = shown.tilePanel = shown.timeStrip = panels;
      shown.lower = panels ? kUsualLower : 50;
      QVERIFY(addStep(file, {shown, "{A}", "B"}));
      const auto lecture = readLecture(file);
      QVERIFY(lecture && sameScene(lecture->steps.back().session, shown));
    }
  }

  void unknownFieldsStay() {
    auto json = nlohmann::ordered_json::parse(shippedText("show-me-around"));
    json["later"] = {{"a", 1}};
    json["steps"][1]["future"] = {1, 2, 3};
    auto draft = LectureDraft::of(json.dump());
    QVERIFY(draft);
    draft->set(1, "/headline", "Another");
    draft->move(1, 0);
    const auto saved = nlohmann::json::parse(draft->text());
    QVERIFY(saved["later"] == nlohmann::json({{"a", 1}}));
    QVERIFY(saved["steps"][0]["future"] == nlohmann::json({1, 2, 3}));
    QCOMPARE(draft->attempt("x").complaints.size(), std::size_t{2});
  }

  // A step with several errors reports each, and keeps its valid parts.
  void everythingWrongIsTold() {
    LectureDraft draft = shipped("bank-conflicts");
    draft.set(2, "/headline", "");
    draft.set(2, "/text", "It has {thraeds}.");
    draft.set(2, "/marks", {{{"ring", {{"bank", 99}}}}, {{"arrow", {{"block", true}}}}});
    draft.set(2, "/question", {{"asks", "How many?"}, {"answer", ""}});
    const Attempt attempt = draft.attempt("x");
    QStringList pointers;
    for (const Complaint& complaint : attempt.complaints)
      pointers += QString::fromStdString(complaint.pointer);
    QCOMPARE(pointers, QStringList({"/steps/2/headline", "/steps/2/text",
                                    "/steps/2/marks/0/ring/bank", "/steps/2/question/answer"}));
    QCOMPARE(attempt.lecture.steps[2].marks.size(), std::size_t{1});
    QCOMPARE(attempt.lecture.steps[2].question->asks, std::string("How many?"));
    QCOMPARE(attempt.lecture.steps.size(), draft.size());
  }

  void marksAreWrittenAsTheyAreRead_data() { everyLecture(); }
  void marksAreWrittenAsTheyAreRead() {
    const LectureDraft draft = shipped(QTest::currentDataTag());
    const Attempt attempt = draft.attempt("x");
    for (std::size_t i = 0; i < draft.size(); ++i) {
      const auto& marks = attempt.lecture.steps[i].marks;
      for (std::size_t m = 0; m < marks.size(); ++m) {
        nlohmann::json given = draft.step(i)["marks"][m];
        for (const char* form : {"ring", "arrow", "label"}) {
          if (given.contains(form) && given[form].value("in", "") == "loom")
            given[form].erase("in");
          if (given.contains(form) && given[form].contains("rung"))
            given[form]["rung"] = marks[m].target.text;
        }
        QVERIFY2(nlohmann::json(markJson(marks[m])) == given, given.dump().c_str());
      }
    }
  }

  // A line is named by text that only it has.
  void linesHaveNames() {
    const Stage& warptiled = test::stage("warptiled");
    const int first = 1;
    int named = 0, lines = 0;
    for (int line = first; line < 200; ++line) {
      const std::string text = textOfLine(warptiled, line);
      lines += text.empty() ? 0 : 1;
      if (text.empty()) continue;
      ++named;
      QVERIFY(text.size() <= 80);
    }
    QVERIFY(named > 20 && lines == named);
    QCOMPARE(textOfLine(warptiled, 100000), std::string());
  }

  void aFileThatOthersWroteIsNoticed() {
    const QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.filePath("a.json").toStdString());
    QVERIFY(replaceText(path, shippedText("ladder")));
    DraftFile file(path);
    QVERIFY(file.read());
    QVERIFY(!file.changedByOthers());
    QCOMPARE(file.write("{}"), std::string());
    QVERIFY(!file.changedByOthers());
    QVERIFY(replaceText(path, "{ }"));
    QVERIFY(file.changedByOthers());
    QCOMPARE(file.write("{}"), std::string());
    // A locked file stays unchanged.
    QVERIFY(QFile::setPermissions(folder.filePath("a.json"), QFileDevice::ReadOwner));
    QVERIFY(file.write("{ \"a\": 1 }").find("read-only") != std::string::npos);
    QVERIFY(!file.changedByOthers());
    std::filesystem::remove(path);
    QVERIFY(!file.changedByOthers());  // nothing is lost by writing
    DraftFile nowhere("/no/such/folder/a.json");
    QVERIFY(!nowhere.read());
    QVERIFY(!nowhere.write("{}").empty());
  }

  void whatIsNoLectureIsRefused() {
    for (const char* text : {"", "[]", "{}", R"({"steps": 3})", R"({"steps": [1]})", "{\"a\": }"})
      QVERIFY2(!LectureDraft::of(text), text);
    QVERIFY(LectureDraft::of(R"({"steps": []})"));
  }
};

}  // namespace tileloom::lecture

TILELOOM_TEST(tileloom::lecture::LectureDraftTest, EventLoop)
#include "lecture_draft_test.moc"
