// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel of the user in the window: opened by its file, shown by every page or with a reason, and
// read again when its file changes.
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>

#include "app/session/session_text.h"
#include "app/window/files/open_file.h"
#include "app/window/own_list.h"
#include "kernels/own/own_kernel.h"
#include "kernels/tile/derived.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/code/sass_view.h"
#include "viz/code/source_page.h"

namespace tileloom {

using test::OpenWindow;

class WindowOwnTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString at(const QString& name) const { return m_folder.filePath(name); }
  static QString fixture(const QString& name) {
    return QStringLiteral(TILELOOM_SOURCE_DIR "/tests/own/fixtures/") + name;
  }
  void put(const QString& from, const QString& to) const {
    QFile::remove(at(to));
    QVERIFY(QFile::copy(fixture(from), at(to)));
  }
  static bool shows(OpenWindow& w, const QString& file) {
    if (!openFile(w.window, file).isEmpty()) return false;
    return QTest::qWaitFor(
        [&] { return w.scene().ready() && !w.scene().recording->trace.rung()->isRung(); },
        test::kPatience);
  }

 private slots:
  void initTestCase() {
    put("gemm.cu", "gemm.cu");
    put("gemm.cubin", "gemm.cubin");
    put("gemm.launch.json", "gemm.launch.json");
  }

  void opened() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(shows(w, at("gemm.cubin")));
    const auto& recording = *w.scene().recording;
    const Stage& stage = w.explorer().stage();
    QCOMPARE(stage.title, std::string_view("gemm"));
    QCOMPARE(w.explorer().problem().n, 192);
    QCOMPARE(recording.map.c.rows, 64);
    QCOMPARE(recording.map.c.columns, 64);
    QCOMPARE(recording.trace.stepK, 8u);
    QVERIFY(recording.trace.faults.empty());
    auto* list = w.window.findChild<OwnList*>();
    QVERIFY(list->isVisible());
    QCOMPARE(list->currentRow(), 0);
    const QString about = w.window.findChild<QLabel*>("about")->text();
    QVERIFY2(about.contains("At this size, all 24,576 elements of C are right."),
             qPrintable(about));
    // A rung and back.
    QVERIFY(w.pick(test::stage("naive")));
    QCOMPARE(list->currentRow(), -1);
    emit list->picked(&stage);
    QTRY_VERIFY(w.scene().recording->trace.rung() == &stage);
  }

  void itsCodeIsShown() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(shows(w, at("gemm.cubin")));
    w.window.showPage("sass");
    SassView& view = *w.window.view<SassView>();
    QTRY_VERIFY(view.side().facts && view.side().facts->code.rung() == &w.explorer().stage());
    QCOMPARE(view.side().facts->cost.ffmas, 8 * 16);
    QVERIFY(view.side().facts->origin().contains("gemm.cubin"));
    w.window.showPage("source");
    QCOMPARE(w.scene().moment.instruction.line > 0, true);
    QVERIFY(sourceText(w.explorer().stage()).starts_with("// A tile of 64 x 64"));
  }

  void everyPageHasSomethingOrAReason() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(shows(w, at("gemm.cubin")));
    for (const auto& page : w.window.pages()) {
      w.window.showPage(page->row().id);
      QTest::qWait(20);
      page->widget()->grab();
    }
    for (int step = 0; step < 40; ++step) w.explorer().step(1);
    w.explorer().stepTile(1);
    w.explorer().setBlockAt(64, 64);
    QTRY_VERIFY(!w.explorer().busy());
    QCOMPARE(w.scene().recording->map.c.row, 64);
  }

  // With one wavefront less for each store, the moment stays.
  void readAgain() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(shows(w, at("gemm.cubin")));
    const Stage* before = &w.explorer().stage();
    w.explorer().setWarp(3);
    put("padded.cubin", "gemm.cubin");
    QTRY_VERIFY(&w.explorer().stage() != before);
    QTRY_VERIFY(w.scene().recording->trace.rung() == &w.explorer().stage());
    QCOMPARE(w.scene().moment.warp, 3u);
    QTRY_VERIFY(w.window.statusBar()->currentMessage().contains("wavefronts of stores"));
    QCOMPARE(w.window.services().own.all().size(), std::size_t{1});
    put("gemm.cubin", "gemm.cubin");
  }

  // A mistake while editing changes nothing, and a file that is replaced is watched further.
  void brokenForAWhile() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(shows(w, at("gemm.cubin")));
    const Stage* before = &w.explorer().stage();
    QSignalSpy notRead(&w.window.services().own, &OwnKernels::notReadAgain);
    QFile::remove(at("gemm.cubin"));
    QFile broken(at("gemm.cubin"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no cubin") > 0);
    broken.close();
    QTRY_VERIFY(notRead.count() > 0);
    QVERIFY(&w.explorer().stage() == before);
    put("padded.cubin", "gemm.cubin");
    QTRY_VERIFY(&w.explorer().stage() != before);
    put("gemm.cubin", "gemm.cubin");
  }

  void keptInASession() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(shows(w, at("gemm.cubin")));
    const Session kept = w.window.session();
    const std::string text = sessionText(kept);
    const auto read = parseSession(text);
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    // Reading compiles nothing: a window does so in the background.
    QVERIFY(read->own == nullptr && read->ownFile == at("gemm.cubin").toStdString());
    QVERIFY(read->state.problem == kept.state.problem);
    // Another window.
    OpenWindow other;
    QVERIFY(other.ready());
    other.window.restore(*read);
    QTRY_VERIFY(!other.scene().recording->trace.rung()->isRung());
    QCOMPARE(other.explorer().problem().n, 192);
    QCOMPARE(sessionText(other.window.session()), text);
    // A link opens no file of this machine.
    const auto linked = parseSession(text, SessionFrom::Link);
    QVERIFY(linked.error().find("a link does not open") != std::string::npos);
  }

  void refused() {
    OpenWindow w;
    QVERIFY(w.ready());
    QSignalSpy failed(&w.window.services().own, &OwnKernels::failed);
    QFile broken(at("broken.cubin"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no cubin") > 0);
    broken.close();
    const Stage* before = &w.explorer().stage();
    // The message waits for a click.
    QTimer closer;
    connect(&closer, &QTimer::timeout, this, [] {
      if (QWidget* box = QApplication::activeModalWidget()) box->close();
    });
    closer.start(20);
    w.window.services().own.open(at("broken.cubin"));
    QTRY_COMPARE(failed.count(), 1);
    const QString sentence = failed.first().first().toString();
    QVERIFY2(sentence.contains("broken.cubin") && sentence.endsWith('.'), qPrintable(sentence));
    QVERIFY(&w.explorer().stage() == before);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowOwnTest, Window)
#include "window_own_test.moc"
