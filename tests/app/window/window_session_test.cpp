// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions in the window: what one window saves, another one shows.
#include <QMimeData>
#include <QStatusBar>
#include <QTemporaryDir>

#include "app/lecture/lecture.h"
#include "app/session/session_text.h"
#include "app/window/files/open_file.h"
#include "app/window/lecture/lecture_mode.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;

class WindowSessionTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  QString file() const { return m_folder.filePath("view.tileloom"); }

  static void arrange(OpenWindow& w) {
    QVERIFY(w.pick(test::stage("vectorized")));
    w.explorer().setTile(w.explorer().tile().with(Parameter::TM, 4).with(Parameter::TN, 16));
    QVERIFY(w.settled());
    QVERIFY(w.pick(test::stage("warptiled")));
    w.explorer().setTile(w.explorer().tile().with(Parameter::BK, 8));
    w.explorer().setProblem({1024, 1536, 512});
    w.explorer().setBlockAt(300, 700);
    QVERIFY(w.settled());
    w.explorer().setWarp(2);
    w.explorer().setIndex(777);
    Selection selection;
    selection.thread = 70;
    w.explorer().hold(selection);
    w.window.showPage("source");
    w.window.view<LoomView>()->zoomTo(LoomView::Level::Warp, false);
    w.window.view<TransportBar>()->setPace(Pace::Tile8);
  }

 private slots:
  // Actions without a visible effect show a message.
  void savingAndCopyingGiveASign() {
    OpenWindow w;
    QVERIFY(w.ready());
    const QTemporaryDir folder;
    QCOMPARE(w.window.sessions().save(folder.filePath("view.tileloom")), QString());
    QVERIFY(w.window.statusBar()->currentMessage().contains("view.tileloom"));
    w.window.statusBar()->clearMessage();
    QTest::keyClick(w.window.view<LoomView>(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(w.window.statusBar()->currentMessage().contains("Copied"));
    w.window.statusBar()->clearMessage();
    w.key(Qt::Key_M);  // there is no GPU
    QVERIFY(w.window.statusBar()->currentMessage().contains("Nothing can be measured"));
  }

  // Where the loom needs more room than a session leaves it, the next session says the same, not
  // what this window had room for.
  void aShareOfTheHeightStaysAsItWasAsked() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.resize(1280, 620);
    w.window.middle().setLower(kMostLower);
    const QTemporaryDir folder;
    const QString path = folder.filePath("view.tileloom");
    QCOMPARE(w.window.sessions().save(path), QString());
    QFile saved(path);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    const auto read = parseSession(saved.readAll().toStdString());
    QVERIFY(read.has_value());
    QCOMPARE(read->lower, kMostLower);
  }

  // Each rung keeps its tile and its instruction.
  void aRungKeepsItsPlace() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setWarp(2);
    w.explorer().setIndex(321);
    QVERIFY(w.pick(test::stage("vectorized")));
    QVERIFY(w.scene().moment.index != 321);
    QVERIFY(w.pick(test::stage("warptiled")));
    QTRY_COMPARE(w.scene().moment.index, 321u);
    QCOMPARE(w.scene().moment.warp, 2u);
  }

  // As on the command line: the window gets a file before it has a recording.
  void theZoomIsKeptBeforeThereIsARecording() {
    OpenWindow first;
    QVERIFY(first.ready());
    first.window.view<LoomView>()->zoomTo(LoomLevel::Warp, false);
    const QString link = first.window.link();
    MainWindow window;
    QCOMPARE(window.sessions().open(link), QString());
    window.show();
    QTRY_VERIFY(window.explorer().scene().ready());
    QVERIFY(window.view<LoomView>()->level() == LoomLevel::Warp);
    QTRY_VERIFY(window.view<LoomView>()->geometry().level() == LoomLevel::Warp);
  }

  void initTestCase() { qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); }

  void anotherWindowShowsTheSame() {
    Session saved;
    {
      OpenWindow w;
      QVERIFY(w.ready());
      arrange(w);
      saved = w.window.session();
      QCOMPARE(w.window.sessions().save(file()), QString());
      QVERIFY(w.window.windowTitle().startsWith("view"));
    }
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(!(w.window.session() == saved));
    QCOMPARE(w.window.sessions().open(file()), QString());
    QVERIFY(w.settled());
    QVERIFY(w.window.session() == saved);
    QCOMPARE(w.scene().moment.warp, 2u);
    QCOMPARE(w.scene().moment.index, 777u);
    QCOMPARE(w.window.currentPage(), std::string_view("source"));
    // The other rung keeps its instant, and all can be undone at once.
    QVERIFY(w.pick(test::stage("vectorized")));
    QCOMPARE(w.explorer().tile()[Parameter::TN], 16);
  }

  void openingIsOneStepToUndo() {
    OpenWindow w;
    QVERIFY(w.ready());
    const ViewState before = w.explorer().state();
    QCOMPARE(w.window.sessions().open(file()), QString());
    QVERIFY(w.settled());
    QCOMPARE(w.window.undoStack().count(), 1);
    w.window.undoStack().undo();
    QVERIFY(w.settled());
    QVERIFY(w.explorer().state().sameChoice(before));
  }

  void aBadFileChangesNothing_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("rubbish") << QByteArray("rubbish");
    QTest::newRow("of the future")
        << QByteArray(R"({"schema": "tileloom.session/9", "stage": "naive"})");
    QTest::newRow("a wrong part") << QByteArray(
        R"({"schema": "tileloom.session/1", "stage": "naive", "warp": "x"})");
  }
  void aBadFileChangesNothing() {
    QFETCH(QByteArray, text);
    OpenWindow w;
    QVERIFY(w.ready());
    const Session before = w.window.session();
    const QString bad = m_folder.filePath("bad.tileloom");
    QFile out(bad);
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text) == text.size());
    out.close();
    QVERIFY(w.window.sessions().open(bad).contains("bad.tileloom"));
    QVERIFY(w.window.session() == before);
    QVERIFY(w.window.sessions().open("/proc/no/such/file").contains("/proc/no/such/file"));
    QVERIFY(w.window.sessions()
                .save("/proc/no/such/folder/x.tileloom")
                .contains("/proc/no/such/folder"));
    QVERIFY(w.window.session() == before);
  }

  void aFileIsDropped() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto drop = [&](const QString& name) {
      QMimeData data;
      data.setUrls({QUrl::fromLocalFile(name)});
      QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
      QApplication::sendEvent(&w.window, &enter);
      if (!enter.isAccepted()) return false;
      QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
      QApplication::sendEvent(&w.window, &event);
      return true;
    };
    QVERIFY(!drop(m_folder.filePath("picture.png")));
    QVERIFY(drop(file()));
    QVERIFY(w.settled());
    QCOMPARE(w.explorer().tile()[Parameter::BK], 8);
    const QString lecture = m_folder.filePath("mine.json");
    QFile written(lecture);
    QVERIFY(written.open(QIODevice::WriteOnly));
    written.write(R"({"schema": "tileloom.lecture/1", "title": "Mine", "about": "A.",
"steps": [{"headline": "H", "text": "T.", "session": {"stage": "naive"}}]})");
    written.close();
    QVERIFY(drop(lecture));
    QVERIFY(w.window.lecture().active());
    QCOMPARE(w.window.lecture().lecture()->title, std::string("Mine"));
  }

  // The content of a file decides, or its name if the content is unknown.
  void filesAreToldApart() {
    const auto written = [&](const char* name, const QByteArray& bytes) {
      QFile out(m_folder.filePath(name));
      if (out.open(QIODevice::WriteOnly)) out.write(bytes);
      return out.fileName();
    };
    QVERIFY(isLectureFile(written("a.json", "{\"schema\": \"tileloom.lecture/1\"}")));
    QVERIFY(isLectureFile(written("a.txt", "{\"schema\": \"tileloom.lecture/9\"}")));
    QVERIFY(isLectureFile(written("broken.json", "{")));
    QVERIFY(isLectureFile(m_folder.filePath("none.json")));
    QVERIFY(isLectureFile(QUrl::fromLocalFile(m_folder.filePath("a.txt")).toString()));
    QVERIFY(!isLectureFile(written("session.json", "{\"schema\": \"tileloom.session/1\"}")));
    QVERIFY(!isLectureFile(written("broken.tileloom", "{")));
    QVERIFY(!isLectureFile(m_folder.filePath("none.tileloom")));
    QVERIFY(!isLectureFile("tileloom:abc"));
    QVERIFY(!isLectureFile(QString()));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSessionTest, Window)
#include "window_session_test.moc"
