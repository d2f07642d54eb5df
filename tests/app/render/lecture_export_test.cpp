// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of a lecture: what each file has in it, and what is refused.
#include "app/render/lecture_export.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "app/export/animation.h"
#include "app/lecture/lecture_files.h"
#include "app/lecture/lecture_reader.h"
#include "app/render/lecture_stage.h"
#include "tests/support/test_class.h"

namespace tileloom::lecture {

class LectureExportTest : public QObject {
  Q_OBJECT

  // Three small steps: one with a question, one with a mark, one with notes.
  static Lecture small() {
    const auto lecture = parseLecture(R"json({
"schema": "tileloom.lecture/1", "title": "A <small> one", "about": "For a test.",
"steps": [
{"headline": "First & best", "text": "It has {threads} threads.",
 "session": {"stage": "naive", "size": "256x256x256"},
 "question": {"asks": "Why?", "choices": ["so", "or so"], "right": "so", "answer": "Because."}},
{"headline": "Second", "text": "Text.", "marks": [{"ring": {"block": true}, "text": "the block"}]},
{"headline": "Third", "text": "Text.", "notes": ["Say this."]}
]})json",
                                      "small");
    if (!lecture) qFatal("%s", lecture.error().sentence.c_str());
    return *lecture;
  }
  static QByteArray contentOf(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  // Empty if poppler's program is not installed.
  static QString textOf(const QString& pdf) {
    QProcess process;
    process.start("pdftotext", {"-layout", pdf, "-"});
    if (!process.waitForFinished()) return {};
    return QString::fromUtf8(process.readAllStandardOutput());
  }

 private slots:
  void everyStepIsAPicture() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("steps");
    QCOMPARE(exportLecture(small(), {{1280, 720}, Look::Dark, out, {}}), QString());
    QCOMPARE(QDir(out).entryList(QDir::Files),
             QStringList({"step01.png", "step02.png", "step03.png"}));
    const QImage first(out + "/step01.png"), second(out + "/step02.png");
    QCOMPARE(first.size(), QSize(1280, 720));
    QVERIFY(first != second);
  }

  void aPageIsOneFile() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("small.html");
    QCOMPARE(exportLecture(small(), {{1280, 720}, Look::Light, out, {0, 2}}), QString());
    const QByteArray html = contentOf(out);
    QVERIFY(html.contains("A &lt;small&gt; one") && html.contains("First &amp; best"));
    QVERIFY(html.contains("1,024 threads") && html.contains("Because."));
    QVERIFY(!html.contains("Say this."));
    QCOMPARE(html.count("data:image/png;base64,"), 2);
    QVERIFY(!html.contains("http:") && !html.contains("https:") && !html.contains(">Second<"));
    ExportSetup withNotes{{1280, 720}, Look::Light, out, {2}};
    withNotes.notes = true;
    QCOMPARE(exportLecture(small(), withNotes), QString());
    QVERIFY(contentOf(out).contains("Say this."));
  }

  // Slides: a page per step, as wide as a screen, with text as letters.
  void aPdfHasAPagePerStep() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("small.pdf");
    ExportSetup setup{{1280, 720}, Look::Light, out, {}};
    std::vector<std::size_t> told;
    setup.progress = [&told](std::size_t done, std::size_t all) {
      QCOMPARE(all, std::size_t{3});
      told.push_back(done);
    };
    QCOMPARE(exportLecture(small(), setup), QString());
    QCOMPARE(told, (std::vector<std::size_t>{1, 2, 3}));
    const QByteArray pdf = contentOf(out);
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY2(pdf.contains("/Count 3"), "pages");
    QCOMPARE(pdf.count("/MediaBox [0 0 960.000000 540.000000]"), 3);
    QVERIFY2(!pdf.contains("/DCTDecode"), "no picture loses anything");
    const QString text = textOf(out);
    if (text.isEmpty()) QSKIP("NOT TESTED: pdftotext is not here");
    QVERIFY2(text.contains("First & best") && text.contains("Why?"), qPrintable(text));
    QVERIFY2(!text.contains("Because.") && !text.contains("Say this."), qPrintable(text));
  }

  // A handout: upright pages, and the answers on a page after them.
  void aHandoutHasItsAnswersAtTheEnd() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("small.pdf");
    ExportSetup setup{{1280, 720}, Look::Light, out, {}};
    setup.kind = ExportKind::Handout;
    QCOMPARE(exportLecture(small(), setup), QString());
    const QByteArray pdf = contentOf(out);
    QVERIFY2(pdf.contains("/Count 3"), "two steps, one step, answers");
    QVERIFY(!pdf.contains("/MediaBox [0 0 960.000000 540.000000]"));
    const QString text = textOf(out);
    if (text.isEmpty()) QSKIP("NOT TESTED: pdftotext is not here");
    const qsizetype asked = text.indexOf("Why?"), note = text.indexOf("Say this."),
                    answers = text.indexOf("Answers"), answer = text.indexOf("Because.");
    QVERIFY2(0 <= asked && asked < note && note < answers && answers < answer, qPrintable(text));
    setup.notes = false;
    QCOMPARE(exportLecture(small(), setup), QString());
    QVERIFY(!textOf(out).contains("Say this."));
  }

  // At the top of the first page it names its subject.
  void aHandoutBeginsWithItsTitle() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("small.pdf");
    ExportSetup setup{{1280, 720}, Look::Light, out, {}};
    setup.kind = ExportKind::Handout;
    QCOMPARE(exportLecture(small(), setup), QString());
    const QString text = textOf(out);
    if (text.isEmpty()) QSKIP("NOT TESTED: pdftotext is not here");
    const qsizetype title = text.indexOf("A <small> one"), about = text.indexOf("For a test."),
                    first = text.indexOf("First & best");
    QVERIFY2(0 <= title && title < about && about < first, qPrintable(text));
  }

  // The picture of a step that plays is taken when something of it can be seen.
  void aStepThatPlaysHasPlayed() {
    const auto tour = lectureNamed("show-me-around");
    QVERIFY(tour.has_value());
    const auto step = std::ranges::find(tour->steps, std::string("It plays"), &Step::headline);
    QVERIFY(step != tour->steps.end() && step->plays);
    Lecture playing = *tour;
    playing.steps = {*step};
    Lecture still = playing;
    still.steps[0].plays = false;
    const ExportSetup setup{{1280, 720}, Look::Light, {}, {}};
    LectureStage before(still, setup);
    const QImage begun = before.at(0);
    LectureStage after(playing, setup);
    QVERIFY(after.at(0) != begun);
    QCOMPARE(after.at(0), after.at(0));
  }

  void aFilmNeedsFfmpeg() {
    if (findFfmpeg().isEmpty()) QSKIP("NOT TESTED: ffmpeg is not here");
    const QTemporaryDir folder;
    const QString out = folder.filePath("small.mp4");
    QCOMPARE(exportLecture(small(), {{1280, 720}, Look::Light, out, {1}}), QString());
    QVERIFY(contentOf(out).size() > 1000);
  }

  void whatCannotBeWrittenIsRefused() {
    const QTemporaryDir folder;
    const QString odd =
        exportLecture(small(), {{640, 480}, Look::Light, folder.filePath("x.doc"), {}});
    QVERIFY2(odd.contains(".pdf"), qPrintable(odd));
    Lecture wide = small();
    wide.steps[0].session.tilePanel = wide.steps[0].session.ladderPanel = true;
    const QString narrow =
        exportLecture(wide, {{640, 480}, Look::Light, folder.filePath("x.pdf"), {0}});
    QVERIFY2(narrow.contains("--size"), qPrintable(narrow));
    const QString nowhere =
        exportLecture(small(), {{1280, 720}, Look::Light, "/no/such/folder/x.pdf", {0}});
    QVERIFY(!nowhere.isEmpty());
    QVERIFY(QDir(folder.path()).isEmpty());
  }
};

}  // namespace tileloom::lecture

TILELOOM_TEST(tileloom::lecture::LectureExportTest, Window)
#include "lecture_export_test.moc"
