// SPDX-License-Identifier: GPL-3.0-or-later
// Malformed lectures: each ends in one sentence with its line.
#include "app/lecture/lecture_reader.h"

#include <fmt/format.h>

#include <QTemporaryDir>
#include <QtTest>

#include "app/lecture/lecture_writer.h"
#include "kernels/base/text_file.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::lecture {

using test::q;

class LectureReaderTest : public QObject {
  Q_OBJECT

  // A good lecture with one line per member, so that a complaint's line identifies the member.
  static std::string good() {
    return R"json({
"schema": "tileloom.lecture/1",
"title": "A title",
"about": "What it teaches.",
"steps": [
{
"headline": "First",
"text": "It has {threads} threads.",
"notes": ["one", "two"],
"minutes": 2,
"session": {
"stage": "warptiled",
"tile": {"WNITER": 2},
"tab": "banks"
},
"at": {"line": "(colA + 0)", "tile": 2},
"plays": true,
"marks": [
{"ring": {"bank": 3}, "text": "bank 3"}
]
},
{
"headline": "Second",
"text": "Text.",
"question": {"asks": "How many?", "choices": ["one", "two"], "right": "two", "answer": "Two."}
},
{
"headline": "Third",
"text": "Text.",
"task": {
"asks": "Turn it.",
"until": ["stamps = 4"],
"answer": "Four.",
"solution": {"tile": {"WNITER": 4}}
}
}
]
}
)json";
  }

  static std::string with(const std::string& from, const std::string& to) {
    std::string text = good();
    const std::size_t at = text.find(from);
    if (at == std::string::npos) qFatal("the good lecture has no %s", from.c_str());
    return text.replace(at, from.size(), to);
  }

 private slots:
  void aGoodOneIsRead() {
    const auto lecture = parseLecture(good(), "x");
    QVERIFY2(lecture, lecture ? "" : lecture.error().sentence.c_str());
    QCOMPARE(lecture->steps.size(), std::size_t{3});
    const Step& first = lecture->steps[0];
    QCOMPARE(first.session.state.tile[Parameter::WNITER], 2);
    QVERIFY(!first.session.ladderPanel && !first.session.timeStrip);
    QVERIFY(first.plays && first.notes.size() == 2 && first.marks.size() == 1);
    QCOMPARE(first.line, 6);
    QCOMPARE(first.at->kTile, 1u);
    // Omitted members keep their value.
    QCOMPARE(lecture->steps[1].session.state.tile[Parameter::WNITER], 2);
    QCOMPARE(*lecture->steps[1].question->right, std::size_t{1});
    QCOMPARE(lecture->steps[2].task->solution.state.tile[Parameter::WNITER], 4);
    QCOMPARE(lecture->minutes(), 4.0);
  }

  void aBadOneSaysWhereAndWhat_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* from, const char* to, int line,
                        const char* says) {
      QTest::newRow(name) << QString(from) << QString(to) << line << QString(says);
    };
    row("no such line of source", "(colA + 0)", "no such words", 16, "no line");
    row("a line that occurs twice", "(colA + 0)", "__syncthreads", 16, "more than one");
    row("a comma too few", "\"title\": \"A title\",", "\"title\": \"A title\"", 4, "expected");
    row("another schema", "tileloom.lecture/1", "tileloom.lecture/9", 2, "schema");
    row("no title", "\"title\": \"A title\",\n", "", 1, "title");
    row("a misspelt member", "\"notes\"", "\"note\"", 9, "no \"note\"");
    row("minutes of a wrong kind", "\"minutes\": 2", "\"minutes\": \"2\"", 10, "minutes");
    row("too many minutes", "\"minutes\": 2", "\"minutes\": 200", 10, "60");
    row("no such rung", "\"stage\": \"warptiled\"", "\"stage\": \"warptile\"", 12, "warptile");
    row("no rung at all", "\"stage\": \"warptiled\",\n", "", 11, "stage");
    row("no such tile parameter value", "{\"WNITER\": 2}", "{\"WNITER\": 2000}", 13, "WNITER");
    row("no such tab", "\"tab\": \"banks\"", "\"tab\": \"bank\"", 14, "tab");
    row("no such member of a session", "\"tab\":", "\"tabs\":", 14, "tabs");
    row("a theme", "\"tab\": \"banks\"", "\"theme\": \"dark\"", 14, "leave it out");
    row("no such figure", "{threads}", "{thread}", 8, "thread");
    row("a brace alone", "{threads}", "{threads", 8, "brace");
    row("plays is not a switch", "\"plays\": true", "\"plays\": 1", 17, "plays");
    row("a mark on a page that is not shown", "{\"ring\": {\"bank\": 3}",
        "{\"ring\": {\"line\": \"x\"}", 19, "");
    row("a mark on nothing", "{\"ring\": {\"bank\": 3}", "{\"ring\": {}", 19, "target");
    row("no such bank", "\"bank\": 3", "\"bank\": 32", 19, "31");
    row("a mark on a hidden panel", "{\"bank\": 3}", "{\"knob\": \"BM\"}", 19, "hides");
    row("two forms of one mark", "{\"ring\": {\"bank\": 3}",
        "{\"ring\": {\"bank\": 3}, \"arrow\": {\"bank\": 3}", 19, "one of");
    row("no such choice", "\"right\": \"two\"", "\"right\": \"three\"", 25, "choices");
    row("a choice that turns the text", "\"choices\": [\"one\", \"two\"]",
        "\"choices\": [\"one\", \"\\u202e\"]", 25, "choices");
    row("a number beside choices", "\"right\": \"two\"", "\"right\": \"two\", \"number\": 2", 25,
        "number");
    row("no condition", "[\"stamps = 4\"]", "[]", 32, "until");
    row("no such quantity", "stamps = 4", "stamp = 4", 32, "stamp");
    row("no solution", ",\n\"solution\": {\"tile\": {\"WNITER\": 4}}", "", 30, "solution");
    row("a question beside a task", "\"task\": {",
        "\"question\": {\"asks\": \"a\", \"answer\": \"b\"}, \"task\": {", 30, "one of them");
  }
  void aBadOneSaysWhereAndWhat() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(int, line);
    QFETCH(QString, says);
    const std::string text = with(from.toStdString(), to.toStdString());
    const auto lecture = parseLecture(text, "x");
    QVERIFY(!lecture);
    const Complaint& complaint = lecture.error();
    QVERIFY2(complaint.line == line,
             fmt::format("line {}: {}", complaint.line, complaint.sentence).c_str());
    QVERIFY2(q(complaint.sentence).contains(says), complaint.sentence.c_str());
    QVERIFY(complaint.sentence.back() != '.');
    QVERIFY(q(sentenceOf(complaint, "x.json")).startsWith(QString("x.json, line %1: ").arg(line)));
  }

  void whatIsNoLectureIsRefused() {
    for (const char* text : {"", "[]", "{}", "null", "{\"steps\": []}", "\xff\xfe"}) {
      const auto lecture = parseLecture(text, "x");
      QVERIFY2(!lecture, text);
      QVERIFY(!lecture.error().sentence.empty() && lecture.error().line >= 1);
    }
    QVERIFY(!readLecture("/no/such/lecture.json"));
    QVERIFY(!readLecture("/dev/null"));
  }

  // "Add the window as a step": a new file, one that grows, and one that stays unchanged.
  void stepsAreAdded() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("mine.json").toStdString();
    NewStep step{openingSession(), "Braces {stay}", "A text."};
    step.session.state.stage = &stages()[7];
    step.session.state.tile = stages()[7].standardTile();
    for (std::size_t i = 1; i <= 2; ++i) {
      const auto added = addStep(file, step);
      QVERIFY2(added, added ? "" : added.error().c_str());
      QCOMPARE(*added, i);
    }
    const auto lecture = readLecture(file);
    QVERIFY2(lecture, lecture ? "" : lecture.error().c_str());
    QCOMPARE(lecture->steps.size(), std::size_t{2});
    QVERIFY(lecture->steps[1].session.state.stage == &stages()[7]);
    QVERIFY(replaceText(file, "{\"schema\": 1}\n"));
    QVERIFY(!addStep(file, step));
    QCOMPARE(q(*readText(file, 1000)), "{\"schema\": 1}\n");
    const std::filesystem::path known = folder.filePath("my own.lecture.json").toStdString();
    QVERIFY(addStep(known, step));
    QCOMPARE(readLecture(known)->title, std::string("my own"));
  }
};

}  // namespace tileloom::lecture

TILELOOM_TEST(tileloom::lecture::LectureReaderTest, EventLoop)
#include "lecture_reader_test.moc"
