// SPDX-License-Identifier: GPL-3.0-or-later
// A double click on a session opens it: the files that desktops read are well-formed and agree with
// each other and with the program, and the program takes a session's bare name.
#include <signal.h>

#include <QMimeDatabase>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>

#include "app/session/session.h"
#include "app/session/session_text.h"
#include "tests/app/program.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class DesktopTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  QString entryFile() const { return path("share/applications/tileloom.desktop"); }
  QString typesFile() const { return path("share/mime/packages/tileloom.xml"); }
  QString iconFile() const { return path("share/icons/hicolor/scalable/apps/tileloom.svg"); }

  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  static bool write(const QString& file, const QByteArray& bytes) {
    QFile f(file);
    return f.open(QIODevice::WriteOnly) && f.write(bytes) == bytes.size();
  }
  // A line "key=value" of the desktop entry.
  QString entry(const QByteArray& key) const {
    for (const QByteArray& line : contents(entryFile()).split('\n')) {
      if (line.startsWith(key + '=')) return QString::fromUtf8(line.mid(key.size() + 1));
    }
    return {};
  }
  static Said tool(const QString& name, const QStringList& arguments) {
    QProcess process;
    process.start(name, arguments);
    return collect(process);
  }

 private slots:
  void initTestCase() {
    qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
    qputenv("XDG_RUNTIME_DIR", folder_.path().toUtf8());  // Qt would complain of having none
    qputenv("XDG_DATA_HOME", path("data").toUtf8());
    qputenv("TILELOOM_LIBCUDA", "none");
    qputenv("TILELOOM_NVRTC", "none");
    const Said said = tool(TILELOOM_CMAKE, {"--install", TILELOOM_BUILD, "--component", "desktop",
                                            "--prefix", folder_.path()});
    QVERIFY2(said.status == 0, said.err.constData());
  }

  void theirValidators_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("entry") << "desktop-file-validate" << QStringList{entryFile()};
    QTest::newRow("types") << "xmllint" << QStringList{"--noout", typesFile()};
    QTest::newRow("icon") << "xmllint" << QStringList{"--noout", iconFile()};
  }
  void theirValidators() {
    QFETCH(QString, name);
    QFETCH(QStringList, arguments);
    if (QStandardPaths::findExecutable(name).isEmpty())
      QSKIP(qPrintable(name + " is not installed: nothing was validated"));
    const Said said = tool(name, arguments);
    QVERIFY2(said.status == 0 && said.out.isEmpty() && said.err.isEmpty(),
             (said.out + said.err).constData());
  }

  void theEntryStartsTheProgram() {
    QCOMPARE(entry("Exec"), QString("tileloom %u"));
    QCOMPARE(entry("Icon"), QString("tileloom"));
    QCOMPARE(entry("MimeType"),
             QString("application/x-tileloom-session;application/x-tileloom-lecture;"
                     "x-scheme-handler/tileloom;"));
    QVERIFY(QSvgRenderer(iconFile()).isValid());
  }

  // As a desktop's file manager does it.
  void sessionsAreKnown() {
    qputenv("XDG_DATA_DIRS", (path("share") + ":/usr/local/share:/usr/share").toUtf8());
    const QMimeDatabase types;
    const QString name = path(QString("a view.") + kSessionSuffix);
    Session session;
    session.state.stage = &stages().front();
    session.state.tile = stages().front().standardTile();
    session.state.problem = kOpeningProblem;
    QVERIFY(write(name, QByteArray::fromStdString(sessionText(session))));
    QCOMPARE(types.mimeTypeForFile(name).name(), QString("application/x-tileloom-session"));
    // Also under another name.
    const QString other = path("without-suffix");
    QVERIFY(QFile::copy(name, other));
    QCOMPARE(types.mimeTypeForFile(other).name(), QString("application/x-tileloom-session"));
    QVERIFY(write(path("plain.json"), "{\"schema\": \"other/1\"}"));
    QVERIFY(types.mimeTypeForFile(path("plain.json")).name() != "application/x-tileloom-session");
  }

  // By its name, or by its content if the name is not known.
  void lecturesAreKnown() {
    const QMimeDatabase types;
    const QByteArray text = R"({"schema": "tileloom.lecture/1", "title": "T", "about": "A.",
"steps": [{"headline": "H", "text": "T.", "session": {"stage": "naive"}}]})";
    for (const char* name : {"mine.lecture.json", "lecture-without-suffix"}) {
      QVERIFY(write(path(name), text));
      QCOMPARE(types.mimeTypeForFile(path(name)).name(), QString("application/x-tileloom-lecture"));
    }
  }

  // Any name works on the command line. The last step is kept at once.
  void aLectureOpensTheWindow() {
    QVERIFY(QFile::copy(path("mine.lecture.json"), path("mine.json")));
    const QString settings = path("config/tileloom/settings.json");
    QProcess process;
    process.start(TILELOOM_PROGRAM, {path("mine.json")});
    QVERIFY(QTest::qWaitFor(
        [&] {
          return contents(settings).contains("lectures/mine") ||
                 process.state() == QProcess::NotRunning;
        },
        60000));
    QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
    process.kill();
    process.waitForFinished();
  }

  // The window opens with it, which is what the list of recent sessions then says.
  void aBareNameOpensTheWindow() {
    const QString name = path(QString("a view.") + kSessionSuffix);
    QVERIFY(QFile::exists(name));
    const QString settings = path("config/tileloom/settings.json");
    QProcess process;
    process.start(TILELOOM_PROGRAM, {name});
    QVERIFY(QTest::qWaitFor(
        [&] {
          return contents(settings).contains("a view.tileloom") ||
                 process.state() == QProcess::NotRunning;
        },
        60000));
    QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
    process.kill();
    process.waitForFinished();
  }

  // Qt would abort.
  void aDisplayThatIsNotThere_data() {
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::newRow("display") << "DISPLAY"
                             << ":987";
    QTest::newRow("platform") << "QT_QPA_PLATFORM"
                              << "nonsense";
    // Platforms of screens without a desktop; there is no screen here.
    for (const char* platform : {"linuxfb", "LinuxFB:fb=/no/such", "eglfs", "minimalegl",
                                 "vkkhrdisplay", "nonsense;linuxfb"})
      QTest::newRow(platform) << "QT_QPA_PLATFORM" << platform;
    QTest::newRow("none") << ""
                          << "";
  }
  void aDisplayThatIsNotThere() {
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QProcessEnvironment around = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) around.remove(name);
    if (!variable.isEmpty()) around.insert(variable, value);
    QProcess process;
    process.setProcessEnvironment(around);
    for (const QStringList& words : {QStringList(), QStringList{"lecture", "play", "ladder"}}) {
      if (!words.isEmpty() && (test::briefly() || value != "linuxfb")) continue;
      process.start(TILELOOM_PROGRAM, words);
      const Said said = collect(process);
      QCOMPARE(said.status, 2);
      QVERIFY2(isOneSentence(said.err), said.err.constData());
      QVERIFY2(said.err.contains(value.toUtf8()), said.err.constData());
    }
  }

  // A window ended by a signal closes in order: the exit status shows it.
  void aPoliteKillEndsTheWindow() {
    QProcess process;
    process.start(TILELOOM_PROGRAM, {path(QString("a view.") + kSessionSuffix)});
    QVERIFY(process.waitForStarted());
    const QByteArray cpu = "/proc/" + QByteArray::number(process.processId()) + "/status";
    // The handler is installed once SIGTERM is caught.
    QVERIFY(QTest::qWaitFor(
        [&] {
          for (const QByteArray& line : contents(cpu).split('\n')) {
            if (line.startsWith("SigCgt:"))
              return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (SIGTERM - 1) & 1) != 0;
          }
          return false;
        },
        60000));
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
    const Said said = collect(process);
    QCOMPARE(said.status, 130);
    QVERIFY2(!said.err.contains("tileloom:"), said.err.constData());  // Qt's platform may talk
  }

  void wrongNames_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("not there") << QStringList{path("none.tileloom")} << "none.tileloom";
    QVERIFY(write(path("broken.tileloom"), "no session at all"));
    QTest::newRow("broken") << QStringList{path("broken.tileloom")} << "this is not a session";
    QVERIFY(write(path("broken.json"), "{\"schema\": \"tileloom.lecture/1\",\n \"stepz\": 1}"));
    QTest::newRow("broken lecture") << QStringList{path("broken.json")} << "stepz";
    QTest::newRow("no such lecture") << QStringList{path("none.json")} << "none.json";
    QTest::newRow("two") << QStringList{"a.tileloom", "b.tileloom"} << "one file at a time";
    QTest::newRow("twice") << QStringList{"a.tileloom", "--session", "b.tileloom"} << "--session";
    QTest::newRow("with a command") << QStringList{"a.tileloom", "stages"} << "\"stages\"";
    QTest::newRow("no command") << QStringList{"trase"} << "choose one of";
    QTest::newRow("no command, no option") << QStringList{"trase", "--foo"} << "\"trase\"";
    QTest::newRow("no option") << QStringList{"a.tileloom", "--foo"} << "\"--foo\"";
  }
  void wrongNames() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Said said = runTileloom(arguments);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err) && said.err.contains(says.toUtf8()), said.err.constData());
    QVERIFY(said.out.isEmpty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::DesktopTest, EventLoop)
#include "desktop_test.moc"
