// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_answers.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "app/lecture/lecture_check.h"
#include "app/lecture/lecture_reader.h"
#include "tests/support/test_class.h"

namespace tileloom {

class LectureAnswersTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;  // for the settings

  // Steps: one to read, one with choices, one with a number, one with a task.
  static lecture::Lecture small() {
    const auto read = lecture::parseLecture(R"json({
"schema": "tileloom.lecture/1", "title": "T", "about": "A.",
"steps": [
{"headline": "Read", "text": "Text.", "session": {"stage": "warptiled"}},
{"headline": "Choose", "text": "Text.",
 "question": {"asks": "?", "choices": ["no", "yes"], "right": "yes", "answer": "Yes."}},
{"headline": "Type", "text": "Text.", "question": {"asks": "?", "number": 1024, "answer": "2^10."}},
{"headline": "Do", "text": "Text.",
 "task": {"asks": "Turn.", "until": ["WNITER = 2"], "answer": "So.",
          "solution": {"tile": {"WNITER": 2}}}}
]})json",
                                            "small");
    if (!read) qFatal("%s", read.error().sentence.c_str());
    return *read;
  }

 private slots:
  void initTestCase() { qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); }

  void aChoiceIsRightOrTriedAgain() {
    const lecture::Lecture all = small();
    LectureAnswers answers;
    answers.begin(all);
    answers.choose(1, *all.steps[1].question, 0);
    QVERIFY(!answers.at(1).done && !answers.at(1).reply.isEmpty());
    answers.choose(1, *all.steps[1].question, 1);
    QVERIFY(answers.at(1).done);
    QCOMPARE(answers.at(1).chosen, 1);
  }

  void aRevealedQuestionStaysUndone() {
    const lecture::Lecture all = small();
    LectureAnswers answers;
    answers.begin(all);
    answers.reveal(1);
    answers.choose(1, *all.steps[1].question, 1);
    QVERIFY(!answers.at(1).done && !answers.finished(all, 1));
  }

  // A number that is typed after the answer was shown gets a verdict.
  void aRevealedNumberIsJudged() {
    const lecture::Lecture all = small();
    LectureAnswers answers;
    answers.begin(all);
    answers.reveal(2);
    answers.type(2, *all.steps[2].question, "1000");
    QVERIFY2(answers.at(2).reply.startsWith("No."), qPrintable(answers.at(2).reply));
    answers.type(2, *all.steps[2].question, "1024");
    QCOMPARE(answers.at(2).reply, QString("Right."));
    QVERIFY(!answers.at(2).done && !answers.finished(all, 2));
  }

  void aCountIsExact() {
    const lecture::Lecture all = small();
    LectureAnswers answers;
    answers.begin(all);
    for (const char* wrong : {"1020", "1025", "", "-1024", "ten", "1e999"}) {
      answers.type(2, *all.steps[2].question, wrong);
      QVERIFY2(!answers.at(2).done, wrong);
    }
    answers.type(2, *all.steps[2].question, " 1,024 ");
    QVERIFY(answers.at(2).done);
  }

  // A finished task that is shown again stays finished, and its text does not say that the present
  // tile meets it.
  void aTaskThatWasDoneStaysSo() {
    const lecture::Lecture all = small();
    const lecture::Task& task = *all.steps[3].task;
    const auto before = lecture::factsOf(all.steps[3].session, nullptr);
    const auto solved = lecture::factsOf(task.solution, nullptr);
    LectureAnswers answers;
    answers.begin(all);
    answers.judge(3, task, before, before, false);
    QVERIFY(!answers.at(3).done && answers.at(3).reply.isEmpty());
    answers.judge(3, task, before, before, true);
    QVERIFY(answers.at(3).reply.contains("WNITER"));
    answers.judge(3, task, solved, before, true);
    QVERIFY(answers.at(3).done);
    const QString done = answers.at(3).reply;
    answers.judge(3, task, before, before, false);
    QVERIFY(answers.at(3).done && answers.at(3).reply != done);
  }

  // Ticks of the table of contents are kept between runs, and follow their steps in a changed file;
  // the questions are open again.
  void whatIsFinishedIsKept() {
    lecture::Lecture all = small();
    {
      LectureAnswers answers;
      answers.begin(all);
      QVERIFY(!answers.finished(all, 0));
      answers.leave(0);
      answers.leave(2);  // without an answer
      answers.choose(1, *all.steps[1].question, 1);
      QVERIFY(answers.finished(all, 0) && answers.finished(all, 1) && !answers.finished(all, 2));
      answers.keep(all);
    }
    std::rotate(all.steps.begin(), all.steps.begin() + 3, all.steps.end());
    LectureAnswers answers;
    answers.begin(all);
    QVERIFY(!answers.finished(all, 0) && answers.finished(all, 1) && answers.finished(all, 2));
    QVERIFY(!answers.at(2).done);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LectureAnswersTest, Nothing)
#include "lecture_answers_test.moc"
