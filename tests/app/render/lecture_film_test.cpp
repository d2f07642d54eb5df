// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_film.h"

#include <QtTest>

#include "app/lecture/lecture_reader.h"
#include "app/render/lecture_stage.h"
#include "app/window/lecture/lecture_mode.h"
#include "tests/support/test_class.h"

namespace tileloom::lecture {

using Kind = Shot::Kind;

class LectureFilmTest : public QObject {
  Q_OBJECT

  // Another zoom, another rung, and a step that plays.
  static Lecture small() {
    const auto lecture = parseLecture(R"json({
"schema": "tileloom.lecture/1", "title": "T", "about": "A.",
"steps": [
{"headline": "First", "text": "Text.",
 "session": {"stage": "naive", "size": "256x256x256", "zoom": "grid"}},
{"headline": "Second", "text": "Text.", "session": {"zoom": "warp"}},
{"headline": "Third", "text": "Text.", "plays": true,
 "session": {"stage": "shared", "size": "256x256x256", "zoom": "block"}}
]})json",
                                      "small");
    if (!lecture) qFatal("%s", lecture.error().sentence.c_str());
    return *lecture;
  }
  static ExportSetup setup() { return {{1280, 720}, Look::Dark, {}, {}}; }

 private slots:
  void everyStepCanBeRead() {
    Lecture lecture = small();
    lecture.steps[1].text = std::string(160, 'x');
    const std::vector<Shot> shots = shotsOf(lecture, {0, 1, 2}, 25);
    QCOMPARE(shots.size(), std::size_t{6});
    QVERIFY((shots[0] == Shot{Kind::Still, 0, 100}));  // four seconds at least
    QVERIFY((shots[1] == Shot{Kind::Pass, 1, LectureMode::kPassMs * 25 / 1000}));
    QVERIFY(shots[2].kind == Kind::Still && shots[2].frames > 250);  // 166 letters
    QVERIFY(shots[3].kind == Kind::Pass && shots[3].step == 2);
    QVERIFY(shots[4].kind == Kind::Still && shots[5].kind == Kind::Play);
    QVERIFY(shots[5].frames >= 100);
    lecture.steps[1].text = std::string(5000, 'x');
    QCOMPARE(shotsOf(lecture, {1}, 10).front().frames, 300);  // the longest time
  }

  // A film that would need more memory than a laptop has is refused before anything is painted.
  void aLongGifIsRefused() {
    const std::vector<Shot> shots = {{Kind::Still, 0, 1000}};
    QCOMPARE(whyNotFilmed(AnimationFormat::Mp4, shots, {3840, 2160}), QString());
    QCOMPARE(whyNotFilmed(AnimationFormat::Gif, shots, {640, 480}), QString());
    const QString wrong = whyNotFilmed(AnimationFormat::Gif, shots, {1920, 1080});
    QVERIFY2(wrong.contains("7.7 GiB") && wrong.contains(".mp4"), qPrintable(wrong));
  }

  // The transition to a step begins with the previous picture and ends with the step itself, and
  // between them it is neither, whatever the clock says.
  void theWayBetweenTwoSteps() {
    const Lecture lecture = small();
    LectureStage stage(lecture, setup());
    const QImage from = stage.at(0), to = LectureStage(lecture, setup()).at(1);
    stage.pass(1);
    const QImage first = stage.passed(0), middle = stage.passed(200);
    QTest::qWait(50);
    QCOMPARE(stage.picture(), middle);
    QVERIFY(first != middle && middle != to && middle != from);
    QCOMPARE(stage.passed(LectureMode::kPassMs), to);
    QCOMPARE(stage.problem(), QString());
  }

  // To another kernel, and then its loom plays to the end and not beyond.
  void aStepThatPlays() {
    const Lecture lecture = small();
    LectureStage stage(lecture, setup());
    stage.at(1);
    stage.pass(2);
    const QImage middle = stage.passed(200), begun = stage.passed(LectureMode::kPassMs);
    QVERIFY(middle != begun);
    QVERIFY(stage.play(1));
    const QImage later = stage.picture();
    QVERIFY(later != begun);
    QVERIFY(!stage.play(100'000));
    const QImage end = stage.picture();
    QVERIFY(end != later);
    QVERIFY(!stage.play(1));
    QCOMPARE(stage.picture(), end);
  }
};

}  // namespace tileloom::lecture

TILELOOM_TEST(tileloom::lecture::LectureFilmTest, Window)
#include "lecture_film_test.moc"
