// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture to take home: what each file has in it, and what is refused.
#include "app/render/lecture_export.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include "app/export/animation.h"
#include "app/lecture/lecture_reader.h"
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
    QVERIFY(html.contains("1,024 threads") && html.contains("Because.") &&
            html.contains("Say this."));
    QCOMPARE(html.count("data:image/png;base64,"), 2);
    QVERIFY(!html.contains("http:") && !html.contains("https:") && !html.contains(">Second<"));
  }

  void aPdfHasAPagePerStep() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("small.pdf");
    QCOMPARE(exportLecture(small(), {{1280, 720}, Look::Light, out, {}}), QString());
    const QByteArray pdf = contentOf(out);
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY2(pdf.contains("/Count 3"), "pages");
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
