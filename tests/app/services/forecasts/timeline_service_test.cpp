// SPDX-License-Identifier: GPL-3.0-or-later
// The virtual clock away from the GUI thread: the newest question is answered, outdated ones are
// not, and a destroyed object takes its work with it.
#include "app/services/forecasts/timeline_service.h"

#include <QThread>
#include <QtTest>

#include "kernels/timeline/seam.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class TimelineServiceTest : public QObject {
  Q_OBJECT

  using Question = TimelineService::Question;
  struct Answered {
    Question question;
    TimelineService::Answer answer;
    bool guiThread = false;
  };

  std::shared_ptr<const analysis::Recording> recording_ =
      test::recorded({.stage = "padded", .problem = {512, 512, 512}});

  static TimelineService::Block blockOf(const analysis::Recording& recording) {
    const auto& trace = recording.trace;
    return {{trace, trace.asked}, trace.block};
  }
  Question questionFor(int delay) const {
    Question question;
    question.block = blockOf(*recording_);
    question.delay = delay;
    question.kernel.blocksPerSm = 2;
    question.arch = "sm_90";
    return question;
  }
  static void listen(TimelineService& service, std::vector<Answered>& answers) {
    connect(
        &service, &TimelineService::answered, &service,
        [&answers](const Question& question, const TimelineService::Answer& answer) {
          answers.push_back({question, answer,
                             QThread::currentThread() == QCoreApplication::instance()->thread()});
        });
  }

 private slots:
  // Two tiles of a persistent block, and its single one; without a second tile, the reason.
  void betweenTwoTiles() {
    TimelineService service;
    std::vector<Answered> answers;
    listen(service, answers);
    const auto stays = test::recorded({.stage = "stored", .problem = {4096, 4096, 4096}});
    Question question = questionFor(0);
    question.block = blockOf(*stays);
    question.kernel.blocksPerSm = 1;
    question.betweenTiles = true;
    service.ask(question, stays);
    QTRY_COMPARE(answers.size(), std::size_t{1});
    QVERIFY2(answers[0].answer.timeline != nullptr, qPrintable(answers[0].answer.trouble));
    QVERIFY(timeline::seamOf(*answers[0].answer.timeline).has_value());
    QVERIFY(answers[0].answer.beside != nullptr &&
            timeline::seamOf(answers[0].answer.beside->aligned).has_value());
    question.betweenTiles = false;
    service.ask(question, stays);
    QTRY_COMPARE(answers.size(), std::size_t{2});
    QVERIFY(answers[1].answer.timeline->tilesPerWalk == 0);
    question.betweenTiles = true;
    question.block.problem = {512, 512, 4096};
    service.ask(question, stays);
    QTRY_COMPARE(answers.size(), std::size_t{3});
    QVERIFY(answers[2].answer.timeline == nullptr);
    QVERIFY2(answers[2].answer.trouble.contains("larger M or N."),
             qPrintable(answers[2].answer.trouble));
  }

  // If the blocks on an SM are estimated, there is no prediction that the clock could disagree
  // with.
  void noRemarkWithoutRegisters() {
    TimelineService service;
    std::vector<Answered> answers;
    listen(service, answers);
    const auto buffered = test::recorded({.stage = "doublebuffered", .problem = {512, 512, 512}});
    Question question = questionFor(0);
    question.block = blockOf(*buffered);
    service.ask(question, buffered);
    QTRY_COMPARE(answers.size(), std::size_t{1});
    QVERIFY2(answers[0].answer.remark.contains("prediction's"),
             qPrintable(answers[0].answer.remark));
    question.guessed = true;
    service.ask(question, buffered);
    QTRY_COMPARE(answers.size(), std::size_t{2});
    QVERIFY2(answers[1].answer.remark.isEmpty(), qPrintable(answers[1].answer.remark));
  }

  void answersComeOnTheGuiThread() {
    TimelineService service;
    std::vector<Answered> answers;
    listen(service, answers);
    QVERIFY(!service.pending());
    service.ask(questionFor(0), recording_);
    QVERIFY(service.pending() && answers.empty());  // never within the question
    QTRY_COMPARE(answers.size(), std::size_t{1});
    QVERIFY(answers[0].guiThread && answers[0].question == questionFor(0));
    const auto& answer = answers[0].answer;
    QVERIFY(answer.timeline != nullptr && answer.timeline == answer.usual);
    QVERIFY(answer.timeline->cyclesPerTile > 0 && answer.trouble.isEmpty());
    QVERIFY(!answer.device.isEmpty() && answer.program != nullptr);
    QVERIFY(!service.pending());
    // The same is not asked again.
    service.ask(questionFor(0), recording_);
    QVERIFY(!service.pending());
  }

  // A slider that is dragged over many values: the first of them may have begun already, and the
  // last one is answered.
  void newerReplacesOlder() {
    TimelineService service;
    std::vector<Answered> answers;
    listen(service, answers);
    for (int delay = 0; delay <= 1000; delay += 10) service.ask(questionFor(delay), recording_);
    QTRY_VERIFY(!service.pending());
    QCOMPARE(answers.size(), std::size_t{1});  // the event loop ran only after the last question
    QVERIFY(answers[0].question == questionFor(1000));
    const auto& answer = answers[0].answer;
    QVERIFY(answer.usual != answer.timeline);
    QVERIFY(answer.timeline->cyclesPerTile > answer.usual->cyclesPerTile + 500);
  }

  // Where the latency varies, an average needs more K tiles.
  void moreKTilesWhereTheLatencyVaries() {
    TimelineService service;
    std::vector<Answered> answers;
    listen(service, answers);
    Question question = questionFor(0);
    service.ask(question, recording_);
    QTRY_COMPARE(answers.size(), std::size_t{1});
    question.varies = 600;
    service.ask(question, recording_);
    QTRY_COMPARE(answers.size(), std::size_t{2});
    const auto even = answers[0].answer, varied = answers[1].answer;
    QVERIFY(varied.timeline->tileStarts.size() > 3 * even.timeline->tileStarts.size());
    QVERIFY(varied.timeline != varied.usual);
    QVERIFY(varied.timeline->cyclesPerTile > varied.usual->cyclesPerTile + 100);
    // Half of it on average, and of two numbers the larger one.
    QVERIFY(varied.timeline->cyclesPerTile < varied.usual->cyclesPerTile + 600);
    question.varies = 0;
    service.ask(question, recording_);
    QTRY_COMPARE(answers.size(), std::size_t{3});
    QCOMPARE(answers[2].answer.timeline->cyclesPerTile, even.timeline->cyclesPerTile);
  }

  // The programs are made once for a block, however slow memory is; at the usual latency fewer K
  // tiles are enough.
  void oneProgramForABlock() {
    TimelineService service;
    std::vector<Answered> answers;
    listen(service, answers);
    for (const int delay : {100, 200, 100}) {
      const std::size_t before = answers.size();
      service.ask(questionFor(delay), recording_);
      QTRY_COMPARE(answers.size(), before + 1);
    }
    QVERIFY(answers[1].answer.program == answers[0].answer.program);
    QVERIFY(answers[2].answer.usual == answers[0].answer.usual);
    Question more = questionFor(100);
    more.kernel.blocksPerSm = 1;
    service.ask(more, recording_);
    QTRY_COMPARE(answers.size(), std::size_t{4});
    QVERIFY(answers[3].answer.program == answers[0].answer.program);
    QVERIFY(answers[3].answer.usual != answers[0].answer.usual);
    service.ask(questionFor(0), recording_);
    QTRY_COMPARE(answers.size(), std::size_t{5});
    QVERIFY(answers[4].answer.program->kTiles < answers[0].answer.program->kTiles);
  }

  void whatIsForgottenIsNotAnswered() {
    TimelineService service;
    std::vector<Answered> answers;
    listen(service, answers);
    service.ask(questionFor(0), recording_);
    service.forget();
    QTRY_VERIFY(!service.pending());
    QVERIFY(answers.empty());
    service.ask(questionFor(0), recording_);  // and may be asked again
    QTRY_COMPARE(answers.size(), std::size_t{1});
  }

  void goingWhileItWorks() {
    for (int i = 0; i < 20; ++i) {
      TimelineService service;
      service.ask(questionFor(i), recording_);
      if (i % 2 == 1) service.ask(questionFor(i + 100), recording_);
    }
    QCoreApplication::processEvents();  // objects that are gone get no answer
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TimelineServiceTest, EventLoop)
#include "timeline_service_test.moc"
